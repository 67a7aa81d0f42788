import type { ReactNode } from "react"
import { MISSING_TEXTS, type Missing } from "../format/number.ts"
import { FLOOR } from "./sizes.ts"

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

const MARKS = ["pending", "unscorable", "none"] as const

/** Classes of the mark beside a label. */
const SHAPES = {
  dot: "size-2.5 rounded-full",
  band: "h-2.5 w-4 rounded-sm",
  line: "h-3 border-l border-dashed",
  dashes: "w-4 border-t-2 border-dashed",
} as const

export interface LegendEntry {
  readonly label: string
  /** Background class; of a line, the class of its border. */
  readonly color: string
  readonly shape?: keyof typeof SHAPES
}

/** Meaning of the colours and of the marks for missing values. */
export const Legend = ({
  entries,
  missing,
  children,
}: {
  entries: readonly LegendEntry[]
  missing: ReadonlySet<Missing | null>
  children?: ReactNode
}) => (
  <ul className="mt-3 flex flex-wrap gap-x-4 gap-y-1 text-xs text-muted">
    {entries.map(({ label, color, shape = "dot" }) => (
      <li key={label} className="flex items-center gap-1.5">
        <span aria-hidden="true" className={`${color} ${SHAPES[shape]}`} />
        {label}
      </li>
    ))}
    {MARKS.filter((mark) => missing.has(mark)).map((mark) => (
      <li key={mark} className="flex items-center gap-1.5">
        <svg aria-hidden="true" viewBox="0 0 12 10" width={12} height={10}>
          <MissingMark x={6} y={5} missing={mark} width={12} />
        </svg>
        {MISSING_TEXTS[mark]}
      </li>
    ))}
    {children}
  </ul>
)
