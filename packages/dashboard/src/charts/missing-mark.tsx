import type { Missing } from "../trends/missing.ts"
import { FLOOR } from "./layout.ts"

const SIZE = 3

/** Marks a bucket without a value: a ring for a pending score, a cross for an unscorable record, a line for no data. */
export function MissingMark({
  x,
  y = FLOOR - SIZE - 4,
  missing,
  width,
}: {
  x: number
  y?: number
  missing: Missing
  width: number
}) {
  const size = Math.min(SIZE, Math.max(width / 2, 1))
  if (missing === "pending")
    return (
      <circle cx={x} cy={y} r={size} fill="none" strokeDasharray="2 1.5" className="stroke-muted" strokeWidth={1.5} />
    )
  if (missing === "unscorable")
    return (
      <path
        d={`M${x - size} ${y - size}l${2 * size} ${2 * size}M${x + size} ${y - size}l${-2 * size} ${2 * size}`}
        className="stroke-muted"
        strokeWidth={1.5}
      />
    )
  return <path d={`M${x - size} ${y + 2}h${2 * size}`} className="stroke-line-strong" strokeWidth={1.5} />
}
