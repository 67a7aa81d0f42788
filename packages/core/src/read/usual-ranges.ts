// The usual ranges of a night's figures, by the values before it of the same source, and of the same device behind it.
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

/**
 * The figures of a night that have a usual range, and the record that each is read from. Of a phone that collects for several devices a night
 * is of one of them, and a recovery names the device of its HRV alone.
 */
const VITALS = [
  { metric: "recovery_score", kind: "recovery", isOfDevice: false },
  { metric: "asleep", kind: "sleep", isOfDevice: true },
  { metric: "hrv", kind: "recovery", isOfDevice: true },
  { metric: "resting_heart_rate", kind: "recovery", isOfDevice: false },
  { metric: "spo2", kind: "recovery", isOfDevice: false },
  { metric: "skin_temp_deviation", kind: "recovery", isOfDevice: false },
  { metric: "respiratory_rate", kind: "sleep", isOfDevice: true },
] as const

const OF_SOURCE = VITALS.filter(({ isOfDevice }) => !isOfDevice)
const OF_DEVICE = VITALS.filter(({ isOfDevice }) => isOfDevice)

/** The kinds of record that a night has. */
export type NightKind = (typeof VITALS)[number]["kind"]
type Vital = (typeof VITALS)[number]["metric"]
export type Bands = Pick<TrendDay, `${Vital}_band`>

/** Where a record is from: a source, and the device behind it if it names one. */
export type Origin = Pick<StoredRecord, "provider" | "device">

/** The person's usual ranges, night by night. The figures of different sources, or of two devices behind one, are never compared. */
interface UsualRanges {
  /** Adds the records of one date. Dates are added oldest first. */
  add(facts: readonly StoredRecord[]): void
  /** The ranges of the date that was added last, or of one without records. @param sources whose ranges they are, by kind of record */
  bands(date: string, sources: Readonly<Record<NightKind, Origin | undefined>>): Bands
}

export function usualRanges(): UsualRanges {
  const valuesByOrigin = new Map<string, DayValue[]>()
  const hrvMethods = new Map<string, HrvMethod>()
  const keyOf = ({ provider, device }: Origin, { metric, isOfDevice }: (typeof VITALS)[number]): string =>
    JSON.stringify([provider, isOfDevice ? (device ?? null) : null, metric])
  const add = (records: readonly StoredRecord[], vitals: readonly (typeof VITALS)[number][]): void => {
    const [first] = records
    if (!first) return
    const day = dayFactsOf(records)
    const hrvMethod = day.recovery ? methodOfHrv(day.recovery) : null
    for (const vital of vitals) {
      const key = keyOf(first, vital)
      const method = vital.metric === "hrv" ? hrvMethod : null
      // HRV of two methods is never compared.
      if (method !== null && hrvMethods.get(key) !== method) valuesByOrigin.delete(key)
      if (method !== null) hrvMethods.set(key, method)
      const value = EXTRACT[vital.metric](day)
      if (value != null) valuesByOrigin.getOrInsertComputed(key, () => []).push({ day: dayOf(first.date), value })
    }
  }
  return {
    add(facts) {
      for (const ofSource of Map.groupBy(facts, ({ provider }) => provider).values()) {
        add(ofSource, OF_SOURCE)
        for (const ofDevice of Map.groupBy(ofSource, ({ device }) => device ?? null).values()) add(ofDevice, OF_DEVICE)
      }
    },
    bands(date, sources) {
      const bandOf = (metric: Vital) => {
        const vital = VITALS.find((each) => each.metric === metric) ?? VITALS[0]
        const origin = sources[vital.kind]
        const values = origin ? (valuesByOrigin.get(keyOf(origin, vital)) ?? []) : []
        // Years are drawn in one answer, and only the newest values before the date's own count.
        return ownBand(metric, values.slice(-USUAL_VALUES - 1), dayOf(date))
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
