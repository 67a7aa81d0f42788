/* Random people: how they live, and what one to three devices measured of it. */
import type { DEVICES } from "../several/devices.ts"
import type { Dice } from "../several/dice.ts"
import { type JournalAnswer, PERSON, type Weighing } from "./daily-values.ts"
import type { LivedDay } from "./lived-days.ts"

export type DeviceName = keyof typeof DEVICES

/** A device, worn between two ages of the history in days before today. */
export interface Worn {
  readonly device: DeviceName
  readonly from: number
  readonly to: number
  readonly isArchive: boolean
}

/** How a figure of a person varies: memory, drift, tails, or not at all. */
export interface Course {
  readonly memory: number
  /** Standard deviations a year. */
  readonly drift: number
  readonly isHeavy: boolean
  readonly isConstant: boolean
}

export interface Person {
  readonly days: number
  readonly zones: readonly string[]
  readonly devices: readonly Worn[]
  readonly course: Course
  /** Out of 100 nights. */
  readonly missing: number
  readonly unscored: number
  readonly naps: number
  readonly workouts: number
  /** Round figures have many ties. */
  readonly isCoarse: boolean
  /** Every other day two nights of one date. */
  readonly splits: number
  /** Minutes after local midnight: some people go to bed around it, some sleep by day. */
  readonly bedtime: number
  /** The source of a journal, and the chance of an answer. */
  readonly journal: { readonly provider: DeviceName; readonly answered: number } | undefined
  readonly lastNight: "scored" | "pending" | "absent"
}

const LENGTHS = [1, 9, 20, 40, 70, 110, 150, 200, 250, 300, 430, 600]
const ZONES = [
  ["Europe/Berlin"],
  ["America/New_York"],
  ["Asia/Tokyo"],
  ["Australia/Lord_Howe", "Asia/Kathmandu"],
  ["Europe/Berlin", "America/New_York", "Asia/Tokyo"],
  ["Pacific/Kiritimati", "Pacific/Pago_Pago"],
] as const

export function somePerson(dice: Dice): Person {
  const days = dice.pick(LENGTHS) + dice.below(10)
  const devices = someDevices(dice, days)
  return {
    days,
    zones: dice.pick(ZONES),
    devices,
    course: {
      memory: dice.pick([0, 0.3, 0.6]),
      drift: dice.pick([0, 0, 4, -4, 12, -12]),
      isHeavy: dice.percent(30),
      isConstant: dice.percent(5),
    },
    missing: dice.pick([0, 5, 12, 12, 30, 60]),
    unscored: dice.pick([0, 4, 15]),
    naps: dice.pick([0, 10, 40]),
    workouts: dice.pick([0, 30, 60, 95]),
    isCoarse: dice.percent(25),
    splits: dice.pick([0, 0, 5]),
    bedtime: dice.pick([-90, -30, 0, 20, 90, 480, 720]),
    journal: dice.percent(60) ? { provider: dice.pick(devices).device, answered: dice.pick([20, 70, 95]) } : undefined,
    lastNight: dice.pick(["scored", "pending", "absent"] as const),
  }
}

/** One device for most people; a change from one to another, or several at once. */
function someDevices(dice: Dice, days: number): Worn[] {
  const [first, second, third] = dice.shuffled(["whoop", "oura", "apple_health", "polar"] as const)
  if (first === undefined || second === undefined || third === undefined) return []
  const whole = { from: days, to: -1, isArchive: false }
  const change = dice.below(days + 1)
  switch (dice.below(8)) {
    case 0:
      return [
        { ...whole, device: first, to: change },
        { ...whole, device: second, from: change + dice.below(6) - 3 },
      ]
    case 1:
      return [
        { ...whole, device: first, isArchive: dice.percent(50) },
        { ...whole, device: second, from: change },
      ]
    case 2:
      return [whole, whole, whole].map((worn, index) => ({ ...worn, device: [first, second, third][index] ?? first }))
    case 3:
      return [{ ...whole, device: first, isArchive: true }]
    case 4:
      return [{ ...whole, device: dice.percent(50) ? "apple_health" : "oura" }]
    default:
      return [{ ...whole, device: dice.percent(70) ? "whoop" : first }]
  }
}

/** Topics of the journal, and how often the answer is yes, out of 100. */
const TOPICS = { alcohol: 30, caffeine: 85, reading: 50 } as const

/** What the person noted on each date of a life. */
export function journalOf(dice: Dice, { journal }: Person, dates: readonly string[]): JournalAnswer[] {
  if (!journal) return []
  const { provider, answered } = journal
  return dates.flatMap((date) =>
    Object.entries(TOPICS).flatMap(([factor, yes]) =>
      dice.percent(answered) ? [{ provider, date, factor, answer: dice.percent(4) ? null : dice.percent(yes) }] : [],
    ),
  )
}

interface MeasuredType {
  readonly type: Weighing["type"]
  readonly middle: number
  readonly spread: number
  readonly isCount?: true
}

const OF_SCALES: readonly MeasuredType[] = [
  { type: "weight", middle: 80, spread: 2 },
  { type: "body_fat", middle: 22, spread: 1 },
  { type: "steps", middle: 4000, spread: 900, isCount: true },
]
const OF_WATCHES: readonly MeasuredType[] = [
  { type: "floors", middle: 6, spread: 1, isCount: true },
  { type: "exercise_minutes", middle: 20, spread: 5, isCount: true },
  { type: "stress", middle: 40, spread: 9 },
  { type: "walking_heart_rate", middle: 100, spread: 6 },
]

export const weighingsOf = (dice: Dice, person: Person, days: readonly LivedDay[]): Weighing[] =>
  valuesOf(OF_SCALES, dice, person, days)
export const watchValuesOf = (dice: Dice, person: Person, days: readonly LivedDay[]): Weighing[] =>
  valuesOf(OF_WATCHES, dice, person, days)

/** What scales, phones and watches measured on some days, up to twice a day. Today's are left out: they still grow. */
const valuesOf = (types: readonly MeasuredType[], dice: Dice, { devices }: Person, days: readonly LivedDay[]) =>
  devices.flatMap(({ device: provider }) => {
    const often = dice.pick([0, 10, 60, 95])
    return types.flatMap(({ type, middle, spread, isCount }) =>
      days.slice(0, -1).flatMap(({ date, offset, form }) =>
        [0, 1].flatMap((half): Weighing[] => {
          if (!dice.percent(half === 0 ? often : often / 3)) return []
          const atMs = Date.parse(date) + (half * 720 + dice.below(700) - offset) * 60_000
          // A person far from their usual form still has no level below zero.
          const level = Math.max(0, middle + spread * (form + dice.below(100) / 50))
          const value = Math.round(level * 100) / 100
          return [{ provider, type, atMs, offsetMinutes: offset, value: isCount ? Math.round(value) : value }]
        }),
      ),
    )
  })

/** What the person enters in the page: nothing, now and then, or mostly, and for some topics only. */
export function ownAnswersOf(dice: Dice, dates: readonly string[]): JournalAnswer[] {
  const often = dice.pick([0, 10, 60])
  const topics = Object.entries(TOPICS).filter(() => dice.percent(70))
  return dates.flatMap((date) =>
    topics.flatMap(([factor, yes]) =>
      dice.percent(often) ? [{ provider: PERSON, date, factor, answer: dice.percent(yes) }] : [],
    ),
  )
}
