import { SERIES_UNITS, type TrendDay } from "@restwell/client"
import { capitalized, figure, formatClock, minutesText, NONE, seriesName, unitText } from "@restwell/client/figures"
import { MINUTE_MS } from "@restwell/client/time-units"
import { Suspense } from "react"
import { type Series, useSeries } from "../api/series.ts"
import type { Clock } from "../charts/axes.tsx"
import { ChartOrTable } from "../charts/chart-panel.tsx"
import {
  drawingHeight,
  type Hours,
  hoursTitle,
  type Moment,
  markedStep,
  momentsOf,
  STEP_MINUTES,
  textClassOf,
} from "../charts/hours.ts"
import type { Curve } from "../charts/line.tsx"
import { phaseLabel, stretchesOf, stretchTimes } from "../charts/phases.ts"
import { type Column, DataTable } from "../components/data-table.tsx"
import { lazyPart } from "../components/error-boundary.tsx"
import { providerName } from "../format/provider-name.ts"
import { lowestOf, meansByStep, middleOf } from "../trends/samples.ts"

type Night = NonNullable<TrendDay["sleep"]>

/** What is measured within a night, and how it is drawn. */
const drawnSeries = (type: "heart_rate" | "hrv", color: Curve["color"]) => ({
  type,
  name: seriesName(type),
  unit: unitText(SERIES_UNITS[type]),
  color,
})

export const HEART_RATE = drawnSeries("heart_rate", { stroke: "stroke-heart", fill: "fill-heart" })
const HRV = drawnSeries("hrv", { stroke: "stroke-hrv", fill: "fill-hrv" })

interface NightQuestion {
  readonly night: Night | null
  /** From `dataVersion`. */
  readonly version: string
  /** Another source may have the values that the night's own has not. */
  readonly hasSeveralSources: boolean
}

/** Reads the phases and the curves of a night. Undefined without a night, and where no source has either. */
export function useNightHours(question: NightQuestion): Hours | undefined {
  const { night } = question
  const curves = [useCurve(HEART_RATE, question), useCurve(HRV, question)].filter((curve) => curve !== undefined)
  if (!night || (!night.course && curves.length === 0)) return undefined
  const { course, start_minutes: start, end_minutes: end } = night
  return { start, end, curves, stretches: course ? stretchesOf(course, start, end) : [] }
}

function useCurve(
  measured: typeof HEART_RATE,
  { night, version, hasSeveralSources }: NightQuestion,
): Curve | undefined {
  const question = night ? { type: measured.type, start: night.start, end: night.end } : undefined
  const { data, isPending } = useSeries(question, version)
  if (!night) return undefined
  // A source with phases has values too, and so do most second sources. Their place is kept, so that nothing moves when they arrive.
  if (!data) return isPending && (night.course || hasSeveralSources) ? { ...measured, values: [] } : undefined
  return data.samples.length === 0 ? undefined : { ...measured, ...valuesOf(night, data, measured === HEART_RATE) }
}

function valuesOf(night: Night, { samples, source }: Series, isLowestMarked: boolean) {
  const [startMs, endMs] = [Date.parse(night.start), Date.parse(night.end)]
  const within = samples.filter((sample) => middleOf(sample) >= startMs && middleOf(sample) < endMs)
  const lowest = isLowestMarked ? lowestOf(within) : undefined
  return {
    values: meansByStep(samples, { startMs, endMs, stepMs: STEP_MINUTES * MINUTE_MS }),
    from: source === night.source ? undefined : providerName(source),
    mark: lowest && { minutes: night.start_minutes + (middleOf(lowest) - startMs) / MINUTE_MS, value: lowest.low },
  }
}

/** "Lowest heart rate 41 bpm at 04:12", at the step that the chart reads. Undefined without values. */
export function lowestText(hours: Hours, clock: Clock): string | undefined {
  const { start, stepMinutes = STEP_MINUTES, curves } = hours
  const curve = curves.find(({ mark }) => mark)
  const step = curve && markedStep(hours, curve)
  if (!curve?.mark || step === undefined) return undefined
  const at = formatClock(start + step * stepMinutes, clock)
  return `Lowest ${curve.name} ${figure(curve.mark.value)} ${curve.unit} at ${at}`
}

/** It loads once a day is there, so that it does not delay the figures. */
const HoursDrawing = lazyPart(() => import("../charts/hours-chart.tsx"))

/** As high as the drawing with the line of text above it. */
const DrawingSkeleton = ({ hours }: { hours: Hours }) => (
  <div role="status" aria-label="Loading the drawing">
    <div className={textClassOf(hours)} />
    <div className="animate-pulse rounded-lg bg-raised" style={{ height: drawingHeight(hours) }} />
  </div>
)

interface HoursViewProps {
  readonly hours: Hours
  readonly clock: Clock
}

/** Some hours, as a chart or a table. */
export function HoursView({ hours, clock }: HoursViewProps) {
  const Table = hours.curves.length > 0 ? ValueTable : PhaseTable
  return (
    <div className="mb-4">
      <ChartOrTable
        title={hoursTitle(hours)}
        chart={
          <Suspense fallback={<DrawingSkeleton hours={hours} />}>
            <HoursDrawing hours={hours} clock={clock} />
          </Suspense>
        }
        table={<Table hours={hours} clock={clock} />}
      />
    </div>
  )
}

const PhaseTable = ({ hours, clock }: HoursViewProps) => (
  <DataTable
    caption={hoursTitle(hours)}
    rowHeader="Time"
    rows={(hours.stretches ?? []).map((stretch) => ({
      ...stretch,
      key: String(stretch.from),
      label: stretchTimes(stretch, clock),
    }))}
    columns={[
      { header: "Phase", cell: phaseLabel },
      { header: "Duration", cell: ({ from, to }) => minutesText(to - from) },
    ]}
  />
)

const PHASE: Column<Moment> = { header: "Phase", cell: ({ stretch }) => (stretch ? phaseLabel(stretch) : NONE) }
const WORKOUT: Column<Moment> = { header: "Workout", cell: ({ workout }) => workout?.label ?? "" }

const ValueTable = ({ hours, clock }: HoursViewProps) => (
  <DataTable
    caption={hoursTitle(hours)}
    rowHeader="Time"
    rows={momentsOf(hours).map((moment) => ({
      ...moment,
      key: String(moment.step),
      label: formatClock(moment.from, clock),
    }))}
    columns={[
      ...(hours.stretches?.length ? [PHASE] : []),
      ...hours.curves.map(({ name, unit }, index) => ({
        header: `${capitalized(name)}, ${unit}`,
        cell: ({ values }: Moment) => figure(values[index] ?? null),
      })),
      ...(hours.workouts?.length ? [WORKOUT] : []),
    ]}
  />
)
