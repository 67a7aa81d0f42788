import type { TrendDay } from "@restwell/client"
import { bareText, capitalized, labelOf, positionWord, usualRangeText, writtenUnit } from "@restwell/client/figures"
import { Panel } from "../components/page.tsx"
import { HistoryLink } from "../metrics/history-link.tsx"
import { FIGURES } from "../trends/figures.ts"
import type { DayProps } from "./day.tsx"
import { RangeMeter } from "./range-meter.tsx"
import { type Reason, reasonsOf } from "./why.ts"

interface WhyPanelProps extends DayProps {
  readonly before: readonly TrendDay[]
}

/** What a score stands beside, the least favourable first. Nothing for a day without a score. */
export function WhyPanel({ day, before }: WhyPanelProps) {
  const reasons = reasonsOf(day, before)
  if (FIGURES.recovery(day).value === null || reasons.length === 0) return null
  return (
    <Panel
      title="Why"
      description="Beside what is usual for you, the least favourable first. How much each counts is your device's own."
    >
      <ul className="grid grid-cols-2 gap-x-4 gap-y-3">
        {reasons.map((reason) => (
          <ReasonItem key={reason.id} reason={reason} />
        ))}
      </ul>
    </Panel>
  )
}

const ReasonItem = ({ reason }: { reason: Reason }) => {
  const { id, metric, value, band, position, isOfDayBefore } = reason
  return (
    <li className="relative flex min-w-0 flex-col">
      <h3 className="text-sm text-muted">
        <HistoryLink metric={id}>{isOfDayBefore ? `${labelOf(metric)}, the day before` : labelOf(metric)}</HistoryLink>
      </h3>
      <p className="mt-auto font-semibold tabular-nums">
        {bareText(metric, value)} <span className="text-sm font-normal text-muted">{writtenUnit(metric)}</span>
      </p>
      <RangeMeter value={value} band={band} />
      <p className="mt-1 text-xs text-muted tabular-nums">
        {capitalized(positionWord(metric, position))} usual {usualRangeText(metric, band)}
      </p>
    </li>
  )
}
