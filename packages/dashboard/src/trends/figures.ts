import type { TrendDay } from "@restwell/client"
import { type Missing, missingOf } from "./missing.ts"

/** A figure of a day, or why there is none. */
export type Figure =
  | { readonly value: number; readonly missing: null }
  | { readonly value: null; readonly missing: Missing }

type Record = { readonly score_state: "scored" | "pending" | "unscorable" } | null

const figureOf = <Kind extends Record>(record: Kind, pick: (record: NonNullable<Kind>) => number | null): Figure => {
  const value = record === null ? null : pick(record)
  return value === null ? { value, missing: missingOf(record?.score_state) } : { value, missing: null }
}

/** Every figure that a chart or a tile shows, by its day. */
export const FIGURES = {
  recovery: (day: TrendDay) => figureOf(day.recovery, ({ score }) => score),
  hrv: (day: TrendDay) => figureOf(day.recovery, ({ hrv }) => hrv),
  restingHeartRate: (day: TrendDay) => figureOf(day.recovery, ({ resting_heart_rate }) => resting_heart_rate),
  spo2: (day: TrendDay) => figureOf(day.recovery, ({ spo2 }) => spo2),
  skinTempDeviation: (day: TrendDay) =>
    figureOf(day.recovery, ({ skin_temp_deviation_celsius }) => skin_temp_deviation_celsius),
  skinTemp: (day: TrendDay) => figureOf(day.recovery, ({ skin_temp_celsius }) => skin_temp_celsius),
  respiratoryRate: (day: TrendDay) => figureOf(day.sleep, ({ respiratory_rate }) => respiratory_rate),
  performance: (day: TrendDay) => figureOf(day.sleep, ({ performance }) => performance),
  asleepHours: (day: TrendDay) =>
    figureOf(day.sleep, ({ light_hours, deep_hours, rem_hours }) => sum(light_hours, deep_hours, rem_hours)),
  strain: (day: TrendDay) => figureOf(day.strain, ({ strain }) => strain),
} as const

/** The sum of what is there; null as soon as a part is missing, for the rest would be too little. */
function sum(...parts: readonly (number | null)[]): number | null {
  let total = 0
  for (const part of parts) {
    if (part === null) return null
    total += part
  }
  return total
}
