/* The days of a person's life, in the time zones where they were. */
import type { Dice } from "../several/dice.ts"
import { MINUTE_MS, type Span, withoutFuture } from "../several/lives.ts"
import { dateOf } from "./calendar.ts"
import type { Person } from "./person.ts"

/** A day as it was, for every device. */
export interface LivedDay {
  readonly day: number
  readonly date: string
  readonly nights: readonly Span[]
  readonly naps: readonly Span[]
  readonly workouts: readonly Span[]
  /** Minutes east of UTC, where the person fell asleep and woke. */
  readonly offsetBefore: number
  readonly offset: number
  /** In standard deviations from the usual. */
  readonly form: number
  readonly isMissing: boolean
}

export function normal(dice: Dice): number {
  const radius = Math.sqrt(-2 * Math.log((1 + dice.below(1_000_000)) / 1_000_001))
  return radius * Math.cos((2 * Math.PI * dice.below(1_000_000)) / 1_000_000)
}

/** The t distribution with 4 degrees of freedom, of variance 1. */
function heavy(dice: Dice): number {
  const squares = [1, 2, 3, 4].reduce((total) => total + normal(dice) ** 2, 0)
  return normal(dice) / Math.sqrt(squares / 4) / Math.SQRT2
}

const zoned = (day: number, zone: string, minutes: number): Temporal.ZonedDateTime =>
  Temporal.PlainDate.from(dateOf(day)).toZonedDateTime(zone).add({ minutes })

const offsetOf = (at: Temporal.ZonedDateTime): number => at.offsetNanoseconds / 60_000_000_000

/** The days that end today, oldest first. */
export function daysOf(dice: Dice, person: Person, today: number, now: Date): LivedDay[] {
  const days: LivedDay[] = []
  const { course } = person
  let zone = dice.pick(person.zones)
  let form = 0
  for (let day = today - person.days + 1; day <= today; day += 1) {
    const before = zone
    if (dice.percent(3)) zone = dice.pick(person.zones)
    const shock = course.isHeavy ? heavy(dice) : normal(dice)
    form = course.isConstant ? 0 : course.memory * form + Math.sqrt(1 - course.memory ** 2) * shock
    const level = course.isConstant ? 0 : form + (course.drift * (day - today)) / 365
    days.push({ ...dayOf(dice, person, { day, zone, before, level }), form: level })
  }
  return days.map((day) => withoutFuture(day, now))
}

function dayOf(
  dice: Dice,
  { bedtime, course, missing, naps, workouts, splits }: Person,
  { day, zone, before, level }: { day: number; zone: string; before: string; level: number },
): Omit<LivedDay, "form"> {
  const jitter = course.isConstant ? 0 : Math.round(level * 25 + normal(dice) * 20)
  const start = zoned(day, before, bedtime + jitter)
  const length = course.isConstant ? 480 : Math.max(120, Math.round(460 + level * 30 + normal(dice) * 25))
  const end = start.add({ minutes: length }).withTimeZone(zone)
  const night = { startMs: start.epochMilliseconds, endMs: end.epochMilliseconds }
  const middle = (night.startMs + night.endMs) / 2
  const isSplit = dice.percent(splits)
  const at = (hour: number, minutes: number): Span => {
    const from = zoned(day, zone, hour * 60 + dice.below(50)).epochMilliseconds
    return { startMs: from, endMs: from + minutes * MINUTE_MS }
  }
  return {
    day,
    date: dateOf(day),
    nights: isSplit
      ? [
          { ...night, endMs: middle - 20 * MINUTE_MS },
          { ...night, startMs: middle + 40 * MINUTE_MS },
        ]
      : [night],
    naps: dice.percent(naps) ? [at(14, dice.between(20, 90, 5))] : [],
    workouts: [
      ...(dice.percent(workouts) ? [at(17, dice.between(20, 120, 10))] : []),
      ...(dice.percent(workouts / 4) ? [at(22, dice.between(30, 150, 10))] : []),
    ],
    offsetBefore: offsetOf(start),
    offset: offsetOf(end),
    isMissing: dice.percent(missing),
  }
}
