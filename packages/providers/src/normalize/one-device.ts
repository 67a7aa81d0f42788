// Sources whose devices are never added up: several apps of a phone count the same steps, so one device answers for a whole local date.
import { DAY_MS, HOUR_MS, MINUTE_MS } from "@restwell/client/time-units"
import type { CountedDate, OneDeviceRule } from "../contract/one-device-rule.ts"
import { isOfStrava } from "../contract/records.ts"
import type { Sample } from "../contract/series.ts"
import { partsByDate } from "./counts.ts"

/** Chooses by a rule. What Strava gave answers only where nothing else is. */
export function answeringDevice(dates: readonly CountedDate[], { weight }: OneDeviceRule): CountedDate | undefined {
  return dates.toSorted(
    (one, other) =>
      Number(isOfStrava(one.device)) - Number(isOfStrava(other.device)) ||
      weight(other) - weight(one) ||
      Number(one.device === "") - Number(other.device === "") ||
      (one.device < other.device ? -1 : 1),
  )[0]
}

interface Counts {
  value: number
  /** A bit for each local hour in which something was counted. */
  hours: number
}

/** Collects what devices counted, in any order. */
export class OneDeviceDays {
  readonly #days = new Map<string, Map<string, Counts>>()

  /** @param decides false for a type that only shows that the device has the date */
  add(device: string, sample: Sample, decides: boolean): void {
    const offsetMs = (sample.utcOffsetMinutes ?? 0) * MINUTE_MS
    for (const { date, part } of partsByDate(sample)) {
      const counts = this.#days
        .getOrInsertComputed(date, () => new Map<string, Counts>())
        .getOrInsertComputed(device, () => ({ value: 0, hours: 0 }))
      if (!decides || part.value === 0) continue
      counts.hours |= 1 << Math.floor(((part.atMs + offsetMs) % DAY_MS) / HOUR_MS)
      counts.value += part.value
    }
  }

  get dates(): readonly string[] {
    return [...this.#days.keys()].toSorted()
  }

  /** The device of each date. */
  choose(rule: OneDeviceRule): ReadonlyMap<string, CountedDate> {
    return new Map(
      [...this.#days].flatMap(([date, devices]) => {
        const counted = [...devices].map(([device, { value, hours }]) => ({ device, value, hours: bits(hours) }))
        const first = answeringDevice(counted, rule)
        return first ? [[date, first] as const] : []
      }),
    )
  }
}

function bits(number: number): number {
  let count = 0
  for (let rest = number; rest > 0; rest >>>= 1) count += rest & 1
  return count
}
