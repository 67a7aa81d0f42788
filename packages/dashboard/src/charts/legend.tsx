import { type Missing, missingText } from "../trends/missing.ts"
import { MissingMark } from "./missing-mark.tsx"

const MARKS = ["pending", "unscorable", "none"] as const

export interface LegendEntry {
  readonly label: string
  /** A background's class. */
  readonly color: string
  readonly shape?: "dot" | "band"
}

/** What the colours mean, and what stands for a missing night. */
export const Legend = ({ entries, missing }: { entries: readonly LegendEntry[]; missing: ReadonlySet<Missing> }) => (
  <ul className="mt-3 flex flex-wrap gap-x-4 gap-y-1 text-xs text-muted">
    {entries.map(({ label, color, shape = "dot" }) => (
      <li key={label} className="flex items-center gap-1.5">
        <span
          aria-hidden="true"
          className={`${color} ${shape === "band" ? "h-2.5 w-4 rounded-sm" : "size-2.5 rounded-full"}`}
        />
        {label}
      </li>
    ))}
    {MARKS.filter((mark) => missing.has(mark)).map((mark) => (
      <li key={mark} className="flex items-center gap-1.5">
        <svg aria-hidden="true" viewBox="0 0 12 10" width={12} height={10}>
          <MissingMark x={6} y={5} missing={mark} width={12} />
        </svg>
        {missingText(mark)}
      </li>
    ))}
  </ul>
)
