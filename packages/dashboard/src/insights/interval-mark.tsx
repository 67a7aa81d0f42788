import type { ChartedMetric, Metric } from "@restwell/client"
import { differenceText, isClear } from "@restwell/client/figures"
import { isWanted } from "./finding-text.ts"
import type { Finding } from "./findings.ts"

/** How far an axis reaches to both sides of no difference. */
export interface Reach {
  readonly difference: number
}

/** Without a spread of the outcome, the axis reaches as far as the intervals do. */
const LEAST_REACH = 1

/**
 * The reach of the axis that all yes/no factors of a page share: one standard deviation of the outcome, or further where an interval goes
 * further.
 */
export function reachOf(spread: number | null, findings: readonly Finding[]): Reach {
  const ends = findings.flatMap(({ difference, interval }) =>
    typeof difference === "number" ? [difference, ...(interval ?? [])].map(Math.abs) : [],
  )
  return { difference: Math.max(spread ?? 0, ...ends) || LEAST_REACH }
}

interface IntervalMarkProps {
  readonly found: Finding
  readonly outcome: Pick<Metric, "better">
  readonly reach: Reach
}

/** The 95 % interval of a relation on a line whose middle is no difference. The sentence beside it has the same figures. */
export function IntervalMark({ found, outcome, reach }: IntervalMarkProps) {
  const { rho, difference, interval } = found
  const value = typeof difference === "number" ? difference : (rho ?? null)
  const most = typeof difference === "number" ? reach.difference : 1
  const share = (each: number): number => 50 + (50 * each) / most
  const color = colorOf(found, outcome)
  return (
    <div aria-hidden="true" className="relative my-1.5 h-5">
      <div className="absolute inset-x-0 top-1/2 h-px bg-line" />
      <div className="absolute inset-y-0 left-1/2 w-px bg-line-strong" />
      {interval && (
        <div
          className={`absolute top-1/2 h-1 -translate-y-1/2 rounded-full ${color.bar}`}
          style={{ left: `${share(interval[0])}%`, right: `${100 - share(interval[1])}%` }}
        />
      )}
      {value !== null && (
        <div
          className={`absolute top-1/2 size-3 -translate-1/2 rounded-full border-2 ${color.dot}`}
          style={{ left: `${share(value)}%` }}
        />
      )}
    </div>
  )
}

const UNCLEAR = { bar: "bg-line-strong", dot: "border-line-strong bg-surface" }
const GOOD = { bar: "bg-good-mark", dot: "border-good-mark bg-good-mark" }
const POOR = { bar: "bg-poor-mark", dot: "border-poor-mark bg-poor-mark" }
const PLAIN = { bar: "bg-accent", dot: "border-accent bg-accent" }

/** A link that is not clear is drawn hollow. */
function colorOf(found: Finding, outcome: Pick<Metric, "better">) {
  if (!isClear(found.verdict)) return UNCLEAR
  const wanted = isWanted(found, outcome)
  if (wanted === undefined) return PLAIN
  return wanted ? GOOD : POOR
}

/** What the two ends of the line mean. */
export const axisText = (outcome: ChartedMetric, { difference }: Reach): string =>
  `The middle of a line means no difference, and the bar is the 95 % interval. A yes/no factor's line reaches ${differenceText(outcome, difference)} to either side, and a correlation's from \u22121 to +1.`
