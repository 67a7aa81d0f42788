/** The place of something that is being read, in its size, so that nothing jumps when it comes. */
export const Skeleton = ({ className = "h-24", label = "Loading" }: { className?: string; label?: string }) => (
  <div role="status" aria-label={label} className={`animate-pulse rounded-2xl bg-raised ${className}`} />
)
