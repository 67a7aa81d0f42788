/**
 * A read of today that waits until the night is scored. The vendor scores it 15 to 30 minutes after waking, and a program that asks then would
 * have to ask again and again. While a read waits it has no connection, and no place among the reads of its person.
 */
import { getsNewData } from "@restwell/client"
import { utcDateOf } from "@restwell/client/calendar-dates"
import type { Pool } from "pg"
import { todayIn, widestDateRange } from "../base/calendar.ts"
import type { Context } from "../context/context.ts"
import { choose } from "../sources/choose.ts"
import { NO_PREFERENCES } from "../sources/rank.ts"
import { type HealthSnapshot, readHealthSnapshot } from "../store/statements/read-health.ts"
import type { StoredRecord } from "../store/stored-record.ts"
import { watchDataChanges } from "./data-changes.ts"
import type { HealthReader } from "./health-reader.ts"
import { withinKey } from "./key-scope.ts"
import { typed } from "./query-types.ts"
import type { HealthReadRequest } from "./read-call.ts"

/** Reads of one person that wait at a time, in this process. Each one more is answered at once. */
const MOST_WAITING = 4

/** Dates up to today in which a person's devices show what they give of a night. */
const RECENT_DATES = 14

/** What a night ends with. */
const AWAITED_KINDS = ["sleep", "recovery"] as const

/**
 * Waits while the answer has today and the night or the recovery of today is absent or pending: until both are there, or the signal aborts.
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
    return snapshot && isAwaiting(request, snapshot, todayIn(snapshot, now)) ? snapshot : undefined
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

/** Nights and recoveries of the newest dates. */
const wantedFor = ({ query: { source } }: HealthReadRequest, now: Date) => ({
  kinds: AWAITED_KINDS,
  range: widestDateRange({ days: RECENT_DATES }, utcDateOf(now)),
  profile: false,
  source: source === "all" ? undefined : source,
  allRecords: true,
  knownVersions: [],
})

function isAwaiting(request: HealthReadRequest, snapshot: HealthSnapshot, today: string): boolean {
  const { query, limits } = withinKey(request, { ...snapshot, key: request.scope ?? snapshot.key }, today)
  const { range, groups } = typed(query).plan(today, limits)
  if (range === null || range.from > today || range.to < today) return false
  const reasons = choose(snapshot.facts, snapshot.preferences ?? NO_PREFERENCES)
  const answering = snapshot.facts.filter((fact, index) => reasons[index] && fact.date === today && !isNap(fact))
  const { source = "all" } = request.query
  const comes = new Set(
    snapshot.sources
      .filter((one) => getsNewData(one) && [one.provider, "all"].includes(source))
      .map(({ provider }) => provider),
  )
  const known = snapshot.facts.filter((fact) => !isNap(fact) && comes.has(fact.provider))
  return AWAITED_KINDS.filter((kind) => groups.includes(kind)).some((kind) => {
    const ofKind = answering.filter((fact) => fact.kind === kind)
    // What the connected devices never give is not on its way, nor is anything of an archive. Without any night of theirs nothing says what they give.
    if (ofKind.length === 0) return comes.size > 0 && (known.length === 0 || known.some((fact) => fact.kind === kind))
    return ofKind.some(({ scoreState, provider }) => scoreState === "pending" && comes.has(provider))
  })
}

const isNap = (fact: StoredRecord): boolean => fact.kind === "sleep" && fact.isNap
