// The days of Health Connect. Several apps count the same steps, so one of them answers for a whole day.
import { DAY_MS, HOUR_MS, MINUTE_MS } from "@restwell/client/time-units"
import type { Sample } from "../contract/series.ts"
import { partsByDate } from "../normalize/counts.ts"

/** What was counted over a time by one app. */
export interface AppSample extends Sample {
  readonly app: string
  readonly durationMs: number
  readonly utcOffsetMinutes: number
}

/** What an app counted on a date. */
interface AppDay {
  /** A bit for each local hour in which steps begin. */
  hours: number
  steps: number
}

/** Takes samples in any order. */
export class OneAppDays {
  readonly #days = new Map<string, Map<string, AppDay>>()

  /** @param isSteps energy and distance only show that the app has the date */
  add(sample: AppSample, isSteps: boolean): void {
    for (const { date, part } of partsByDate(sample)) {
      const day = this.#days
        .getOrInsertComputed(date, () => new Map<string, AppDay>())
        .getOrInsertComputed(sample.app, () => ({ hours: 0, steps: 0 }))
      if (!isSteps || part.value === 0) continue
      day.hours |= 1 << Math.floor(((part.atMs + sample.utcOffsetMinutes * MINUTE_MS) % DAY_MS) / HOUR_MS)
      day.steps += part.value
    }
  }

  get dates(): readonly string[] {
    return [...this.#days.keys()].toSorted()
  }

  /** The app of each date: with steps in the most hours, then with the most steps, then by name. */
  choose(): ReadonlyMap<string, string> {
    return new Map([...this.#days].flatMap(([date, apps]) => chosen(apps).map((app) => [date, app] as const)))
  }
}

function chosen(apps: ReadonlyMap<string, AppDay>): readonly string[] {
  const ranked = [...apps].toSorted(
    ([oneName, one], [otherName, other]) =>
      bits(other.hours) - bits(one.hours) || other.steps - one.steps || (oneName < otherName ? -1 : 1),
  )
  return ranked.slice(0, 1).map(([app]) => app)
}

function bits(number: number): number {
  let count = 0
  for (let rest = number; rest > 0; rest >>>= 1) count += rest & 1
  return count
}
