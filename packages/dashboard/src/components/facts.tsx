import type { ReactNode } from "react"

/** A grid of named values. */
export const Facts = ({ className, children }: { className: string; children: ReactNode }) => (
  <dl className={`grid gap-x-4 gap-y-3 text-sm ${className}`}>{children}</dl>
)

export const Fact = ({ label, children }: { label: string; children: ReactNode }) => (
  <div>
    <dt className="text-muted">{label}</dt>
    <dd className="font-medium tabular-nums">{children}</dd>
  </div>
)
