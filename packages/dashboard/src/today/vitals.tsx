import type { TrendDay } from "@restwell/client"
import { useMarks } from "../charts/journal-marks.tsx"
import { figure, MISSING_TEXTS, signed } from "../format/number.ts"
import { FIGURES, type Figure } from "../trends/figures.ts"
import { type DayProps, FromSource } from "./day.tsx"

const WIDTH = 120
const HEIGHT = 32
const PAD = 3

/** Where a day is, percent of the width. */
const positionOf = (index: number, count: number): number =>
  ((PAD + (index / Math.max(count - 1, 1)) * (WIDTH - 2 * PAD)) / WIDTH) * 100

type Band = TrendDay["hrv_band"]

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

/** Marks of the journal below a sparkline: a dot for a yes, a ring for a no. The panel of the journal has them as text. */
function SparklineMarks({ days }: { days: readonly TrendDay[] }) {
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

interface Vital {
  readonly label: string
  readonly unit: string
  readonly of: keyof typeof FIGURES
  readonly text: (value: number | null) => string
  readonly color: string
  /** The person's usual range on a day. */
  readonly bandOf: (day: TrendDay) => Band
  /** Text after the usual range. */
  readonly note?: (day: TrendDay) => string | undefined
}

const VITALS: readonly Vital[] = [
  {
    label: "Heart rate variability",
    unit: "ms",
    of: "hrv",
    text: figure,
    color: "text-hrv",
    bandOf: (day) => day.hrv_band,
  },
  {
    label: "Resting heart rate",
    unit: "bpm",
    of: "restingHeartRate",
    text: figure,
    color: "text-heart",
    bandOf: (day) => day.resting_heart_rate_band,
  },
  {
    label: "Blood oxygen",
    unit: "%",
    of: "spo2",
    text: (value) => figure(value, 1),
    color: "text-strain",
    bandOf: (day) => day.spo2_band,
  },
  {
    label: "Skin temperature",
    unit: "°C",
    of: "skinTempDeviation",
    text: signed,
    color: "text-fair",
    bandOf: (day) => day.skin_temp_deviation_band,
    note: ({ recovery }) =>
      recovery?.skin_temp_celsius == null ? undefined : `measured ${figure(recovery.skin_temp_celsius, 1)} °C`,
  },
  {
    label: "Respiratory rate",
    unit: "per minute",
    of: "respiratoryRate",
    text: (value) => figure(value, 1),
    color: "text-rem",
    bandOf: (day) => day.respiratory_rate_band,
  },
]

interface VitalsProps extends Pick<DayProps, "day" | "namesSources"> {
  readonly days: readonly TrendDay[]
}

/** Measurements of the night, each with its last two weeks. */
export const Vitals = (props: VitalsProps) => (
  <ul className="grid grid-cols-2 gap-4 lg:grid-cols-5">
    {VITALS.map((vital) => (
      <VitalTile key={vital.of} vital={vital} {...props} />
    ))}
  </ul>
)

function VitalTile({ vital, day, days, namesSources }: VitalsProps & { readonly vital: Vital }) {
  const { value, missing, source } = FIGURES[vital.of](day)
  return (
    <li className="flex min-w-0 flex-col rounded-2xl border border-line bg-surface p-4 last:max-lg:col-span-2">
      <h3 className="text-sm text-muted">{vital.label}</h3>
      <p className="mt-1 text-2xl font-semibold tracking-tight tabular-nums">
        {vital.text(value)}
        {value !== null && <span className="ml-1 text-sm font-normal tracking-normal text-muted">{vital.unit}</span>}
      </p>
      <p className="min-h-5 text-xs text-muted">
        {missing === null ? noteOf(vital, day, value) : MISSING_TEXTS[missing]}
      </p>
      {namesSources && (
        <p className="min-h-4 text-xs text-muted">
          {value !== null && source !== null && <FromSource source={source} />}
        </p>
      )}
      <Sparkline
        figures={days.map((each) => FIGURES[vital.of](each))}
        bands={days.map(vital.bandOf)}
        color={vital.color}
      />
      <SparklineMarks days={days} />
    </li>
  )
}

function noteOf(vital: Vital, day: TrendDay, value: number): string {
  const note = vital.note?.(day)
  const usual = usualText(vital, vital.bandOf(day), value)
  return note === undefined ? usual : `${usual}, ${note}`
}

function usualText({ text }: Vital, band: Band, value: number): string {
  if (!band) return "no usual range yet"
  const range = `${text(band.low)} to ${text(band.high)}`
  if (value < band.low) return `below your usual ${range}`
  if (value > band.high) return `above your usual ${range}`
  return `in your usual ${range}`
}
