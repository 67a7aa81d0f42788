import type { ReactNode } from "react"
import { MISSING_TEXTS, type Missing } from "../trends/missing.ts"
import { MissingMark } from "./missing-mark.tsx"

const MARKS = ["pending", "unscorable", "none"] as const

/** Classes of the mark beside a label. */
const SHAPES = {
  dot: "size-2.5 rounded-full",
  band: "h-2.5 w-4 rounded-sm",
  line: "h-3 border-l border-dashed",
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
