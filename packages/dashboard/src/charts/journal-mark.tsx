import { type Marks, markOf } from "../journal/marks.ts"
import type { Bucket } from "../trends/buckets.ts"
import { FLOOR, type XScale } from "./layout.ts"

const RADIUS = 2.5

/** Marks a bucket below the axis: a dot for a yes of the journal, a ring for a no. */
export const JournalMark = ({ x, y = FLOOR + 5.5, answer }: { x: number; y?: number; answer: "yes" | "no" }) => (
  <circle
    cx={x}
    cy={y}
    r={answer === "yes" ? RADIUS : RADIUS - 0.5}
    strokeWidth={1}
    className={answer === "yes" ? "fill-accent stroke-accent" : "fill-none stroke-line-strong"}
  />
)

/** The marks of all buckets below a date axis. */
export const JournalMarks = ({ buckets, x, marks }: { buckets: readonly Bucket[]; x: XScale; marks: Marks }) => (
  <g>
    {buckets.map((bucket) => {
      const answer = markOf(bucket, marks)
      return answer && <JournalMark key={bucket.key} x={x(bucket.key).center} answer={answer} />
    })}
  </g>
)

/** What the marks mean. */
export const JournalLegend = ({ name }: { name: string }) => (
  <>
    {(["yes", "no"] as const).map((answer) => (
      <li key={answer} className="flex items-center gap-1.5">
        <svg aria-hidden="true" viewBox="0 0 8 8" width={8} height={8}>
          <JournalMark x={4} y={4} answer={answer} />
        </svg>
        {name}: {answer}
      </li>
    ))}
  </>
)
