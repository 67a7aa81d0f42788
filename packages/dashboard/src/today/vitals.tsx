import type { TrendDay } from "@restwell/client"
import { FromSource } from "../components/from-source.tsx"
import { figure, signed } from "../format/number.ts"
import { FIGURES } from "../trends/figures.ts"
import { MISSING_TEXTS } from "../trends/missing.ts"
import type { DayProps } from "./day-props.ts"
import { Sparkline } from "./sparkline.tsx"
import { SparklineMarks } from "./sparkline-marks.tsx"

type Band = TrendDay["hrv_band"]

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
