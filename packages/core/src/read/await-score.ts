/**
 * A read of today that waits until the night is scored. The vendor scores it 15 to 30 minutes after waking, and a program that asks then would
 * have to ask again and again. While a read waits it has no connection, and no place among the reads of its person.
 */
import { utcDateOf } from "@restwell/client/calendar-dates"
import type { Pool } from "pg"
import { todayIn, widestDateRange } from "../base/calendar.ts"
import type { Context } from "../context/context.ts"
import { chooseSources } from "../sources/choose.ts"
import { NO_PREFERENCES } from "../sources/rank.ts"
import { openDatabase } from "../store/database.ts"
import { type HealthSnapshot, readHealthSnapshot } from "../store/statements/read-health.ts"
import { readStoredSources } from "../store/statements/read-trend-rows.ts"
import { awaitedOf, MORNING_KINDS } from "./awaited.ts"
import { watchDataChanges } from "./data-changes.ts"
import type { HealthReader } from "./health-reader.ts"
import { withinKey } from "./key-scope.ts"
import { missingOf } from "./missing.ts"
import { typed } from "./query-types.ts"
import type { HealthReadRequest } from "./read-call.ts"

/** Reads of one person that wait at a time, in this process. Each one more is answered at once. */
const MOST_WAITING = 4

/**
 * Waits while the answer has today and a part of its morning is still to come: until nothing is, or the signal aborts.
 * Nothing is counted. Returns whether it waited: a read that is refused, or that has nothing to wait for, does not.
 */
export type AwaitScore = (request: HealthReadRequest, signal: AbortSignal) => Promise<boolean>

interface ScoreServices {
  readonly pool: Pool
  readonly reader: Pick<HealthReader, "read">
}

export function createScoreWait(context: Pick<Context, "clock" | "wait">, { pool, reader }: ScoreServices): AwaitScore {
  const change = watchDataChanges(context, pool)
  const waiting = new Map<string, number>()
  const findAwaiting = async (request: HealthReadRequest): Promise<HealthSnapshot | undefined> => {
    const now = context.clock.now()
    const snapshot = await readHealthSnapshot(pool, request.credential, wantedFor(request, now), now)
    if (!snapshot) return undefined
    const today = todayIn(snapshot, now)
    const kinds = kindsAskedOf(request, snapshot, today)
    if (kinds.length === 0) return undefined
    const stored = await readStoredSources({ database: openDatabase(pool) }, snapshot.userId)
    const morning = {
      today,
      kinds,
      sources: stored.filter(({ provider }) => [provider, "all"].includes(request.query.source ?? "all")),
      choices: chooseSources(snapshot.facts, snapshot.preferences ?? NO_PREFERENCES),
      missing: missingOf(snapshot, snapshot.facts, { kinds, range: { from: today, to: today }, today, zone: snapshot }),
    }
    return awaitedOf(morning).length > 0 ? snapshot : undefined
  }
  return async (request, signal) => {
    // What is refused without a look at the data is refused at once.
    const { outcome } = await reader.read({ ...request, isHead: true, ifNoneMatch: [] })
    let seen = outcome === "refused" ? undefined : await findAwaiting(request)
    if (!seen || signal.aborted) return false
    const { userId } = seen
    const others = waiting.get(userId) ?? 0
    if (others >= MOST_WAITING) return false
    waiting.set(userId, others + 1)
    try {
      while (seen && !signal.aborted) {
        await change(seen, signal)
        if (!signal.aborted) seen = await findAwaiting(request)
      }
      return true
    } finally {
      const left = (waiting.get(userId) ?? 0) - 1
      if (left > 0) waiting.set(userId, left)
      else waiting.delete(userId)
    }
  }
}

/** Nights and recoveries of today. */
const wantedFor = ({ query: { source } }: HealthReadRequest, now: Date) => ({
  kinds: MORNING_KINDS,
  range: widestDateRange({ days: 1 }, utcDateOf(now)),
  profile: false,
  source: source === "all" ? undefined : source,
  allRecords: true,
  knownVersions: [],
})

/** What of a morning is asked for. Nothing where the dates have no today. */
function kindsAskedOf(request: HealthReadRequest, snapshot: HealthSnapshot, today: string) {
  const { query, limits } = withinKey(request, { ...snapshot, key: request.scope ?? snapshot.key }, today)
  const { range, groups } = typed(query).plan(today, limits)
  if (range === null || range.from > today || range.to < today) return []
  return MORNING_KINDS.filter((kind) => groups.includes(kind))
}
