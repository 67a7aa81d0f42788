import type { TrendDay, TrendsResponse } from "@restwell/client"
import { addDays, datesOf } from "../calendar/date-range.ts"
import { todayIn } from "../calendar/time-zone.ts"
import type { Context } from "../context/context.ts"
import {
  readRecoveriesBefore,
  readTrendFacts,
  readTrendSource,
  type TrendFact,
  type TrendSource,
} from "../store/read-trend-rows.ts"
import { BAND_NIGHTS, ownBand } from "./own-band.ts"
import { trendDay } from "./trend-day.ts"

/** Dates of a history without any record. */
const EMPTY_DAYS = 30

/**
 * A row for each of the dates that end today, also for dates without data, with the person's usual range at the time.
 * Its cost depends on the dates, not on the length of the history. @param days how many dates, or `all` back to the oldest record
 */
export async function readTrends(context: Context, userId: string, days: number | "all"): Promise<TrendsResponse> {
  const source = await readTrendSource(context, userId)
  const to = todayIn(source, context.clock.now())
  const from = days === "all" ? (earlier(source.oldestDate, to) ?? addDays(to, 1 - EMPTY_DAYS)) : addDays(to, 1 - days)
  const window = source.provider === null ? undefined : { userId, provider: source.provider, from, to }
  const facts = window ? await readTrendFacts(context, window) : []
  const before = window ? await readRecoveriesBefore(context, window, BAND_NIGHTS) : []
  const rows = rowsOf(datesOf({ from, to }), facts, before)
  return { period: { start_date: from, end_date: to, days: rows.length }, days: rows, source: answeredSource(source) }
}

const earlier = (oldest: string | null, today: string): string | undefined =>
  oldest !== null && oldest <= today ? oldest : undefined

type RecoveryFigures = Pick<Extract<TrendFact, { kind: "recovery" }>, "scoreState" | "detail">

function rowsOf(dates: readonly string[], facts: readonly TrendFact[], before: readonly RecoveryFigures[]): TrendDay[] {
  const byDate = Map.groupBy(facts, ({ date }) => date)
  const hrv: number[] = []
  const restingHeartRate: number[] = []
  const remember = ({ scoreState, detail: { data } }: RecoveryFigures): void => {
    if (scoreState !== "scored") return
    if (data.metrics?.hrv !== undefined) hrv.push(data.metrics.hrv)
    if (data.metrics?.restingHeartRate !== undefined) restingHeartRate.push(data.metrics.restingHeartRate)
  }
  for (const recovery of before) remember(recovery)
  return dates.map((date) => {
    const ofDate = byDate.get(date) ?? []
    const bands = { hrv_band: ownBand(hrv), resting_heart_rate_band: ownBand(restingHeartRate) }
    for (const fact of ofDate) if (fact.kind === "recovery") remember(fact)
    return { ...trendDay(date, ofDate), ...bands }
  })
}

function answeredSource({ provider, status, lastSyncedAt }: TrendSource): TrendsResponse["source"] {
  if (provider === null || status === null || status === "disconnected") return null
  return { provider, status, last_synced_at: lastSyncedAt?.toISOString() ?? null }
}
