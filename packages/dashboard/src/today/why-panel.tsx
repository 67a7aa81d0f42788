import type { TrendDay } from "@restwell/client"
import {
  bareText,
  capitalized,
  figure,
  labelOf,
  positionWord,
  recoveryTitle,
  usualRangeText,
  writtenUnit,
} from "@restwell/client/figures"
import { Panel } from "../components/page.tsx"
import { providerName } from "../format/provider-name.ts"
import { HistoryLink } from "../metrics/history-link.tsx"
import { FIGURES } from "../trends/figures.ts"
import { recoveryBackground } from "../trends/recovery-band.ts"
import type { DayProps } from "./day.tsx"
import { RangeMeter } from "./range-meter.tsx"
import type { ScoreParts } from "./score-parts.ts"
import { type Reason, reasonsOf } from "./why.ts"

interface WhyPanelProps extends DayProps {
  readonly before: readonly TrendDay[]
  /** What the vendor says that the scores are made of. */
  readonly scoreParts: readonly ScoreParts[]
  /** What the sleep need is made of. Undefined where the vendor does not say. */
  readonly need: string | undefined
}

/** The figures that stand beside a score whose parts the vendor does not say. */
export function shownReasons(day: TrendDay, before: readonly TrendDay[], scoreParts: readonly ScoreParts[]): Reason[] {
  const isExplained = scoreParts.some(({ title }) => title === recoveryTitle(day.recovery?.source ?? null))
  return isExplained || FIGURES.recovery(day).value === null ? [] : reasonsOf(day, before)
}

/**
 * What the vendor says that the scores are made of, and where it does not say it of the morning, the figures that stand beside its score.
 * The least favourable first. Nothing for a day without either.
 */
export function WhyPanel({ day, before, scoreParts, need }: WhyPanelProps) {
  const reasons = shownReasons(day, before, scoreParts)
  if (reasons.length === 0 && scoreParts.length === 0) return null
  return (
    <Panel
      title="Why"
      description={
        reasons.length > 0
          ? "Beside what is usual for you, the least favourable first. How much each counts is your device's own."
          : "What your device says its scores are made of, the lowest first. How much each part counts is its own."
      }
    >
      {reasons.length > 0 && (
        <ul className="grid grid-cols-2 gap-x-4 gap-y-3">
          {reasons.map((reason) => (
            <ReasonItem key={reason.id} reason={reason} />
          ))}
        </ul>
      )}
      {scoreParts.map((score, index) => (
        <PartsOfScore key={score.title} score={score} isFirst={index === 0 && reasons.length === 0} />
      ))}
      {need !== undefined && <p className="mt-4 text-sm text-muted tabular-nums">Sleep need: {need}</p>}
    </Panel>
  )
}

/** The parts of a score as bars from 0 to 100. */
const PartsOfScore = ({ score, isFirst }: { score: ScoreParts; isFirst: boolean }) => (
  <section className={isFirst ? "" : "mt-5"}>
    <h3 className="text-sm font-semibold">
      {score.title}, from {providerName(score.source)}
    </h3>
    <ul className="mt-2 grid grid-cols-2 gap-x-4 gap-y-3">
      {score.parts.map(({ name, title, value, unit, word }) => (
        <li key={name} className="flex min-w-0 flex-col">
          <h4 className="text-sm text-muted">{title}</h4>
          <p className="mt-auto font-semibold tabular-nums">
            {figure(value)}
            {unit !== "" && ` ${unit}`}
            {word !== undefined && <span className="text-sm font-normal text-muted"> {word}</span>}
          </p>
          <div aria-hidden="true" className="mt-1.5 h-2 overflow-hidden rounded-full bg-raised">
            <div
              className={`h-full rounded-full ${word === undefined ? "bg-accent" : recoveryBackground(value, score.source)}`}
              style={{ width: `${Math.min(Math.max(value, 0), 100)}%` }}
            />
          </div>
        </li>
      ))}
    </ul>
  </section>
)

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
