// Made-up people whose nights are scored late, who travel, and who want to be told at their own hours.
import { nextRandom } from "./random.ts"

export const MINUTE_MS = 60_000
const DAY_MINUTES = 1_440

/** Nights before the first that may be told of. */
export const HISTORY = 40
export const DAYS = 10

export interface MadeNight {
  readonly id: string
  /** Local date of waking. */
  readonly date: string
  readonly startMs: number
  readonly endMs: number
  readonly utcOffsetMinutes: number
  /** When the service gets it, first without a score. */
  readonly arrivesMs: number
  readonly scoredMs: number
  readonly hrv: number
  readonly restingHeartRate: number
}

export interface MadePerson {
  readonly earliest: string
  readonly quiet: { readonly start: string; readonly end: string } | null
  readonly missingAt: string
  /** Nights that are known from the beginning. */
  readonly history: readonly MadeNight[]
  readonly nights: readonly MadeNight[]
}

const QUIET = [
  null,
  { start: "22:00", end: "07:30" },
  { start: "00:00", end: "08:15" },
  { start: "20:30", end: "06:00" },
]
const EARLIEST = ["05:00", "07:00", "09:30", "12:00", "21:00"]
/** A briefing that would come in quiet hours on every date. */
export const EARLIEST_IN_QUIET = { earliest: "22:30", quiet: { start: "22:00", end: "07:00" } }
/** Minutes after waking. The last one is too late to be news. */
const SCORED_AFTER = [0, 20, 20, 25, 90, 400, 900, 1_300, 1_500]
/** Minutes that a clock is put forward by a journey between two nights. */
const LONGEST_FLIGHT = 300
const OFFSETS = [-480, -300, 0, 60, 120, 330, 540]

/** @param first the UTC midnight at which everything begins */
export function makePerson(seed: string, first: number): MadePerson {
  const random = nextRandom(seed)
  const pick = <Value>(values: readonly Value[]): Value => {
    const [picked] = values.slice(Math.floor(random() * values.length))
    if (picked === undefined) throw new Error("there is nothing to pick")
    return picked
  }
  const between = (low: number, high: number): number => Math.round(low + random() * (high - low))
  let offset = pick(OFFSETS)
  const nightOf = (index: number): MadeNight => {
    // A journey, or a change of the clock. Never so far that two nights are one, or have one date.
    if (index > 0 && random() < 0.2)
      offset =
        random() < 0.5
          ? pick(OFFSETS.filter((each) => each >= offset && each <= offset + LONGEST_FLIGHT))
          : Math.max(offset - 60, -660)
    const midnight = first + index * DAY_MINUTES * MINUTE_MS - offset * MINUTE_MS
    const endMs = midnight + between(330, 700) * MINUTE_MS
    const arrivesMs = endMs + between(1, 30) * MINUTE_MS
    return {
      id: `${seed}-${index}`,
      date: new Date(endMs + offset * MINUTE_MS).toISOString().slice(0, 10),
      startMs: endMs - between(300, 520) * MINUTE_MS,
      endMs,
      utcOffsetMinutes: offset,
      arrivesMs,
      scoredMs: Math.max(arrivesMs, endMs + pick(SCORED_AFTER) * MINUTE_MS),
      hrv: between(400, 800) / 10,
      restingHeartRate: between(48, 56) + (random() < 0.15 ? 12 : 0),
    }
  }
  const history = Array.from({ length: HISTORY }, (_, index) => nightOf(index - HISTORY))
  const nights = Array.from({ length: DAYS }, (_, index) => nightOf(index + 1)).filter(() => random() < 0.9)
  return { earliest: pick(EARLIEST), quiet: pick(QUIET), missingAt: pick(["11:00", "13:30", "09:00"]), history, nights }
}
