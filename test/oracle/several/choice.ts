/*
 * Which source answers, by docs/sources.md. Main sleep, recovery and cycle: one source a date.
 * Naps and workouts: one record an activity.
 */

import type { Measured, MeasuredCycle, MeasuredRecovery, MeasuredSleep, MeasuredWorkout } from "./measured.ts"
import { type WholeNight, wholeNights } from "./nights.ts"
import { asleepMs } from "./records.ts"
import type { Truth } from "./truth.ts"

export type Reason = "only_one" | "your_choice" | "your_order" | "complete" | "direct" | "default_order"
type Any = MeasuredSleep | MeasuredRecovery | MeasuredWorkout | MeasuredCycle

/** The chosen records, each with the reason. */
export type Chosen = ReadonlyMap<Any, Reason>

/** One that may be chosen: a source on a date, or an activity. */
interface Contender<Item> {
  readonly provider: string
  readonly date: string
  /** 0 for a whole record, 1 for one in parts, 2 for a fragment. */
  readonly lack: number
  readonly isDirect: boolean
  readonly items: readonly Item[]
}

type Preferences = Pick<Truth, "order" | "choices"> & {
  /** The names of all candidates, the one that was connected first in front. */
  readonly connected: readonly string[]
}
type Ordering = Preferences

export const preferencesOf = (truth: Truth): Preferences => ({
  order: truth.order,
  choices: truth.choices,
  connected: truth.byAge(),
})

type Type = keyof Measured

/** What a phone collects from other devices. */
const FROM_A_PHONE = ["apple_health", "phone"]

/** The criteria in their order. A smaller number is better. */
const CRITERIA = ["your_choice", "your_order", "complete", "direct"] as const

function numbersOf({ order, choices }: Ordering, type: Type, contender: Contender<unknown>): number[] {
  const { provider, date, lack, isDirect } = contender
  const isChoice = choices.some((choice) => choice.type === type && choice.date === date && choice.source === provider)
  const place = order[type].indexOf(provider)
  return [
    isChoice ? 0 : 1,
    place < 0 ? Number.POSITIVE_INFINITY : place,
    lack,
    FROM_A_PHONE.includes(provider) ? 2 : isDirect ? 0 : 1,
  ]
}

/** The first criterion that separates two contenders, and by how much. */
function difference(preferences: Ordering, type: Type, one: Contender<unknown>, other: Contender<unknown>) {
  const [mine, theirs] = [numbersOf(preferences, type, one), numbersOf(preferences, type, other)]
  for (const [index, reason] of CRITERIA.entries()) {
    const [left = 0, right = 0] = [mine[index], theirs[index]]
    if (left !== right) return { reason, sign: left < right ? -1 : 1 }
  }
  const age = ({ provider }: Contender<unknown>): number => preferences.connected.indexOf(provider)
  const sign = Math.sign(age(one) - age(other))
  return { reason: "default_order" as const, sign }
}

/** One source a date. All its records of that date are chosen. */
export function chosenByDate<Item extends Any>(
  preferences: Ordering,
  type: Type,
  items: readonly Item[],
  isComplete: (ofDate: readonly Item[], ofSource: readonly Item[]) => boolean,
): Map<Item, Reason> {
  const chosen = new Map<Item, Reason>()
  for (const [date, ofDate] of Map.groupBy(items, (item) => item.date)) {
    const contenders = [...Map.groupBy(ofDate, ({ provider }) => provider)].map(([provider, ofSource]) => ({
      provider,
      date,
      lack: isComplete(ofDate, ofSource) ? 0 : 1,
      isDirect: ofSource.some(({ fromArchive }) => !fromArchive),
      items: ofSource,
    }))
    const [winner, second] = contenders.sort((one, other) => difference(preferences, type, one, other).sign)
    if (!winner) continue
    const reason = second ? difference(preferences, type, winner, second).reason : "only_one"
    for (const item of winner.items) chosen.set(item, reason)
  }
  return chosen
}

export type Activity = MeasuredSleep | MeasuredWorkout

const endOf = ({ record }: Activity): number => record.endMs

/** True when two sources measured the same: they overlap by at least 60 % of the shorter. */
export function isOne(one: Activity, other: Activity): boolean {
  if (one.provider === other.provider) return false
  const overlapMs = Math.min(endOf(one), endOf(other)) - Math.max(one.startMs, other.startMs)
  const shorterMs = Math.min(endOf(one) - one.startMs, endOf(other) - other.startMs)
  return overlapMs * 100 >= shorterMs * 60
}

/**
 * From the best record to the worst, each is chosen unless a chosen one of another source is the same activity.
 * The reason is the criterion that separates it from the best of those that it replaces.
 */
export function chosenByActivity<Item extends Activity>(
  preferences: Ordering,
  type: Type,
  items: readonly Item[],
): Map<Item, Reason> {
  const contenderOf = (item: Item): Contender<Item> => ({
    provider: item.provider,
    date: item.date,
    lack: item.record.kind === "sleep" && item.record.stages !== undefined ? 0 : 1,
    isDirect: !item.fromArchive,
    items: [item],
  })
  const bestFirst = items
    .map((item) => ({ item, contender: contenderOf(item) }))
    .sort(
      (one, other) =>
        difference(preferences, type, one.contender, other.contender).sign ||
        one.item.startMs - other.item.startMs ||
        (one.item.record.providerId < other.item.record.providerId ? -1 : 1),
    )
  const chosen = new Map<Item, Reason>()
  for (const [index, { item, contender }] of bestFirst.entries()) {
    if ([...chosen.keys()].some((better) => isOne(better, item))) continue
    const second = bestFirst.slice(index + 1).find((other) => isOne(other.item, item))
    chosen.set(item, second ? difference(preferences, type, contender, second.contender).reason : "only_one")
  }
  return chosen
}

interface Span {
  readonly startMs: number
  readonly endMs: number
}

const sharedMs = (one: Span, other: Span): number =>
  Math.min(one.endMs, other.endMs) - Math.max(one.startMs, other.startMs)

const spanOf = ({ night }: WholeNight): Span => ({ startMs: night.startMs, endMs: endOf(night) })

/** A source with less than 60 % of another source's sleep at the same time has a fragment of it. */
function fragmentsOf(nights: readonly WholeNight[]): Set<WholeNight> {
  const fragments = new Set<WholeNight>()
  const bySource = Map.groupBy(nights, ({ night }) => night.provider)
  for (const whole of nights) {
    const { record, provider } = whole.night
    const inBed = ({ counted }: WholeNight) => counted.reduce((sum, sleep) => sum + endOf(sleep) - sleep.startMs, 0)
    const known = asleepMs(record) ?? (record.scoreState === "pending" ? inBed(whole) : 0)
    for (const [name, own] of bySource) {
      const beside = own.filter((other) => name !== provider && sharedMs(spanOf(other), spanOf(whole)) > 0)
      const slept = beside.reduce((sum, other) => sum + (asleepMs(other.night.record) ?? inBed(other)), 0)
      if (slept * 10 < known * 6) for (const other of beside) fragments.add(other)
    }
  }
  return fragments
}

/**
 * One source a date, by whole nights. A fragment of the night of another date is a part of that night, and so is what another source,
 * which comes behind, has of it. Who has nothing else on the date leaves it to the next one who has another sleep.
 */
export function chosenNights(preferences: Ordering, sleeps: readonly MeasuredSleep[]): Map<MeasuredSleep, Reason> {
  const nights = wholeNights(sleeps.filter((each) => !isNap(each)))
  const fragments = fragmentsOf(nights)
  const lackOf = (each: WholeNight): number =>
    fragments.has(each) ? 2 : each.night.record.stages === undefined ? 1 : 0
  const chosen = new Map<WholeNight, Reason>()
  const byDate = Map.groupBy(nights, ({ night }) => night.date)
  const takeBest = (date: string, ofDate: readonly WholeNight[]) => {
    const contenders = [...Map.groupBy(ofDate, ({ night }) => night.provider)].map(([provider, own]) => ({
      provider,
      date,
      lack: Math.min(...own.map(lackOf)),
      isDirect: own.some(({ sleeps: parts }) => parts.some(({ fromArchive }) => !fromArchive)),
      items: own,
    }))
    const [winner, second] = contenders.sort((one, other) => difference(preferences, "sleep", one, other).sign)
    const reason = winner && second ? difference(preferences, "sleep", winner, second).reason : "only_one"
    for (const night of winner?.items ?? []) chosen.set(night, reason)
  }
  for (const [date, ofDate] of byDate) takeBest(date, ofDate)
  const alone = (each: WholeNight): Contender<WholeNight> => ({
    provider: each.night.provider,
    date: each.night.date,
    lack: lackOf(each),
    isDirect: each.sleeps.some(({ fromArchive }) => !fromArchive),
    items: [each],
  })
  const order = (one: WholeNight, other: WholeNight): number =>
    difference(preferences, "sleep", alone(one), alone(other)).sign
  for (const night of [...chosen.keys()].sort((one, other) => order(other, one))) {
    const span = spanOf(night)
    const isWithin = [...chosen.keys()].some(
      (other) =>
        other.night.provider !== night.night.provider &&
        2 * sharedMs(span, spanOf(other)) >= span.endMs - span.startMs &&
        (fragments.has(night) || (!fragments.has(other) && order(other, night) < 0)),
    )
    if (isWithin) chosen.delete(night)
  }
  const kept = [...chosen.keys()]
  const isOfKept = (each: WholeNight): boolean =>
    kept.some((other) => {
      const [own, theirs] = [spanOf(each), spanOf(other)]
      const shorterMs = Math.min(own.endMs - own.startMs, theirs.endMs - theirs.startMs)
      return other.night.provider !== each.night.provider && 2 * sharedMs(own, theirs) >= shorterMs
    })
  for (const [date, ofDate] of byDate)
    if (!ofDate.some((each) => chosen.has(each)))
      takeBest(
        date,
        ofDate.filter((each) => !isOfKept(each)),
      )
  return new Map([...chosen].flatMap(([{ sleeps: parts }, reason]) => parts.map((part) => [part, reason] as const)))
}

const isNap = ({ record }: MeasuredSleep): boolean => record.isNap

/** Half of the nap or more lies in one of the nights. */
export const isPartOf = (nights: readonly MeasuredSleep[], nap: MeasuredSleep): boolean =>
  isNap(nap) &&
  nights.some((night) => {
    const sharedMs = Math.min(endOf(night), endOf(nap)) - Math.max(night.startMs, nap.startMs)
    return sharedMs > 0 && 2 * sharedMs >= endOf(nap) - nap.startMs
  })

/** All chosen records of every type. */
export function chooseAll(preferences: Preferences, measured: Measured): Chosen {
  const { sleep, recovery, workout, cycle } = measured
  const nights = chosenNights(preferences, sleep)
  const isOwnSleep = (nap: MeasuredSleep) => isNap(nap) && !isPartOf([...nights.keys()], nap)
  return new Map<Any, Reason>([
    ...nights,
    ...chosenByActivity(preferences, "sleep", sleep.filter(isOwnSleep)),
    ...chosenByDate(preferences, "recovery", recovery, isWholeMorning),
    ...chosenByActivity(preferences, "workout", workout),
    ...chosenByDate(preferences, "cycle", cycle, isCompleteDay(preferences)),
  ])
}

export const isWholeMorning = (_: unknown, ofSource: readonly MeasuredRecovery[]): boolean => ofSource.some(isWhole)

function isWhole({ record: { scorePercent, hrvMs, restingHeartRateBpm } }: MeasuredRecovery): boolean {
  return [scorePercent, hrvMs, restingHeartRateBpm].every((value) => value !== undefined)
}

/** With strain, which only WHOOP delivers, or while it is awaited from there. Where nobody delivers strain, with calories. */
export const isCompleteDay =
  ({ connected }: Pick<Preferences, "connected">) =>
  (ofDate: readonly MeasuredCycle[], ofSource: readonly MeasuredCycle[]): boolean => {
    const hasOrAwaits = (cycle: MeasuredCycle) =>
      hasStrain(cycle) ||
      (cycle.provider === "whoop" && (cycle.record.scoreState === "pending" || cycle.record.endMs === null))
    if (connected.includes("whoop") || ofDate.some(hasOrAwaits)) return ofSource.some(hasOrAwaits)
    return ofSource.some(({ record }) => record.energyKcal !== undefined)
  }

export const hasStrain = ({ record }: MeasuredCycle): boolean => record.strain !== undefined
