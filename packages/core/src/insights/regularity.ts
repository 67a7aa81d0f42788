import { MINUTES_PER_DAY } from "./circular.ts"

const FEWEST_PAIRS = 7
const NOON = MINUTES_PER_DAY / 2

/** A sleep in minutes of the local clock since 1970-01-01T00:00. The end is not included. */
export interface SleepTime {
  readonly start: number
  readonly end: number
}

/**
 * Sleep Regularity Index: the part of minutes with the same state, asleep or awake, 24 hours apart, times 200, minus 100. A day reaches from
 * noon to noon, so that a night is in one day: the date of waking. Null with fewer than 7 pairs of neighbouring days.
 * @see Phillips et al. 2017, Scientific Reports 7:3216
 * @param sleeps nights and naps
 * @param days of waking that have a night on record. Minutes of all others do not count.
 */
export function regularityIndex(sleeps: readonly SleepTime[], days: Iterable<number>): number | null {
  const states = new Map([...days].map((day) => [day, new Uint8Array(MINUTES_PER_DAY)]))
  for (const sleep of sleeps) markAsleep(states, sleep)
  let [pairs, same] = [0, 0]
  for (const [day, minutes] of states) {
    const next = states.get(day + 1)
    if (!next) continue
    pairs += 1
    for (let minute = 0; minute < MINUTES_PER_DAY; minute += 1) same += minutes[minute] === next[minute] ? 1 : 0
  }
  return pairs < FEWEST_PAIRS ? null : (same / (pairs * MINUTES_PER_DAY)) * 200 - 100
}

function markAsleep(states: ReadonlyMap<number, Uint8Array>, { start, end }: SleepTime): void {
  for (let minute = Math.floor(start); minute < Math.floor(end); minute += 1) {
    const sinceNoon = minute + NOON
    const minutes = states.get(Math.floor(sinceNoon / MINUTES_PER_DAY))
    if (minutes) minutes[sinceNoon % MINUTES_PER_DAY] = 1
  }
}
