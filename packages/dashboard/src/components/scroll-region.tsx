import type { ReactNode } from "react"

/** A region that scrolls must be reachable by keyboard. WCAG 2.1.1. */
const FOCUSABLE = 0

/** A named region that scrolls, by keyboard too. */
export const ScrollRegion = ({
  label,
  className,
  children,
}: {
  label: string
  className: string
  children: ReactNode
}) => (
  <section aria-label={label} tabIndex={FOCUSABLE} className={className}>
    {children}
  </section>
)
