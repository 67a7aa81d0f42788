import { type Figure, type Metric, numberRelationText } from "@restwell/client"
import { ArrowDown, ArrowUp } from "lucide-react"
import type { ReactNode } from "react"
import { useComparison, useRelation, useTrend } from "../api/insights.ts"
import { usePreferences } from "../api/preferences.ts"
import { capitalized, figure, NONE, plural, sentence } from "../format/number.ts"
import { averageText, type Compared, comparedOf, ofSource, TONE_TEXT } from "../metrics/plain-words.ts"
import type { CardView } from "./period-page.tsx"

interface HeadlineProps {
  readonly metric: Metric
  readonly view: CardView
  /** What the figure is: "average bedtime". */
  readonly name: string
}

/** The average of the period, and its difference from as many days before. All dates have none before them. */
export const Headline = (props: HeadlineProps) =>
  props.view.hasBefore ? <Compare {...props} /> : <Average {...props} />

function Compare({ metric: catalogued, view: { dates, days, version }, name }: HeadlineProps) {
  const preferences = usePreferences()
  const { data, error } = useComparison({ metric: catalogued.id, ...dates }, version)
  if (!data) return <HeadlineFrame>{error && sentence(error.message)}</HeadlineFrame>
  const { period, with: before } = data
  const metric = ofSource(catalogued, data.source.provider)
  return (
    <HeadlineFrame value={averageText(metric, period.mean, preferences)} name={name}>
      <Difference
        {...comparedOf(metric, data, preferences)}
        period={beforeText(days, before.mean === null ? null : averageText(metric, before.mean, preferences))}
      />
    </HeadlineFrame>
  )
}

function Average({ metric, view: { dates, version }, name }: HeadlineProps) {
  const preferences = usePreferences()
  const { data, error } = useTrend({ metric: metric.id, ...dates }, version)
  if (!data) return <HeadlineFrame>{error && sentence(error.message)}</HeadlineFrame>
  return (
    <HeadlineFrame value={averageText(ofSource(metric, data.source.provider), data.mean, preferences)} name={name}>
      Of {plural(data.n, "day")} with a value
    </HeadlineFrame>
  )
}

const [STRAIN, RECOVERY] = [
  { title: "Strain", kind: "number" } as const,
  { title: "Recovery", kind: "number" } as const,
]

/** The strain after high recoveries, beside that after low ones, in thirds of the days. */
export function StrainHeadline({ view: { dates, version } }: Pick<HeadlineProps, "view">) {
  const { data, error } = useRelation({ outcome: "strain", factor: "recovery_score", lag: 0, ...dates }, version)
  if (!data || !("groups" in data)) return <HeadlineFrame>{error && sentence(error.message)}</HeadlineFrame>
  const [low, high] = [data.groups[0], data.groups.at(-1)]
  const words = sentence(numberRelationText(STRAIN, RECOVERY, data))
  if (!low || !high || low === high) return <HeadlineFrame value={NONE}>{words}</HeadlineFrame>
  return (
    <HeadlineFrame value={strainText(high.mean)} name="strain after your highest recoveries">
      {strainText(low.mean)} after your lowest. {words}
    </HeadlineFrame>
  )
}

const strainText = (mean: Figure | null): string => figure(mean === null ? null : Number(mean), 1)

const YEAR = 365

/** "the 30 days before: 70 %" */
function beforeText(days: number, mean: string | null): string {
  const which = days === YEAR ? "the year before" : days === 1 ? "the day before" : `the ${days} days before`
  return mean === null ? which : `${which}: ${mean}`
}

/** "4 points higher than the 30 days before: 70 %" */
const Difference = ({ words, than, direction, tone, period }: Compared & { period: string }) => {
  const Arrow = direction === "up" ? ArrowUp : ArrowDown
  return (
    <>
      <span className={`font-medium ${TONE_TEXT[tone]}`}>
        {direction !== null && <Arrow size={14} aria-hidden="true" className="mr-0.5 inline align-[-2px]" />}
        {capitalized(words)}
      </span>{" "}
      {than} {period}
    </>
  )
}

interface HeadlineFrameProps {
  readonly value?: string
  readonly name?: string
  readonly children: ReactNode
}

/** The figure has its place before it is there, so that the chart below does not move. */
const HeadlineFrame = ({ value = "\u2026", name = "", children }: HeadlineFrameProps) => (
  <div className="mb-3 min-h-16 max-sm:min-h-21">
    <p className="text-3xl font-semibold tracking-tight tabular-nums">
      {value} <span className="text-sm font-normal tracking-normal text-muted">{name}</span>
    </p>
    <p className="text-sm text-muted tabular-nums">{children}</p>
  </div>
)
