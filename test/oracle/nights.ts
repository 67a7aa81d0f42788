/* WHOOP's nights: its sleeps that are no naps, and less than two hours apart, are one night (docs/sources.md). */
import type { WireSleep } from "@restwell/simulator"
import { instantOf, scoreOf } from "./chart.ts"
import { dateOfSleep, localClock } from "./days.ts"
import { dividedBy, exactly, type Fraction, inHours, sum, times } from "./exact.ts"
import { asleepMs, inBedMs, needMs } from "./record-times.ts"

/** The figures of a night, exactly. Null is unknown. */
export interface WholeNight {
  /** Its records. */
  readonly sleeps: readonly WireSleep[]
  readonly date: Temporal.PlainDate
  readonly start: string
  readonly end: string
  readonly startLocal: string
  readonly endLocal: string
  readonly state: WireSleep["score_state"]
  readonly inBed: Fraction
  readonly asleep: Fraction | null
  readonly need: Fraction | null
  /** The part that the need is of. */
  readonly needOf: WireSleep | null
  readonly light: Fraction | null
  readonly deep: Fraction | null
  readonly rem: Fraction | null
  readonly awake: Fraction | null
  readonly performance: Fraction | null
  readonly efficiency: Fraction | null
  readonly consistency: Fraction | null
  readonly respiratoryRate: Fraction | null
  readonly timesAwake: Fraction | null
}

const APART_MS = 2 * 3_600_000
const length = ({ start, end }: WireSleep): number => instantOf(end) - instantOf(start)
const byStart = (one: WireSleep, other: WireSleep): number => instantOf(one.start) - instantOf(other.start)

const computed = new WeakMap<readonly WireSleep[], WholeNight[]>()

/** Nights of all sleeps, computed once for a list of them: each query of a history asks for them. */
export const wholeNights = (sleeps: readonly WireSleep[]): WholeNight[] =>
  computed.getOrInsertComputed(sleeps, () => nightsOf(sleeps))

function nightsOf(sleeps: readonly WireSleep[]): WholeNight[] {
  const groups: WireSleep[][] = []
  for (const sleep of sleeps.filter(({ nap }) => !nap).toSorted(byStart)) {
    const group = groups.at(-1)
    const isNear = group?.some(({ end }) => instantOf(sleep.start) - instantOf(end) < APART_MS)
    if (group && isNear) group.push(sleep)
    else groups.push([sleep])
  }
  return groups.map((group) => nightOf(group, counted(group)))
}

/** The night of each date: the longest by the hours of its answer, and of equal ones the earlier. */
export const nightOfEachDate = (nights: readonly WholeNight[]): WholeNight[] =>
  [...Map.groupBy(nights, ({ date }) => date.toString()).values()].flatMap((ofDate) =>
    ofDate
      .toSorted((one, other) => {
        const [hours, otherHours] = [inHours(one.inBed), inHours(other.inBed)]
        return hours === otherHours ? instantOf(one.start) - instantOf(other.start) : otherHours - hours
      })
      .slice(0, 1),
  )

/** The sleeps that make up the night: those with a score or waiting for one, where there are any, and no hour twice. */
function counted(group: readonly WireSleep[]): WireSleep[] {
  const known = group.filter((sleep) => scoreOf(sleep) || sleep.score_state === "PENDING_SCORE")
  const taken: WireSleep[] = []
  for (const sleep of (known.length > 0 ? known : group).toSorted(
    (one, other) => length(other) - length(one) || byStart(one, other),
  )) {
    const isFree = taken.every(
      (other) => instantOf(other.end) <= instantOf(sleep.start) || instantOf(sleep.end) <= instantOf(other.start),
    )
    if (isFree) taken.push(sleep)
  }
  return taken.toSorted(byStart)
}

function nightOf(sleeps: readonly WireSleep[], parts: readonly WireSleep[]): WholeNight {
  const [first, last] = [parts[0], parts.at(-1)]
  if (!first || !last) throw new Error("a night has a part")
  const between = parts.slice(1).map((part, index) => instantOf(part.start) - instantOf((parts[index] ?? first).end))
  const ofAll = (
    read: (part: WireSleep) => number | null | undefined,
    more: readonly number[] = [],
  ): Fraction | null => {
    const values = parts.map(read)
    const known = values.filter((value) => value !== null && value !== undefined)
    return known.length < parts.length ? null : sum([...known, ...more].map(exactly))
  }
  const longest = parts.toSorted((one, other) => inBedMs(other) - inBedMs(one))
  const ofLongest = (read: (part: WireSleep) => number | null | undefined): Fraction | null => {
    const value = longest.map(read).find((each) => each !== null && each !== undefined)
    return value === null || value === undefined ? null : exactly(value)
  }
  const stage = (name: keyof NonNullable<WireSleep["score"]>["stage_summary"]) => (part: WireSleep) =>
    scoreOf(part)?.stage_summary[name]
  const states = parts.map(({ score_state }) => score_state)
  const inBed = sum([...parts.map(inBedMs), ...between].map(exactly)) ?? exactly(0)
  const efficiencies = parts.map((part) => {
    const percent = scoreOf(part)?.sleep_efficiency_percentage
    return percent === null || percent === undefined ? null : times(exactly(percent), exactly(inBedMs(part)))
  })
  const known = efficiencies.filter((each) => each !== null)
  const efficient = known.length < parts.length ? null : sum(known)
  const breathing = parts.flatMap((part) => {
    const rate = scoreOf(part)?.respiratory_rate
    return rate === null || rate === undefined ? [] : [{ rate, weight: asleepMs(part) ?? inBedMs(part) }]
  })
  const weight = sum(breathing.map((each) => exactly(each.weight)))
  const breaths = sum(breathing.map((each) => times(exactly(each.rate), exactly(each.weight))))
  const hasWeight = breathing.some((each) => each.weight > 0)
  return {
    sleeps,
    date: dateOfSleep(last),
    start: first.start,
    end: last.end,
    startLocal: localClock(first.start, first.timezone_offset),
    endLocal: localClock(last.end, last.timezone_offset),
    state: states.includes("PENDING_SCORE") ? "PENDING_SCORE" : states.includes("SCORED") ? "SCORED" : "UNSCORABLE",
    inBed,
    asleep: ofAll(asleepMs),
    need: ofLongest(needMs),
    needOf: longest.find((part) => needMs(part) !== null) ?? null,
    light: ofAll(stage("total_light_sleep_time_milli")),
    deep: ofAll(stage("total_slow_wave_sleep_time_milli")),
    rem: ofAll(stage("total_rem_sleep_time_milli")),
    awake: ofAll(stage("total_awake_time_milli"), between),
    // Getting up between two parts is once more.
    timesAwake: ofAll(
      stage("disturbance_count"),
      between.map(() => 1),
    ),
    performance: ofLongest((part) => scoreOf(part)?.sleep_performance_percentage),
    efficiency: efficient && inBed.numerator > 0n ? dividedBy(efficient, inBed) : null,
    consistency: ofLongest((part) => scoreOf(part)?.sleep_consistency_percentage),
    respiratoryRate: hasWeight && weight && breaths ? dividedBy(breaths, weight) : null,
  }
}
