import type { TrendDay } from "@restwell/client"
import { useMarks } from "../journal/marks-context.ts"
import { positionOf } from "./sparkline.tsx"

/** Marks of the journal below a sparkline: a dot for a yes, a ring for a no. The panel of the journal has them as text. */
export function SparklineMarks({ days }: { days: readonly TrendDay[] }) {
  const marks = useMarks()
  if (!marks) return null
  return (
    <div aria-hidden="true" className="relative mt-1 h-1.5">
      {days.map(({ date }, index) => {
        const answer = marks.answerOn(date)
        return (
          answer && (
            <span
              key={date}
              className={`absolute -translate-x-1/2 rounded-full border ${answer === "yes" ? "size-1.5 border-accent bg-accent" : "top-px size-1 border-line-strong"}`}
              style={{ left: `${positionOf(index, days.length)}%` }}
            />
          )
        )
      })}
    </div>
  )
}
