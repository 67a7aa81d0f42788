// The usual ranges of a night's figures, by the values before it of the same source.
import type { HrvMethod, MetricId, TrendDay } from "@restwell/client"
import { USUAL_VALUES, usualBefore } from "../statistics/describe.ts"
import { usualBounds } from "../statistics/figures.ts"
import { dayFactsOf, EXTRACT } from "../statistics/metrics.ts"
import { type DayValue, dayOf, type Series } from "../statistics/series.ts"
import { methodOfHrv, type StoredRecord } from "../store/stored-record.ts"
import { knownMetric } from "./insight-query.ts"

/** The usual range of a value, as a trend has it. @param history oldest first @param day of the value */
export function ownBand(metric: MetricId, history: Series, day: number): TrendDay["hrv_band"] {
  const usual = usualBefore("number", history, day)
  return usual && usualBounds(knownMetric(metric, "metric"), usual)
}

/** The figures of a night that have a usual range, and the record that each is read from. */
const VITALS = [
  { metric: "recovery_score", kind: "recovery" },
  { metric: "asleep", kind: "sleep" },
  { metric: "hrv", kind: "recovery" },
  { metric: "resting_heart_rate", kind: "recovery" },
  { metric: "spo2", kind: "recovery" },
  { metric: "skin_temp_deviation", kind: "recovery" },
  { metric: "respiratory_rate", kind: "sleep" },
] as const

/** The kinds of record that a night has. */
export type NightKind = (typeof VITALS)[number]["kind"]
type Vital = (typeof VITALS)[number]["metric"]
export type Bands = Pick<TrendDay, `${Vital}_band`>

/** The person's usual ranges, night by night. The figures of different sources are never compared. */
interface UsualRanges {
  /** Adds the records of one date. Dates are added oldest first. */
  add(facts: readonly StoredRecord[]): void
  /** The ranges of the date that was added last, or of one without records. @param sources whose ranges they are, by kind of record */
  bands(date: string, sources: Readonly<Record<NightKind, string | undefined>>): Bands
}

export function usualRanges(): UsualRanges {
  const valuesBySource = new Map<string, DayValue[]>()
  const hrvMethods = new Map<string, HrvMethod>()
  const valuesOf = (source: string | undefined, metric: Vital): DayValue[] => {
    const key = `${source} ${metric}`
    const values = valuesBySource.get(key) ?? []
    valuesBySource.set(key, values)
    return values
  }
  return {
    add(facts) {
      for (const [source, ofSource] of Map.groupBy(facts, ({ provider }) => provider)) {
        const day = dayFactsOf(ofSource)
        const method = day.recovery ? methodOfHrv(day.recovery) : null
        // HRV of two methods is never compared.
        if (method !== null && hrvMethods.get(source) !== method) valuesBySource.delete(`${source} hrv`)
        if (method !== null) hrvMethods.set(source, method)
        for (const { metric } of VITALS) {
          const value = EXTRACT[metric](day)
          const date = ofSource[0]?.date
          if (value != null && date !== undefined) valuesOf(source, metric).push({ day: dayOf(date), value })
        }
      }
    },
    bands(date, sources) {
      const bandOf = (vital: Vital) => {
        const { kind } = VITALS.find(({ metric }) => metric === vital) ?? VITALS[0]
        // Years are drawn in one answer, and only the newest values before the date's own count.
        return ownBand(vital, valuesOf(sources[kind], vital).slice(-USUAL_VALUES - 1), dayOf(date))
      }
      return {
        recovery_score_band: bandOf("recovery_score"),
        asleep_band: bandOf("asleep"),
        hrv_band: bandOf("hrv"),
        resting_heart_rate_band: bandOf("resting_heart_rate"),
        spo2_band: bandOf("spo2"),
        skin_temp_deviation_band: bandOf("skin_temp_deviation"),
        respiratory_rate_band: bandOf("respiratory_rate"),
      }
    },
  }
}
