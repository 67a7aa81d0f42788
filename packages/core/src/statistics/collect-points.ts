/** The points of a person's samples: one source for each date, one method for the answer. */

import {
  BODY_TYPES,
  type HrvMethod,
  type Resolution,
  SERIES_POINTS,
  type SeriesType,
  SUM_TYPES,
} from "@restwell/client"
import { DAY_MS } from "@restwell/client/time-units"
import type { SeriesDay } from "../store/statements/read-series.ts"
import {
  answeringSource,
  countingSources,
  type LocalClock,
  type LocalDay,
  LocalDays,
  type Part,
  type SourceDay,
} from "./local-days.ts"
import { type Points, PointsOfAll } from "./resolutions.ts"
import { dateOf } from "./series.ts"
import type { WakingDay } from "./waking-dates.ts"

export interface WantedPoints {
  readonly type: SeriesType
  /** Left out: the finest one with few points. */
  readonly resolution: Resolution | undefined
  /** Local dates as day numbers, both included. */
  readonly firstDay: number
  readonly lastDay: number
  /** Epoch milliseconds, the end excluded. Infinite for whole dates. */
  readonly fromMs: number
  readonly toMs: number
  /** In the person's order. */
  readonly providers: readonly string[]
}

export interface CollectedPoints {
  readonly method: HrvMethod | null
  /** The finest resolution that has few enough points. Undefined where none has. */
  readonly points: Points | undefined
  /** Samples of another method that are left out. */
  readonly leftOut: {
    readonly method: HrvMethod
    readonly count: number
    readonly from: string
    readonly to: string
  } | null
  /** The provider of each date or value. */
  readonly answered: ReadonlyMap<string, number>
}

interface OfMethod {
  readonly points: PointsOfAll
  firstDay: number
  lastDay: number
}

/** @param days stored days, in their order @param wakingDay of stages of sleep */
export async function collectPoints(
  days: AsyncIterable<SeriesDay> | Iterable<SeriesDay>,
  wanted: WantedPoints,
  { clock, wakingDay }: { readonly clock: LocalClock; readonly wakingDay?: WakingDay | undefined },
): Promise<CollectedPoints> {
  const localDays = new LocalDays(clock, { isRate: isRate(wanted.type), wakingDay })
  const methods = new Map<HrvMethod | null, OfMethod>()
  const answered = new Map<string, number>()
  const isBody = BODY_TYPES.includes(wanted.type)
  const add = (day: number, method: HrvMethod | null, part: Part, source?: string): boolean => {
    let of = methods.get(method)
    if (!of) {
      of = { points: pointsFor(wanted, clock), firstDay: day, lastDay: day }
      methods.set(method, of)
    }
    const isAdded = of.points.add(part, source)
    if (isAdded) of.lastDay = day
    return isAdded
  }
  const count = (provider: string): void => void answered.set(provider, (answered.get(provider) ?? 0) + 1)
  const take = (utcDay: number): void => {
    for (const localDay of localDays.takeBefore(utcDay)) {
      const { day } = localDay
      if (day < wanted.firstDay || day > wanted.lastDay) continue
      if (isBody)
        for (const { part, provider } of distinctValues(localDays, localDay, wanted.providers)) {
          if (add(day, null, part, provider)) count(provider)
        }
      else {
        const sources = answeringSources(wanted, localDay)
        let isAnswered = false
        visitInOrder(localDays, { day, sources }, (method, part) => {
          if (add(day, method, part)) isAnswered = true
        })
        if (isAnswered && sources[0]) count(sources[0].provider)
      }
    }
  }
  for await (const stored of days) {
    take(Date.parse(stored.day) / DAY_MS)
    localDays.add(stored)
  }
  take(Number.POSITIVE_INFINITY)
  return { ...newestMethod(methods, wanted.resolution ?? "raw"), answered }
}

function answeringSources({ type, providers }: WantedPoints, { sources }: LocalDay): readonly SourceDay[] {
  if (SUM_TYPES.includes(type)) return countingSources(sources, providers)
  const source = answeringSource(sources, providers)
  return source ? [source] : []
}

/** Visits the parts of several devices in the order of their times. */
function visitInOrder(
  localDays: LocalDays,
  { day, sources }: LocalDay,
  visit: (method: HrvMethod | null, part: Part) => void,
): void {
  const [first, ...others] = sources
  if (first && others.length === 0) {
    localDays.visitParts(day, first, visit)
    return
  }
  const parts: { readonly method: HrvMethod | null; readonly part: Part }[] = []
  for (const source of sources)
    localDays.visitParts(day, source, (method, part) => parts.push({ method, part: { ...part } }))
  for (const { method, part } of parts.toSorted((one, other) => one.part.fromMs - other.part.fromMs))
    visit(method, part)
}

const pointsFor = ({ type, resolution, fromMs, toMs }: WantedPoints, clock: LocalClock): PointsOfAll =>
  new PointsOfAll({
    finest: resolution ?? "raw",
    isOnly: type === "sleep_stages",
    most: resolution === undefined && type !== "sleep_stages" ? SERIES_POINTS.byDefault : SERIES_POINTS.most,
    // A long time without a resolution is read by the day.
    mostOfCoarsest: SERIES_POINTS.most,
    fromMs,
    toMs,
    startOf: (day, offsetMs) => clock.startOf(day, offsetMs),
    isRate: isRate(type),
  })

/** Types whose means are over time. What is measured now and then stands for no time. */
const isRate = (type: SeriesType): boolean =>
  !SUM_TYPES.includes(type) && !BODY_TYPES.includes(type) && type !== "sleep_stages"

/** Values of different methods cannot be compared, so the newest one answers alone. */
function newestMethod(
  methods: ReadonlyMap<HrvMethod | null, OfMethod>,
  resolution: Resolution,
): Omit<CollectedPoints, "answered"> {
  const known = [...methods].filter(([, { points }]) => points.count > 0)
  const [newest, other] = known.toSorted(
    ([one, { lastDay }], [another, { lastDay: otherDay }]) =>
      otherDay - lastDay || ((one ?? "") < (another ?? "") ? -1 : 1),
  )
  if (!newest) return { method: null, points: { resolution, raw: [], buckets: [], isOver: false }, leftOut: null }
  const [method, { points }] = newest
  const [otherMethod = null, of] = other ?? []
  const leftOut =
    otherMethod !== null && of
      ? { method: otherMethod, count: of.points.count, from: dateOf(of.firstDay), to: dateOf(of.lastDay) }
      : null
  return { method, points: points.finest(), leftOut }
}

/** The values of all sources of a date, oldest first. Equal values of one instant are there once, of the first source in the order. */
function distinctValues(localDays: LocalDays, { day, sources }: LocalDay, providers: readonly string[]) {
  const values = sources
    .toSorted((one, other) => providers.indexOf(one.provider) - providers.indexOf(other.provider))
    .flatMap((source) => {
      const parts: { readonly part: Part; readonly provider: string }[] = []
      localDays.visitParts(day, source, (_method, part) => parts.push({ part: { ...part }, provider: source.provider }))
      return parts
    })
  const seen = new Set<string>()
  return values
    .toSorted(({ part: one }, { part: other }) => one.atMs - other.atMs)
    .filter(({ part: { atMs, value } }) => {
      const name = `${atMs}/${value}`
      if (seen.has(name)) return false
      seen.add(name)
      return true
    })
}
