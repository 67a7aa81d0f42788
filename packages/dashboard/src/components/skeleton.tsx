/** Placeholder for content that is loading, in its size, so that the page does not jump. */
export const Skeleton = ({ className = "h-24", label = "Loading" }: { className?: string; label?: string }) => (
  <div role="status" aria-label={label} className={`animate-pulse rounded-2xl bg-raised ${className}`} />
)
