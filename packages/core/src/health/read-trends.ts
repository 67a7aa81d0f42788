import type { TrendDay, TrendsResponse } from "@restwell/client"
import { RECORD_KINDS } from "@restwell/providers"
import { addDays, datesOf } from "../calendar/date-range.ts"
import { todayIn } from "../calendar/time-zone.ts"
import type { Context } from "../context/context.ts"
import { USUAL_VALUES } from "../insights/usual-range.ts"
import { type Choice, chooseSources } from "../sources/choose.ts"
import { inOrder } from "../sources/preferences.ts"
import { readPreferences } from "../sources/read-preferences.ts"
import {
  readNightsBefore,
  readStoredSources,
  readTimeZone,
  readTrendFacts,
  type StoredSource,
  type TrendFact,
} from "../store/read-trend-rows.ts"
import { trendDay } from "./trend-day.ts"
import { usualRanges } from "./usual-ranges.ts"

/** A longer period has no courses of nights: its charts show none, and years of them would be megabytes. */
const COURSE_DATES = 31
/** A usual range is of 30 values. Twice as many nights give them even if every other night lacks one. */
const NIGHTS_BEFORE = 2 * USUAL_VALUES
/** Dates of a history without any record. */
const EMPTY_DAYS = 30

/**
 * A row for each of the dates that end today, also for dates without data, with the person's usual range at the time.
 * Its cost depends on the dates, not on the length of the history. @param days how many dates, or `all` back to the oldest record
 */
export async function readTrends(context: Context, userId: string, days: number | "all"): Promise<TrendsResponse> {
  const [zone, stored, preferences] = await Promise.all([
    readTimeZone(context, userId),
    readStoredSources(context, userId),
    readPreferences(context, userId),
  ])
  const sources = inOrder(answering(stored), preferences.order.sleep)
  const to = todayIn(zone, context.clock.now())
  const from = days === "all" ? (oldestOf(sources, to) ?? addDays(to, 1 - EMPTY_DAYS)) : addDays(to, 1 - days)
  const window = { userId, providers: sources.map(({ provider }) => provider), kinds: RECORD_KINDS, from, to }
  const [facts, before] = await Promise.all([
    readTrendFacts(context, window),
    readNightsBefore(context, window, NIGHTS_BEFORE),
  ])
  const choices = chooseSources(facts, preferences)
  const rows = rowsOf(datesOf({ from, to }), choices, before)
  const presented = sources.flatMap(presentSource)
  return {
    period: { start_date: from, end_date: to, days: rows.length },
    days: rows,
    source: presented[0] ?? null,
    sources: presented,
  }
}

/** The sources that answers read from. Without any, the first one that was disconnected with its data kept. */
function answering(stored: readonly StoredSource[]): readonly StoredSource[] {
  const connected = stored.filter(({ status }) => status !== "disconnected")
  const byAge = stored.toSorted((one, other) => one.connectedAt.getTime() - other.connectedAt.getTime())
  return connected.length > 0 ? connected : byAge.slice(0, 1)
}

function oldestOf(sources: readonly StoredSource[], today: string): string | undefined {
  const dates = sources.flatMap(({ oldestDate }) => (oldestDate !== null && oldestDate <= today ? [oldestDate] : []))
  return dates.toSorted()[0]
}

/** @param before the nights before the first date, oldest first */
function rowsOf(
  dates: readonly string[],
  choices: readonly Choice<TrendFact>[],
  before: readonly TrendFact[],
): TrendDay[] {
  const byDate = Map.groupBy(choices, ({ fact }) => fact.date)
  const ranges = usualRanges()
  for (const facts of Map.groupBy(before, ({ date }) => date).values()) ranges.add(facts)
  let sources = { recovery: sourceOfFirst("recovery", choices), sleep: sourceOfFirst("sleep", choices) }
  return dates.map((date) => {
    const ofDate = byDate.get(date) ?? []
    const chosen = ofDate.filter(({ because }) => because !== null)
    sources = {
      recovery: sourceOfFirst("recovery", chosen) ?? sources.recovery,
      sleep: sourceOfFirst("sleep", chosen) ?? sources.sleep,
    }
    const bands = ranges.bands(sources)
    ranges.add(ofDate.map(({ fact }) => fact))
    return {
      ...trendDay(
        date,
        chosen.map(({ fact }) => fact),
        { hasCourse: dates.length <= COURSE_DATES },
      ),
      ...bands,
    }
  })
}

/** The source that a date's usual ranges are of. */
const sourceOfFirst = (kind: "recovery" | "sleep", choices: readonly Choice<TrendFact>[]): string | undefined =>
  choices.find(({ fact, because }) => fact.kind === kind && because !== null && !isNap(fact))?.fact.provider

const isNap = (fact: TrendFact): boolean => fact.kind === "sleep" && fact.isNap

function presentSource({ provider, status, lastSyncedAt }: StoredSource): TrendsResponse["sources"] {
  if (status === "disconnected") return []
  return [{ provider, status, last_synced_at: lastSyncedAt?.toISOString() ?? null }]
}
