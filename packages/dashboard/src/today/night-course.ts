import type { TrendDay } from "@restwell/client"
import { type Series, useSeries } from "../api/series.ts"
import type { Curve } from "../charts/curve.tsx"
import { type Hours, STEP_MINUTES } from "../charts/hours-chart.tsx"
import type { Clock } from "../charts/time-axis.tsx"
import { figure } from "../format/number.ts"
import { formatClock } from "../format/preferred.ts"
import { providerName } from "../format/provider-name.ts"
import { lowestOf, MINUTE_MS, meansByStep } from "../trends/samples.ts"
import { stretchesOf } from "../trends/sleep-phases.ts"

type Night = NonNullable<TrendDay["sleep"]>

export const HEART_RATE = {
  type: "heart_rate",
  name: "heart rate",
  unit: "bpm",
  color: { stroke: "stroke-heart", fill: "fill-heart" },
} as const
const HRV = { type: "hrv", name: "HRV", unit: "ms", color: { stroke: "stroke-hrv", fill: "fill-hrv" } } as const

/** Reads the phases and the curves of a night. Undefined without a night, and of a source that has neither. @param version from `dataVersion` */
export function useNightHours(night: Night | null, version: string): Hours | undefined {
  const curves = [useCurve(night, HEART_RATE, version), useCurve(night, HRV, version)].filter(
    (curve) => curve !== undefined,
  )
  if (!night || (!night.course && curves.length === 0)) return undefined
  const { course, start_minutes: start, end_minutes: end } = night
  return { start, end, curves, stretches: course ? stretchesOf(course, start, end) : [] }
}

function useCurve(night: Night | null, measured: typeof HEART_RATE | typeof HRV, version: string): Curve | undefined {
  const question = night ? { type: measured.type, start: night.start, end: night.end } : undefined
  const { data, isPending } = useSeries(question, version)
  if (!night) return undefined
  // A source with phases has values too. Their place is kept, so that nothing moves when they arrive.
  if (!data) return isPending && night.course ? { ...measured, values: [] } : undefined
  return data.samples.length === 0 ? undefined : { ...measured, ...valuesOf(night, data, measured === HEART_RATE) }
}

function valuesOf(night: Night, { samples, source }: Series, isLowestMarked: boolean) {
  const [startMs, endMs] = [Date.parse(night.start), Date.parse(night.end)]
  const lowest = isLowestMarked ? lowestOf(samples) : undefined
  return {
    values: meansByStep(samples, { startMs, endMs, stepMs: STEP_MINUTES * MINUTE_MS }),
    from: source === night.source ? undefined : providerName(source),
    mark: lowest && { minutes: night.start_minutes + (lowest.atMs - startMs) / MINUTE_MS, value: lowest.low },
  }
}

/** "Lowest heart rate 41 bpm at 04:12". Undefined without values. */
export function lowestText({ curves }: Hours, clock: Clock): string | undefined {
  const curve = curves.find(({ mark }) => mark)
  if (!curve?.mark) return undefined
  return `Lowest ${curve.name} ${figure(curve.mark.value)} ${curve.unit} at ${formatClock(curve.mark.minutes, clock)}`
}
