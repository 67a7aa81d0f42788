import type { DisplayPreferences, TrendDay } from "@restwell/client"
import { figure, NONE } from "../format/number.ts"
import { formatTemperature, formatTemperatureChange } from "../format/preferred.ts"
import { FIGURES, type Figure } from "../trends/figures.ts"

export type Band = TrendDay["hrv_band"]

/** A measurement of the night with a usual range. */
export interface Measurement {
  /** Its id as a metric of the API. */
  readonly metric: string
  readonly label: string
  readonly unit: string
  readonly of: keyof typeof FIGURES
  readonly text: (value: number | null) => string
  /** Text colour class of its line. */
  readonly color: string
  /** The person's usual range on a day. */
  readonly bandOf: (day: TrendDay) => Band
  /** Text after the usual range. */
  readonly note?: (day: TrendDay) => string | undefined
}

const tenths = (value: number | null): string => figure(value, 1)

type Units = DisplayPreferences["units"]

/** The measurements of a night, in the person's units. */
export const measurementsIn = (units: Units): readonly Measurement[] => [
  {
    metric: "hrv",
    label: "Heart rate variability",
    unit: "ms",
    of: "hrv",
    text: figure,
    color: "text-hrv",
    bandOf: (day) => day.hrv_band,
  },
  {
    metric: "resting_heart_rate",
    label: "Resting heart rate",
    unit: "bpm",
    of: "restingHeartRate",
    text: figure,
    color: "text-heart",
    bandOf: (day) => day.resting_heart_rate_band,
  },
  {
    metric: "spo2",
    label: "Blood oxygen",
    unit: "%",
    of: "spo2",
    text: tenths,
    color: "text-strain",
    bandOf: (day) => day.spo2_band,
  },
  {
    metric: "skin_temp_deviation",
    label: "Skin temperature",
    unit: units === "metric" ? "°C" : "°F",
    of: "skinTempDeviation",
    text: (value) => (value === null ? NONE : formatTemperatureChange(value, units).replace(/ .*|\u00b1/g, "")),
    color: "text-fair",
    bandOf: (day) => day.skin_temp_deviation_band,
    note: ({ recovery }) =>
      recovery?.skin_temp_celsius == null
        ? undefined
        : `measured ${formatTemperature(recovery.skin_temp_celsius, units)}`,
  },
  {
    metric: "respiratory_rate",
    label: "Respiratory rate",
    unit: "per minute",
    of: "respiratoryRate",
    text: tenths,
    color: "text-rem",
    bandOf: (day) => day.respiratory_rate_band,
  },
]

/** "50–55"; with signs "−0.2 to +0.3". */
export function rangeText({ text }: Pick<Measurement, "text">, { low, high }: NonNullable<Band>): string {
  const [from, to] = [text(low), text(high)]
  return /^[\d.,]+$/.test(from) ? `${from}–${to}` : `${from} to ${to}`
}

export const figureOn = ({ of }: Measurement, day: TrendDay): Figure => FIGURES[of](day)
