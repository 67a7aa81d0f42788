/* What truly happened to a person: nights, naps and workouts, in the time zones where they were. Sources measure it with their own noise. */
import type { Dice } from "./dice.ts"

export const MINUTE_MS = 60_000
export const HOUR_MS = 60 * MINUTE_MS
export const DAY_MS = 24 * HOUR_MS

export interface Span {
  readonly startMs: number
  readonly endMs: number
}

/** A local day, from noon to noon. */
export interface LivedDay {
  /** Midnight where the person was. */
  readonly midnightMs: number
  /** Minutes east of UTC, at waking and on the evening before. */
  readonly offset: number
  readonly offsetBefore: number
  readonly nights: readonly Span[]
  readonly naps: readonly Span[]
  readonly workouts: readonly Span[]
}

/** How somebody lives. */
export interface Habits {
  readonly days: number
  /** The local hour of waking. Around 0 devices disagree on the date. */
  readonly wakesAt: number
  /** Out of 100 days. */
  readonly naps: number
  readonly workouts: number
  /** Trains around midnight, so that devices disagree on the date. */
  readonly trainsAtMidnight: boolean
  /** Offsets that the person travels between, minutes east of UTC. */
  readonly offsets: readonly number[]
}

/** The days that end at `now`, oldest first. */
export function live(dice: Dice, habits: Habits, now: Date): LivedDay[] {
  const days: LivedDay[] = []
  let offset = dice.pick(habits.offsets)
  for (let ago = habits.days - 1; ago >= 0; ago -= 1) {
    const offsetBefore = offset
    if (dice.percent(4)) offset = dice.pick(habits.offsets)
    const utcMidnight = Math.floor(now.getTime() / DAY_MS) * DAY_MS - ago * DAY_MS
    const midnightMs = utcMidnight - offset * MINUTE_MS
    days.push({ midnightMs, offset, offsetBefore, ...dayOf(dice, habits, midnightMs) })
  }
  return days.map((day) => withoutFuture(day, now))
}

function dayOf(dice: Dice, habits: Habits, midnightMs: number): Pick<LivedDay, "nights" | "naps" | "workouts"> {
  const wokenMs = midnightMs + habits.wakesAt * HOUR_MS + dice.between(-90, 90) * MINUTE_MS
  const night = { startMs: wokenMs - dice.between(300, 560) * MINUTE_MS, endMs: wokenMs }
  const at = (hour: number, minutes: number): Span => {
    const startMs = midnightMs + hour * HOUR_MS + dice.between(0, 50) * MINUTE_MS
    return { startMs, endMs: startMs + minutes * MINUTE_MS }
  }
  const workouts = [
    ...(dice.maybe(habits.workouts, () => [at(17, dice.between(20, 120, 10))]) ?? []),
    ...(dice.maybe(habits.workouts / 3, () => [at(7, dice.between(20, 60, 10))]) ?? []),
    ...(habits.trainsAtMidnight ? [{ startMs: midnightMs - 2 * MINUTE_MS, endMs: midnightMs + 50 * MINUTE_MS }] : []),
  ]
  return {
    nights: dice.percent(5) ? split(night) : [night],
    naps:
      dice.maybe(habits.naps, () => [dice.percent(25) ? dozeAfter(dice, wokenMs) : at(13, dice.between(20, 90, 5))]) ??
      [],
    workouts,
  }
}

/** Sleep around the time of waking, which some devices count as a part of the night and others as a nap. */
function dozeAfter(dice: Dice, wokenMs: number): Span {
  const startMs = wokenMs - dice.between(0, 60, 5) * MINUTE_MS
  return { startMs, endMs: startMs + dice.between(20, 90, 5) * MINUTE_MS }
}

/** An hour awake in the middle of the night: two main sleeps of one date. */
function split({ startMs, endMs }: Span): Span[] {
  const middle = (startMs + endMs) / 2
  return [
    { startMs, endMs: middle - HOUR_MS / 2 },
    { startMs: middle + HOUR_MS / 2, endMs },
  ]
}

/** Leaves out sleeps and workouts that still go on, or ended a moment ago. */
export function withoutFuture<Day extends Pick<LivedDay, "nights" | "naps" | "workouts">>(day: Day, now: Date): Day {
  const isOver = ({ endMs }: Span) => endMs < now.getTime() - 20 * MINUTE_MS
  return {
    ...day,
    nights: day.nights.filter(isOver),
    naps: day.naps.filter(isOver),
    workouts: day.workouts.filter(isOver),
  }
}
