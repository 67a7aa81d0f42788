/** The points of a person's samples: one source for each date, one method for the answer. */
import { BODY_TYPES, type HrvMethod, type Resolution, SERIES_POINTS, type SeriesType } from "@restwell/client"
import type { SeriesDay } from "../store/statements/read-series.ts"
import { DAY_MS, type LocalClock } from "./local-clock.ts"
import { answeringSource, type LocalDay, LocalDays, type Part } from "./local-days.ts"
import { type Points, PointsOfAll } from "./resolutions.ts"
import { dateOf } from "./series.ts"

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

/** @param days stored days, in their order */
export async function collectPoints(
  days: AsyncIterable<SeriesDay>,
  wanted: WantedPoints,
  clock: LocalClock,
): Promise<CollectedPoints> {
  const localDays = new LocalDays(clock)
  const methods = new Map<HrvMethod | null, OfMethod>()
  const answered = new Map<string, number>()
  const isBody = BODY_TYPES.includes(wanted.type)
  const add = (day: number, method: HrvMethod | null, part: Part, source?: string): boolean => {
    const of = methods.getOrInsertComputed(method, () => ({ points: pointsFor(wanted), firstDay: day, lastDay: day }))
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
        const source = answeringSource(localDay.sources, wanted.providers)
        if (!source) continue
        let isAnswered = false
        for (const { method, part } of localDays.partsOf(day, source)) isAnswered = add(day, method, part) || isAnswered
        if (isAnswered) count(source.provider)
      }
    }
  }
  for await (const stored of days) {
    take(Date.parse(stored.day) / DAY_MS)
    localDays.add(stored)
  }
  take(Number.POSITIVE_INFINITY)
  return { ...newestMethod(methods), answered }
}

const pointsFor = ({ type, resolution, fromMs, toMs }: WantedPoints): PointsOfAll =>
  new PointsOfAll({
    finest: resolution ?? "raw",
    isOnly: type === "sleep_stages",
    most: resolution === undefined && type !== "sleep_stages" ? SERIES_POINTS.byDefault : SERIES_POINTS.most,
    fromMs,
    toMs,
  })

/** Values of different methods cannot be compared, so the newest one answers alone. */
function newestMethod(methods: ReadonlyMap<HrvMethod | null, OfMethod>): Omit<CollectedPoints, "answered"> {
  const known = [...methods].filter(([, { points }]) => points.count > 0)
  const [newest, other] = known.toSorted(
    ([one, { lastDay }], [another, { lastDay: otherDay }]) =>
      otherDay - lastDay || ((one ?? "") < (another ?? "") ? -1 : 1),
  )
  if (!newest) return { method: null, points: pointsOfNothing, leftOut: null }
  const [method, { points }] = newest
  const [otherMethod = null, of] = other ?? []
  const leftOut =
    otherMethod !== null && of
      ? { method: otherMethod, count: of.points.count, from: dateOf(of.firstDay), to: dateOf(of.lastDay) }
      : null
  return { method, points: points.finest(), leftOut }
}

const pointsOfNothing: Points = { resolution: "raw", raw: [], buckets: [], isOver: false }

/** The values of all sources of a date, oldest first. Equal values of one instant are there once, of the first source in the order. */
function distinctValues(localDays: LocalDays, { day, sources }: LocalDay, providers: readonly string[]) {
  const values = sources
    .toSorted((one, other) => providers.indexOf(one.provider) - providers.indexOf(other.provider))
    .flatMap((source) => [...localDays.partsOf(day, source)].map(({ part }) => ({ part, provider: source.provider })))
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
