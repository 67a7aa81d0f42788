import type { TrendDay } from "@restwell/client"
import { dayFactsOf } from "../insights/day-facts.ts"
import { EXTRACT } from "../insights/extract.ts"
import type { HealthFact } from "../store/health-fact.ts"
import { ownBand } from "./own-band.ts"

/** The measurements of a night that have a usual range, and the record that each is read from. */
const VITALS = [
  { metric: "hrv", kind: "recovery" },
  { metric: "resting_heart_rate", kind: "recovery" },
  { metric: "spo2", kind: "recovery" },
  { metric: "skin_temp_deviation", kind: "recovery" },
  { metric: "respiratory_rate", kind: "sleep" },
] as const

type NightKind = (typeof VITALS)[number]["kind"]
type Vital = (typeof VITALS)[number]["metric"]
export type Bands = Pick<TrendDay, `${Vital}_band`>

/** The person's usual ranges, night by night. The figures of different sources are never compared. */
export interface UsualRanges {
  /** Adds the records of one date. Dates are added oldest first. */
  add(facts: readonly HealthFact[]): void
  /** The ranges before the next date. @param sources whose ranges they are, by kind of record */
  bands(sources: Readonly<Record<NightKind, string | undefined>>): Bands
}

export function usualRanges(): UsualRanges {
  const valuesBySource = new Map<string, number[]>()
  const valuesOf = (source: string | undefined, metric: Vital): number[] => {
    const key = `${source} ${metric}`
    const values = valuesBySource.get(key) ?? []
    valuesBySource.set(key, values)
    return values
  }
  return {
    add(facts) {
      for (const [source, ofSource] of Map.groupBy(facts, ({ provider }) => provider)) {
        const day = dayFactsOf(ofSource)
        for (const { metric } of VITALS) {
          const value = EXTRACT[metric](day)
          if (value != null) valuesOf(source, metric).push(value)
        }
      }
    },
    bands(sources) {
      const bandOf = (vital: Vital) => {
        const { kind } = VITALS.find(({ metric }) => metric === vital) ?? VITALS[0]
        return ownBand(valuesOf(sources[kind], vital))
      }
      return {
        hrv_band: bandOf("hrv"),
        resting_heart_rate_band: bandOf("resting_heart_rate"),
        spo2_band: bandOf("spo2"),
        skin_temp_deviation_band: bandOf("skin_temp_deviation"),
        respiratory_rate_band: bandOf("respiratory_rate"),
      }
    },
  }
}
