import {
  type DisplayPreferences,
  type MetricId,
  type PeriodFigure,
  type RelateResponse,
  TREND_CARDS,
  type TrendCardId,
} from "@restwell/client"
import {
  figure,
  inSentence,
  labelOf,
  metricNamed,
  recoveryTitle,
  signed,
  tickTextOf,
  unitOf,
  writtenUnit,
} from "@restwell/client/figures"
import type { ReactNode } from "react"
import { type CardChoice, usePreferences } from "../api/preferences.ts"
import type { ChartFrame } from "../charts/chart-panel.tsx"
import { ColumnChart, LineChart, StrainRecoveryChart } from "../charts/figure-charts.tsx"
import { ticksUpTo } from "../charts/layout.ts"
import { StagesChart, TimingChart } from "../charts/sleep-charts.tsx"
import { sourceWords } from "../components/only-source.tsx"
import { CardDetails, ChangeHeadline, Headline, metricHref, StrainHeadline } from "../insights/headline.tsx"
import { TrendPanel } from "../insights/trend-details.tsx"
import { MEASURED_NOW_AND_THEN } from "../metrics/trend-chart.tsx"
import { GRAIN_WORDS, type Period } from "../trends/days.ts"
import { FIGURES, MAX_STRAIN, meanOf, multiplied } from "../trends/figures.ts"
import { recoveryFill, recoveryScale, scoreAndBand } from "../trends/recovery-band.ts"
import { type DrawnMetric, isDrawn, ownView } from "./own-days.ts"
import type { CardView } from "./period-page.tsx"
import { StepsByHour } from "./steps-by-hour.tsx"

/** The card of two metrics. Every other card has the id of its metric. */
const STRAIN_AND_RECOVERY = "strain_and_recovery"

/** The cards with values, in their usual order. @param figures undefined where the service computes none. Then every card stays */
export function availableCards(figures: readonly PeriodFigure[] | undefined): readonly TrendCardId[] {
  if (!figures) return TREND_CARDS.filter((id) => !isMeasured(id))
  const hasValues = (id: string) => figures.some(({ metric }) => metric.id === id)
  return TREND_CARDS.filter((id) =>
    id === STRAIN_AND_RECOVERY ? hasValues("strain") && hasValues("recovery_score") : hasValues(id),
  )
}

/** All cards in the person's order. Those that a newer version brought come last. */
export const inChosenOrder = ({ trend_cards: order }: CardChoice): TrendCardId[] => [
  ...new Set([...(order ?? []), ...TREND_CARDS]),
]

/** The cards of the page: with values, in the person's order, and not hidden. */
export function cardsOf(figures: readonly PeriodFigure[] | undefined, chosen: CardChoice): TrendCardId[] {
  const available = availableCards(figures)
  return inChosenOrder(chosen).filter((id) => available.includes(id) && !chosen.hidden_cards?.includes(id))
}

interface DrawingProps {
  readonly view: CardView
  readonly units: DisplayPreferences["units"]
  readonly frame: ChartFrame
}

interface Drawing {
  /** What the values are, after "Daily" or "Weekly average". Oura's recovery is its readiness. */
  readonly noun: string | ((view: CardView) => string)
  readonly note?: string
  /** What the average is. @default "average" */
  readonly average?: string
  readonly draw: (props: DrawingProps) => ReactNode
  /** More in the details. */
  readonly details?: (view: CardView) => ReactNode
}

/** Cards that are about more than one metric have titles of their own. */
const OWN_TITLES: Readonly<Record<string, string>> = {
  asleep: "Sleep stages",
  bedtime: "Sleep timing",
  [STRAIN_AND_RECOVERY]: "Strain against recovery",
}

/** The title of a card. */
export const cardTitle = (id: TrendCardId): string => OWN_TITLES[id] ?? labelOf(metricNamed(id))

/** Values that come now and then. Their cards are drawn from the statistics, because no day has a record of them. */
type MeasuredId = (typeof MEASURED_NOW_AND_THEN)[number]
const isMeasured = (id: TrendCardId): id is MeasuredId => MEASURED_NOW_AND_THEN.some((each) => each === id)

const recoverySource = ({ days }: CardView["buckets"][number]) => meanOf(days, FIGURES.recovery).source

const recoveryTitleOf = ({ buckets }: CardView) =>
  recoveryTitle(buckets.map(recoverySource).findLast((source) => source !== null) ?? null)

/** Marks of the axis of values that are in the written unit already. */
const tickOf = (id: MetricId) => tickTextOf(metricNamed(id))

/** The chart of each card that has one metric of each day. */
const DRAWINGS: Readonly<Record<Exclude<TrendCardId, typeof STRAIN_AND_RECOVERY | MeasuredId>, Drawing>> = {
  recovery_score: {
    noun: (view) => recoveryTitleOf(view).toLowerCase(),
    draw: ({ view, frame }) => (
      <ColumnChart
        title={recoveryTitleOf(view)}
        frame={frame}
        buckets={view.buckets}
        figureOf={FIGURES.recovery}
        text={scoreAndBand}
        fillOf={recoveryFill}
        {...recoveryScale(view.buckets.map(recoverySource))}
      />
    ),
  },
  hrv: {
    noun: "HRV at night",
    draw: ({ view: { buckets }, frame }) => (
      <LineChart
        title={cardTitle("hrv")}
        frame={frame}
        unit={writtenUnit(metricNamed("hrv"))}
        text={figure}
        tick={tickOf("hrv")}
        buckets={buckets}
        figureOf={FIGURES.hrv}
        bandOf={(day) => day.hrv_band}
        color={{ stroke: "stroke-hrv", fill: "fill-hrv", background: "bg-hrv" }}
      />
    ),
  },
  resting_heart_rate: {
    noun: "resting heart rate",
    draw: ({ view: { buckets }, frame }) => (
      <LineChart
        title={cardTitle("resting_heart_rate")}
        frame={frame}
        unit={writtenUnit(metricNamed("resting_heart_rate"))}
        text={figure}
        tick={tickOf("resting_heart_rate")}
        buckets={buckets}
        figureOf={FIGURES.restingHeartRate}
        bandOf={(day) => day.resting_heart_rate_band}
        color={{ stroke: "stroke-heart", fill: "fill-heart", background: "bg-heart" }}
      />
    ),
  },
  asleep: {
    noun: "time asleep, by sleep stage",
    average: "asleep on average",
    draw: ({ view: { buckets }, frame }) => <StagesChart buckets={buckets} frame={frame} />,
  },
  bedtime: {
    noun: "bedtime and wake time",
    average: "average bedtime",
    draw: ({ view: { buckets }, frame }) => <TimingChart buckets={buckets} frame={frame} />,
  },
  strain: {
    noun: "strain, 0 to 21",
    draw: ({ view: { buckets }, frame }) => (
      <ColumnChart
        title={cardTitle("strain")}
        frame={frame}
        buckets={buckets}
        figureOf={FIGURES.strain}
        text={(strain) => figure(strain, 1)}
        fillOf={() => "fill-strain"}
        ticks={[0, 7, 14, MAX_STRAIN]}
        legend={[{ label: cardTitle("strain"), color: "bg-strain" }]}
      />
    ),
  },
  steps: {
    noun: "steps",
    details: (view) => <StepsByHour view={view} />,
    draw: ({ view: { buckets }, frame }) => (
      <ColumnChart
        title={cardTitle("steps")}
        frame={frame}
        buckets={buckets}
        figureOf={FIGURES.steps}
        text={(steps) => figure(steps)}
        fillOf={() => "fill-strain"}
        ticks={ticksUpTo(buckets.map(({ days }) => meanOf(days, FIGURES.steps).value ?? 0))}
        legend={[{ label: cardTitle("steps"), color: "bg-strain" }]}
      />
    ),
  },
  skin_temp_deviation: {
    noun: "skin temperature",
    note: "difference from your previous 30 nights",
    // After "about zero" too.
    average: "on average",
    draw: ({ view: { buckets }, units, frame }) => {
      const metric = { ...metricNamed("skin_temp_deviation"), units }
      const { factor } = unitOf(metric)
      return (
        <LineChart
          title={cardTitle("skin_temp_deviation")}
          frame={frame}
          unit={writtenUnit(metric)}
          text={signed}
          tick={tickOf("skin_temp_deviation")}
          buckets={buckets}
          figureOf={multiplied(FIGURES.skinTempDeviation, factor)}
          color={{ stroke: "stroke-fair", fill: "fill-fair", background: "bg-fair" }}
        />
      )
    },
  },
}

interface TrendCardProps {
  readonly id: TrendCardId
  /** Undefined where the service computes no statistics: then the card is its chart alone. */
  readonly figures: readonly PeriodFigure[] | undefined
  readonly strainByRecovery: RelateResponse | null
  readonly view: CardView
  readonly period: Period
  /** The chart alone, as on paper. @default false */
  readonly isPlain?: boolean
}

/** The metrics that a card is drawn from, of days. */
const drawnIn = (id: TrendCardId): readonly DrawnMetric[] =>
  id === STRAIN_AND_RECOVERY ? ["recovery_score", "strain"] : isDrawn(id) ? [id] : []

/** The answer that a metric of a card is drawn from: the source of its comparison, where the card has one. */
function drawnAnswer({ id, figures, isPlain = false }: TrendCardProps, metric: string) {
  const figure = figures?.find((each) => each.metric.id === metric)
  const isCompared = !isPlain && id !== STRAIN_AND_RECOVERY && !isMeasured(id)
  return figure && ((isCompared && figure.comparison) || figure.trend)
}

/** "Daily recovery, from WHOOP", and of two metrics with two sources "recovery from Oura, strain from WHOOP". */
function describedCard(props: TrendCardProps, what: string): string {
  const metrics = props.id === STRAIN_AND_RECOVERY ? drawnIn(props.id) : [props.id]
  const sourced = metrics.flatMap((metric) => {
    const answer = drawnAnswer(props, metric)
    const words = answer && sourceWords(answer)
    return words === undefined ? [] : [{ metric, words }]
  })
  const [first] = sourced
  if (!first) return what
  const isOne = sourced.every(({ words }) => words === first.words)
  return `${what}, ${isOne ? first.words : sourced.map(({ metric, words }) => `${inSentence(metricNamed(metric).title)} ${words}`).join(", ")}`
}

/** One card of Trends: its figure, its chart, and closed details. */
export function TrendCard(props: TrendCardProps) {
  const { id, view } = props
  const drawn = drawnIn(id).flatMap((metric) => {
    const answer = drawnAnswer(props, metric)
    return answer ? [{ id: metric, source: answer.source.provider }] : []
  })
  return (
    <div className="grid grid-cols-1 break-inside-avoid">
      <Card {...props} view={ownView(view, drawn)} />
    </div>
  )
}

function Card(props: TrendCardProps) {
  const { id, figures, strainByRecovery, view, period, isPlain = false } = props
  const { units } = usePreferences()
  if (id === STRAIN_AND_RECOVERY)
    return (
      <StrainRecoveryChart
        buckets={view.buckets}
        frame={{
          description: `${describedCard(props, `A dot for each ${view.grain}`)}. Further right is a higher recovery, further up is more strain.`,
          headline: !isPlain && figures && strainByRecovery && <StrainHeadline answer={strainByRecovery} />,
        }}
      />
    )
  const figure = figures?.find(({ metric }) => metric.id === id)
  const { noun, note, average = "average", draw, details } = isMeasured(id) ? measured(id, figure) : DRAWINGS[id]
  // "Weekly average recovery"
  const name = typeof noun === "string" ? noun : noun(view)
  const description = describedCard(props, `${GRAIN_WORDS[view.grain]} ${name}${note === undefined ? "" : `, ${note}`}`)
  if (!figure || isPlain) return draw({ view, units, frame: { description } })
  const headline = <Headline figure={figure} days={view.days} name={average} />
  const footer = (
    <CardDetails figure={figure} href={metricHref(figure.metric, period)}>
      {details?.(view)}
    </CardDetails>
  )
  return draw({ view, units, frame: { description, headline, footer } })
}

function measured(id: MeasuredId, figure: PeriodFigure | undefined): Drawing {
  return {
    noun: cardTitle(id).toLowerCase(),
    draw: ({ frame }) => figure && <MeasuredCard figure={figure} frame={frame} />,
  }
}

const MeasuredCard = ({ figure: { metric, trend }, frame }: { figure: PeriodFigure; frame: ChartFrame }) => (
  <TrendPanel
    title={metric.title}
    metric={metric}
    answer={trend}
    {...frame}
    {...(frame.headline !== undefined && { headline: <ChangeHeadline metric={metric} answer={trend} /> })}
  />
)
