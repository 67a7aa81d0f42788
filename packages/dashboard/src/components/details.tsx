import type { ReactNode } from "react"

/** A line that opens to more. */
export const Details = ({ summary, children }: { summary: string; children: ReactNode }) => (
  <details>
    <summary className="min-h-9 max-sm:min-h-11 cursor-pointer rounded-md py-2 text-sm text-muted">{summary}</summary>
    <div className="pt-1 pb-2">{children}</div>
  </details>
)
