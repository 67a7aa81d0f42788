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
  let [pairs, different] = [0, 0]
  for (const [day, minutes] of states) {
    const next = states.get(day + 1)
    if (!next) continue
    pairs += 1
    different += countDifferent(minutes, next)
  }
  return pairs < FEWEST_PAIRS ? null : (1 - different / (pairs * MINUTES_PER_DAY)) * 200 - 100
}

function markAsleep(states: ReadonlyMap<number, Uint8Array>, { start, end }: SleepTime): void {
  const last = Math.floor(end) + NOON
  for (let minute = Math.floor(start) + NOON; minute < last; ) {
    const day = Math.floor(minute / MINUTES_PER_DAY)
    const midnight = day * MINUTES_PER_DAY
    const until = Math.min(last, midnight + MINUTES_PER_DAY)
    states.get(day)?.fill(1, minute - midnight, until - midnight)
    minute = until
  }
}

/** Four minutes at a time: the nights of ten years have five million. */
function countDifferent(one: Uint8Array, other: Uint8Array): number {
  const [words, others] = [new Uint32Array(one.buffer), new Uint32Array(other.buffer)]
  let different = 0
  for (let index = 0; index < words.length; index += 1)
    // Each byte of the difference is 0 or 1. The product has their sum in its highest byte.
    different += Math.imul((words[index] ?? 0) ^ (others[index] ?? 0), 0x01010101) >>> 24
  return different
}
