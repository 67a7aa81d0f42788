import type { ChartedMetric, DisplayPreferences, MetricId, TrendDay } from "@restwell/client"
import {
  bareText,
  besideUsual,
  labelOf,
  metricNamed,
  positionWord,
  temperatureText,
  usualRangeText,
  writtenUnit,
} from "@restwell/client/figures"
import { MISSING_TEXTS, type Missing } from "../format/number.ts"
import { HistoryLink } from "../metrics/history-link.tsx"
import { FIGURES, type Figure } from "../trends/figures.ts"
import { type DayProps, FromSource } from "./day.tsx"

type Band = TrendDay["hrv_band"]

/** A measurement of the night with a usual range, in the person's units. */
export interface Measurement {
  readonly id: MetricId
  readonly metric: ChartedMetric
  readonly of: keyof typeof FIGURES
  /** Text colour class of its line. */
  readonly color: string
  /** The person's usual range on a day. */
  readonly bandOf: (day: TrendDay) => Band
  /** Text after the usual range. */
  readonly note?: (day: TrendDay) => string | undefined
}

/** The measurements of a night, in the person's units. */
export const measurementsIn = (units: DisplayPreferences["units"]): readonly Measurement[] => {
  const of = (id: MetricId) => ({ id, metric: { ...metricNamed(id), units } })
  return [
    { ...of("hrv"), of: "hrv", color: "text-hrv", bandOf: (day) => day.hrv_band },
    {
      ...of("resting_heart_rate"),
      of: "restingHeartRate",
      color: "text-heart",
      bandOf: (day) => day.resting_heart_rate_band,
    },
    { ...of("spo2"), of: "spo2", color: "text-strain", bandOf: (day) => day.spo2_band },
    {
      ...of("skin_temp_deviation"),
      of: "skinTempDeviation",
      color: "text-fair",
      bandOf: (day) => day.skin_temp_deviation_band,
      note: ({ recovery }) =>
        recovery?.skin_temp_celsius == null
          ? undefined
          : `measured ${temperatureText(recovery.skin_temp_celsius, units)}`,
    },
    {
      ...of("respiratory_rate"),
      of: "respiratoryRate",
      color: "text-rem",
      bandOf: (day) => day.respiratory_rate_band,
    },
  ]
}

const figureOn = ({ of }: Measurement, day: TrendDay): Figure => FIGURES[of](day)

/** A figure of the day with its usual range. */
type DatedFigure = Figure & { readonly band: Band }

/** The figure of the shown day: the one of the night's source, or else of another source that measured it. */
export function figureOfDay(
  measurement: Measurement,
  { day, figures }: Pick<DayProps, "day" | "figures">,
): DatedFigure {
  const own = figureOn(measurement, day)
  const other = figures.find(({ metric }) => metric === measurement.id)
  if (own.value !== null || own.missing === "pending" || typeof other?.value !== "number")
    return { ...own, band: measurement.bandOf(day) }
  const { value, source, usual } = other
  const band =
    typeof usual?.low === "number" && typeof usual.high === "number" ? { low: usual.low, high: usual.high } : null
  return { value, missing: null, source, isOpen: false, band }
}

/** The measurements that the last days or another source have. Others are no empty boxes. */
export const measuredIn = ({ days, ...props }: VitalsProps): readonly Measurement[] =>
  measurementsIn(props.preferences.units).filter(
    (one) => days.some((each) => figureOn(one, each).value !== null) || figureOfDay(one, props).value !== null,
  )

const WIDTH = 120
const HEIGHT = 32
const PAD = 3

interface SparklineProps {
  readonly figures: readonly Figure[]
  /** The usual range on each of the same days. */
  readonly bands: readonly Band[]
  readonly color: string
}

/** A small line of the last days over the usual range. Days without a value are gaps, and the line breaks where the source changes. */
function Sparkline({ figures, bands, color }: SparklineProps) {
  const known = [
    ...figures.flatMap(({ value }) => (value === null ? [] : [value])),
    ...bands.flatMap((band) => (band === null ? [] : [band.low, band.high])),
  ]
  const low = Math.min(...known)
  const high = Math.max(...known)
  const x = (index: number) => PAD + (index / Math.max(figures.length - 1, 1)) * (WIDTH - 2 * PAD)
  const y = (value: number) => HEIGHT - PAD - ((value - low) / (high - low || 1)) * (HEIGHT - 2 * PAD)
  const last = figures.at(-1)?.value ?? null
  return (
    <svg
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      aria-hidden="true"
      className={`mt-auto h-8 w-full pt-1 ${color}`}
    >
      <path d={bandPathOf(figures, bands, x, y)} className="fill-band" />
      <path
        d={pathOf(figures, x, y)}
        fill="none"
        stroke="currentColor"
        strokeWidth={1.5}
        strokeLinecap="round"
        strokeLinejoin="round"
        vectorEffect="non-scaling-stroke"
      />
      {last !== null && (
        <path
          d={`M${x(figures.length - 1)} ${y(last)}h0`}
          stroke="currentColor"
          strokeWidth={5}
          strokeLinecap="round"
          vectorEffect="non-scaling-stroke"
        />
      )}
    </svg>
  )
}

type Scale = (of: number) => number

function pathOf(figures: readonly Figure[], x: Scale, y: Scale): string {
  let path = ""
  let last: string | null | undefined
  for (const [index, { value, source }] of figures.entries()) {
    if (value !== null) path += `${source === last ? "L" : "M"}${x(index).toFixed(1)} ${y(value).toFixed(1)}`
    last = value === null ? undefined : source
  }
  return path
}

/** An area for each run of days with a range of one source. A day without a value continues the range before it. */
function bandPathOf(figures: readonly Figure[], bands: readonly Band[], x: Scale, y: Scale): string {
  const runs: { readonly index: number; readonly low: number; readonly high: number }[][] = []
  let source: string | null = null
  let isOpen = false
  for (const [index, band] of bands.entries()) {
    const own: string | null = figures[index]?.source ?? source
    if (band && isOpen && own === source) runs.at(-1)?.push({ index, ...band })
    else if (band) runs.push([{ index, ...band }])
    source = own
    isOpen = band !== null
  }
  const point = (index: number, value: number) => `${x(index).toFixed(1)} ${y(value).toFixed(1)}`
  return runs
    .map((run) => {
      const upper = run.map(({ index, high }) => point(index, high))
      const lower = run.toReversed().map(({ index, low }) => point(index, low))
      return `M${[...upper, ...lower].join("L")}Z`
    })
    .join("")
}

interface VitalsProps extends DayProps {
  readonly days: readonly TrendDay[]
}

/** Measurements of the night, each with its last two weeks. */
export function Vitals(props: VitalsProps) {
  const measured = measuredIn(props)
  if (measured.length === 0) return null
  return (
    <ul className="grid grid-cols-2 gap-3 sm:gap-4">
      {measured.map((measurement) => (
        <VitalTile key={measurement.metric.id} measurement={measurement} {...props} />
      ))}
    </ul>
  )
}

function VitalTile({ measurement, ...props }: VitalsProps & { readonly measurement: Measurement }) {
  const { day, days, awaited, namesSources } = props
  const { value, missing, source, isOpen, band } = figureOfDay(measurement, props)
  const figures = days.map((each) => figureOn(measurement, each))
  return (
    <li className="relative flex min-w-0 flex-col rounded-2xl border border-line bg-surface p-4 last:odd:col-span-2">
      <h3 className="text-sm text-muted">
        <HistoryLink metric={measurement.id}>{labelOf(measurement.metric)}</HistoryLink>
      </h3>
      <p className="mt-1 text-2xl font-semibold tracking-tight tabular-nums">
        {bareText(measurement.metric, value)}
        {value !== null && (
          <span className="ml-1 text-sm font-normal tracking-normal text-muted">{writtenUnit(measurement.metric)}</span>
        )}
      </p>
      <div className={`text-xs text-muted ${namesSources ? "min-h-12" : "min-h-8"}`}>
        <p>
          {missing !== null
            ? missingText(missing, awaited.has(measurement.id === "respiratory_rate" ? "sleep" : "recovery"))
            : isOpen
              ? "so far"
              : noteOf(measurement, day, { value, band })}
        </p>
        {namesSources && value !== null && source !== null && (
          <p>
            <FromSource source={source} />
          </p>
        )}
      </div>
      {figures.some((each) => each.value !== null) && (
        <Sparkline figures={figures} bands={days.map(measurement.bandOf)} color={measurement.color} />
      )}
    </li>
  )
}

/** @param mayCome whether a value may still come */
const missingText = (missing: Missing, mayCome: boolean): string =>
  MISSING_TEXTS[missing === "none" && mayCome ? "pending" : missing]

function noteOf(measurement: Measurement, day: TrendDay, { value, band }: { value: number; band: Band }): string {
  // Of the night's own source, as its figure.
  const note = figureOn(measurement, day).value === null ? undefined : measurement.note?.(day)
  const usual = usualText(measurement, band, value)
  return note === undefined ? usual : `${usual}, ${note}`
}

function usualText(measurement: Measurement, band: Band, value: number): string {
  if (!band) return "no usual range yet"
  const position = besideUsual(value, band)
  const word = positionWord(measurement.metric, position)
  return `${word} your usual ${position === "within" ? "range, " : ""}${usualRangeText(measurement.metric, band)}`
}
