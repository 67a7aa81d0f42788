import type { MetricId } from "@restwell/client"
import type { ReactNode } from "react"
import { Link } from "wouter"

interface HistoryLinkProps {
  readonly metric: MetricId
  readonly children: ReactNode
}

/** From the name of a figure to its history. The whole of a `relative` box around it is the link. */
export const HistoryLink = ({ metric, children }: HistoryLinkProps) => (
  <Link href={`/trends?metric=${metric}&days=30`} className="after:absolute after:inset-0 hover:underline">
    {children}
  </Link>
)
