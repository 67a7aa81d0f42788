/** Metrics of dates that are computed from samples: for dates without a record, and for records without figures of their own. */

import type { MetricId } from "@restwell/client"
import { BODY_TYPES, DATE_BOUNDS, SUM_TYPES } from "@restwell/client"
import { addDays } from "@restwell/client/calendar-dates"
import { DAY_MS, standingMs } from "@restwell/client/time-units"
import type { DeviceKind } from "@restwell/providers"
import type { Pool } from "pg"
import { inOrder } from "../sources/rank.ts"
import { collectPoints } from "../statistics/collect-points.ts"
import { dayOf } from "../statistics/series.ts"
import { readCountedDays } from "../store/statements/read-counts.ts"
import type { ConnectedSnapshot, History } from "../store/statements/read-health.ts"
import { readSeriesDays, type SeriesDay } from "../store/statements/read-series.ts"
import { hasCountedFigures, type StoredRecord, type StoredSleep } from "../store/stored-record.ts"
import { type MetricHistory, SAMPLED_METRICS, type SampledFigure, type SampledMetric } from "./chosen-history.ts"
import { readLocalClock } from "./local-clock.ts"
import { groupOfMetric, type MetricGroup, orderForSeries } from "./metric-groups.ts"

/** What a question needs of samples. */
export interface WantedSamples {
  readonly metrics: readonly SampledMetric[]
  /** Whether it is about the heart rate of nights. */
  readonly nights: boolean
}

const OF_NIGHTS: readonly string[] = [
  "night_heart_rate",
  "lowest_heart_rate",
  "lowest_heart_rate_time",
] satisfies MetricId[]

/** Few devices have these. People without them do not see them in the catalogue. */
export const isOfSamples = (id: string): boolean => OF_NIGHTS.includes(id) || groupOfMetric(id) === "series"

/** @param metrics of the question, all if left out @param groups that may be read */
export function samplesFor(metrics: readonly string[] | undefined, groups: readonly MetricGroup[]): WantedSamples {
  const isWanted = (id: string) =>
    (metrics === undefined || metrics.includes(id)) && groups.some((group) => group === groupOfMetric(id))
  return { metrics: SAMPLED_METRICS.filter(isWanted), nights: OF_NIGHTS.some(isWanted) }
}

interface ReadableSamples {
  readonly snapshot: ConnectedSnapshot
  /** The person's date. */
  readonly today: string
  /** Sources that may answer. */
  readonly providers: readonly string[]
  /** The oldest date that may be read. */
  readonly from: string
  readonly isForAssistant: boolean
}

/** Adds the figures of samples to those of records. */
export async function withSamples(
  pool: Pool,
  history: History,
  { metrics, nights }: WantedSamples,
  readable: ReadableSamples,
): Promise<MetricHistory> {
  const sampled: SampledFigure[] = []
  for (const id of metrics) sampled.push(...(await readFigures(pool, id, readable)))
  const facts = nights ? await withHeartRates(pool, readable, history.facts) : history.facts
  return { ...history, facts, sampled }
}

/** One value a date and source, of sources in the person's order: a mean or a sum, once the date is over. A weight is final at once. */
async function readFigures(
  pool: Pool,
  id: SampledMetric,
  { snapshot, today, providers, from, isForAssistant }: ReadableSamples,
): Promise<SampledFigure[]> {
  const { userId, sources, preferences } = snapshot
  // East of Greenwich, the morning of a date is on the UTC day before it.
  const range = { from: addDays(from, -1), to: DATE_BOUNDS.max }
  const stored: SeriesDay[] = []
  for await (const day of readCountedDays(pool, { userId, type: id, providers, isForAssistant, ...range }))
    stored.push(day)
  const [first, last] = [stored[0], stored.at(-1)]
  if (!first || !last) return []
  const clock = await readLocalClock(pool, snapshot, { from: first.day, to: last.day })
  const isSum = SUM_TYPES.includes(id)
  const lastDay = BODY_TYPES.includes(id) ? dayOf(range.to) : dayOf(today) - 1
  const figures: SampledFigure[] = []
  for (const { provider } of inOrder(sources, preferences?.order[orderForSeries(id)])) {
    const wanted = {
      type: id,
      resolution: "1d" as const,
      firstDay: dayOf(from),
      lastDay,
      fromMs: Number.NEGATIVE_INFINITY,
      toMs: Number.POSITIVE_INFINITY,
      providers: [provider],
    }
    const own = stored.filter((day) => day.provider === provider)
    const { points } = await collectPoints(own, wanted, { clock })
    for (const { key: day, sum, weight } of points?.buckets ?? [])
      figures.push({ id, day, value: isSum ? sum : sum / weight, source: provider })
  }
  return figures
}

/** Of the samples of one device that begin within a night. */
interface Measured {
  readonly kind: DeviceKind
  n: number
  /** The last one, whose time is known once there is another. */
  last: { readonly atMs: number; readonly durationMs: number; readonly value: number } | undefined
  /** Of those before, each by its time. */
  weight: number
  sum: number
  lowest: number
  lowestAtMs: number
}

interface Night {
  readonly fact: StoredSleep
  readonly ofDevices: Map<string | null, Measured>
}

/** Nights whose source has no heart rate of its own get that of the source's samples. */
async function withHeartRates(
  pool: Pool,
  { snapshot: { userId }, isForAssistant }: ReadableSamples,
  facts: readonly StoredRecord[],
): Promise<readonly StoredRecord[]> {
  const nights = new Map<StoredRecord, Night>()
  for (const fact of facts) if (lacksHeartRate(fact)) nights.set(fact, { fact, ofDevices: new Map() })
  if (nights.size === 0) return facts
  const byDay = Map.groupBy(
    nights.values().flatMap((night) => utcDaysOf(night.fact).map((day) => ({ day, night }))),
    ({ day }) => day,
  )
  const providers = [...new Set(nights.values().map(({ fact }) => fact.provider))]
  const isWanted = (day: string) => byDay.has(dayOf(day))
  const dates = { from: DATE_BOUNDS.min, to: DATE_BOUNDS.max, isWanted }
  const query = { userId, type: "heart_rate", providers, isForAssistant, ...dates } as const
  for await (const stored of readSeriesDays(pool, query))
    for (const { night } of byDay.get(dayOf(stored.day)) ?? [])
      if (night.fact.provider === stored.provider) measure(night, stored)
  return facts.map((fact) => {
    const heartRates = heartRatesOf(nights.get(fact))
    return heartRates && fact.kind === "sleep" ? { ...heartRates, ...fact } : fact
  })
}

function lacksHeartRate(fact: StoredRecord): fact is StoredSleep {
  if (fact.kind !== "sleep" || fact.isNap || !hasCountedFigures(fact)) return false
  const { averageHeartRateBpm, lowestHeartRateBpm, lowestHeartRateAtMs } = fact
  return [averageHeartRateBpm, lowestHeartRateBpm, lowestHeartRateAtMs].includes(undefined)
}

/** As day numbers. */
function utcDaysOf({ startMs, endMs }: StoredSleep): number[] {
  const [first, last] = [Math.floor(startMs / DAY_MS), Math.floor(endMs / DAY_MS)]
  return first === last ? [first] : [first, last]
}

function measure({ fact, ofDevices }: Night, { device, kind, samples }: SeriesDay): void {
  const { count, atMs, values, durationsMs } = samples
  for (let index = 0; index < count; index += 1) {
    const [at = 0, value = 0] = [atMs[index], values[index]]
    if (at < fact.startMs || at >= fact.endMs) continue
    const measured = ofDevices.getOrInsertComputed(device, () => ({
      kind,
      n: 0,
      last: undefined,
      weight: 0,
      sum: 0,
      lowest: Number.POSITIVE_INFINITY,
      lowestAtMs: 0,
    }))
    weighLast(measured, at, fact.endMs)
    measured.n += 1
    measured.last = { atMs: at, durationMs: durationsMs?.[index] ?? 0, value }
    if (value >= measured.lowest) continue
    measured.lowest = value
    measured.lowestAtMs = at
  }
}

/** The mean of a night is over its time. @param nextMs when the next sample begins */
function weighLast(measured: Measured, nextMs: number, endMs: number): void {
  const { last } = measured
  if (!last) return
  const weight = Math.min(standingMs(last.atMs, last.durationMs, nextMs), endMs - last.atMs)
  measured.weight += weight
  measured.sum += last.value * weight
}

/** Of several devices, the one that measured the night answers, then the one with most samples. An app with copies is the last. */
function heartRatesOf(night: Night | undefined) {
  const own = night?.fact.device ?? null
  const [most] = [...(night?.ofDevices ?? [])].toSorted(
    ([one, { kind, n }], [other, { kind: otherKind, n: otherN }]) =>
      Number(other === own) - Number(one === own) ||
      Number(kind === "copy") - Number(otherKind === "copy") ||
      otherN - n ||
      ((one ?? "") < (other ?? "") ? -1 : 1),
  )
  if (!night || !most) return undefined
  const [, measured] = most
  weighLast(measured, Number.POSITIVE_INFINITY, night.fact.endMs)
  const { weight, sum, lowest, lowestAtMs } = measured
  return { averageHeartRateBpm: sum / weight, lowestHeartRateBpm: lowest, lowestHeartRateAtMs: lowestAtMs }
}
