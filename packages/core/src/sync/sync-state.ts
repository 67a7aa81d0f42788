import { DAY_MS } from "@restwell/client/time-units"
import type { CallPurpose, SampleWindow, SyncPolicy, VendorAdapter } from "@restwell/providers"
import { sql } from "kysely"
import { INACTIVE, isActive } from "../connect/connection-status.ts"
import type { ConnectionId, Context } from "../context/context.ts"
import type { ConnectionStatus } from "../store/connection-tables.ts"
import { type Gap, gapOf, isGapDue, isOfWindows } from "./gaps.ts"

/** The state of a connection from which the next step is chosen. */
export interface SyncState {
  readonly generation: string
  readonly memberId: string | null
  /** True in a run whose read of the profile failed. @default false */
  readonly skipsProfile?: boolean
  /** When the trailing days were last listed. */
  readonly listedAt: Date | null
  /** When to poll next. Null for now. */
  readonly refreshAt: Date | null
  readonly lastSyncedAt: Date | null
  /** When a reader found the data too old. */
  readonly requestedAt: Date | null
  /** When the person last requested a sync. */
  readonly personRequestedAt: Date | null
  /** When late changes were last looked for. Null for as soon as possible. */
  readonly reconciledAt: Date | null
  /** Number of reconciliations so far. */
  readonly reconciliations: number
  /** What is lacking of single collections. */
  readonly gaps: readonly Gap[]
  readonly connectedAt: Date
  readonly fetchedBackTo: Date | null
  readonly historyComplete: boolean
  readonly samples: SampleState
  readonly profileFetchedAt: Date | null
  /** When the last event arrived: about this person, and about anyone. */
  readonly lastEventAt: Date | null
  readonly lastEventOfVendorAt: Date | null
  /** Number of events that wait. */
  readonly pendingEvents: number
  /** True if one of them is about a sleep, most often the night's. */
  readonly hasPendingSleep: boolean
  /** True while a recent record has no score. */
  readonly awaitsScores: boolean
}

/** What is read of the values within the day that are no parts of records. */
export interface SampleState {
  /** When the newest ones were last read. */
  readonly readAt: Date | null
  /** Where the next read of the newest ones continues. */
  readonly until: Date | null
  /** How far back the past is read. */
  readonly backTo: Date | null
  /** Where the past ends that is read a second time. Null for the first time, which ends where the history begins or the policy says. */
  readonly goal: Date | null
  /** True while all of their collections fail. */
  readonly isRefused: boolean
}

/** Returns undefined when there is nothing to sync: the connection ended or waits for the person. */
export async function readSyncState(
  { database, clock }: Pick<Context, "database" | "clock">,
  { userId, provider }: ConnectionId,
  { syncPolicy: { scores }, collections }: Pick<VendorAdapter, "syncPolicy" | "collections">,
): Promise<SyncState | undefined> {
  const now = clock.now()
  const row = await database
    .selectFrom("connection")
    .select([
      "generation",
      "member_id as memberId",
      "listed_at as listedAt",
      "refresh_at as refreshAt",
      "last_synced_at as lastSyncedAt",
      "sync_requested_at as requestedAt",
      "person_requested_at as personRequestedAt",
      "reconciled_at as reconciledAt",
      "reconciliations",
      "gaps",
      "connected_at as connectedAt",
      "fetched_back_to as fetchedBackTo",
      "history_complete as historyComplete",
      "samples_read_at",
      "samples_until",
      "samples_back_to",
      "samples_goal",
      "last_event_at as lastEventAt",
      sql<Date | null>`(select f.fetched_at from restwell.profile f where f.user_id = ${userId} and f.provider = ${provider} and not f.from_archive)`.as(
        "profileFetchedAt",
      ),
      sql<Date | null>`(select max(e.seen_at) from restwell.vendor_event_seen e where e.provider = ${provider})`.as(
        "lastEventOfVendorAt",
      ),
      sql<number>`(select count(*)::int from restwell.vendor_event e
        where e.user_id = ${userId} and e.provider = ${provider} and e.due_at <= ${now})`.as("pendingEvents"),
      sql<boolean>`exists (
        select from restwell.vendor_event e
        where e.user_id = ${userId} and e.provider = ${provider} and e.kind = 'sleep')`.as("hasPendingSleep"),
      sql<boolean>`exists (
        select from restwell.record r
        where r.user_id = ${userId} and r.provider = ${provider} and r.score_state = 'pending' and not r.from_archive
          and r.started_at > ${new Date(now.getTime() - scores.giveUpAfterMs)}
          and (r.kind <> 'cycle' or r.ended_at is not null))`.as("awaitsScores"),
    ])
    .where("user_id", "=", userId)
    .where("provider", "=", provider)
    .where("status", "not in", INACTIVE)
    .executeTakeFirst()
  if (!row) return undefined
  const { samples_read_at: readAt, samples_until: until, samples_back_to: backTo, samples_goal: goal, ...state } = row
  const gaps = row.gaps.map(gapOf)
  const ofSamples = collections.all.filter(({ holds }) => holds.includes("samples"))
  const isFailing = (name: string) => gaps.some(({ collection, failures }) => collection === name && failures > 0)
  const isRefused = ofSamples.length > 0 && ofSamples.every(({ name }) => isFailing(name))
  return { ...state, gaps, samples: { readAt, until, backTo, goal, isRefused } }
}

/** The UTC day that an instant is in, from its beginning. Left-out samples are counted by days, so that reads replace the counts whole. */
const startOfDay = (atMs: number): Date => new Date(Math.floor(atMs / DAY_MS) * DAY_MS)

/** Clocks of devices may be ahead. */
const endOfPresent = (now: Date): Date => startOfDay(now.getTime() + 2 * DAY_MS)

/** What is read of samples at once. */
export interface SampleReadWindow extends SampleWindow {
  /** True where stored samples stay although the vendor does not list them: a list of the past may be incomplete. */
  readonly keepsMissing: boolean
}

/** The samples before are stored, of the collections without a gap. Null before any was read. */
export const samplesStoredUntil = (
  { overlapMs }: Pick<NonNullable<SyncPolicy["samples"]>, "overlapMs">,
  { until }: Pick<SampleState, "until">,
  now: Date,
): Date | null => until && startOfDay(Math.min(until.getTime(), now.getTime()) - overlapMs)

/** Returns the window of the newest samples. One that does not reach the present is followed by another. */
export function newestSamplesWindow(
  { trailingDays, overlapMs, windowDays }: NonNullable<SyncPolicy["samples"]>,
  { until, readAt }: SampleState,
  now: Date,
): SampleReadWindow {
  const trailing = startOfDay(now.getTime() - trailingDays * DAY_MS)
  const recent = samplesStoredUntil({ overlapMs }, { until }, now) ?? trailing
  const isFirstOfDay = readAt === null || startOfDay(readAt.getTime()) < startOfDay(now.getTime())
  const from = isFirstOfDay && trailing < recent ? trailing : recent
  const present = endOfPresent(now)
  const longest = new Date(from.getTime() + windowDays * DAY_MS)
  return { from, to: longest < present ? longest : present, keepsMissing: from < recent }
}

/**
 * Returns the next window of the past of samples: of a collection that answers again, or on from where the past is read to. Undefined when
 * there is none, or not yet: the history of records comes first.
 */
export function pastSamplesWindow(
  { windowDays, since }: NonNullable<SyncPolicy["samples"]>,
  state: SyncState,
  now: Date,
): SampleReadWindow | undefined {
  const { samples, historyComplete, fetchedBackTo } = state
  for (const gap of state.gaps) {
    const { lacksFrom, lacksTo: to } = gap
    if (isOfWindows(gap) || to === null || !isGapDue(gap, state, now)) continue
    return { from: new Date(Math.max(lacksFrom.getTime(), to.getTime() - windowDays * DAY_MS)), to, keepsMissing: true }
  }
  const { backTo, goal: nearGoal, isRefused } = samples
  const farGoal = since && fetchedBackTo && since < fetchedBackTo ? since : fetchedBackTo
  const goal = nearGoal ?? farGoal
  if (isRefused || !historyComplete || backTo === null || goal === null || backTo <= goal) return undefined
  const from = Math.max(backTo.getTime() - windowDays * DAY_MS, startOfDay(goal.getTime()).getTime())
  return { from: new Date(from), to: backTo, keepsMissing: true }
}

/** Returns the progress that a read of samples makes. @param newest time of the newest sample of the window */
export function sampleProgress(
  { samples: { until, backTo } }: Pick<SyncState, "samples">,
  { purpose, window: { from, to } }: { readonly purpose: string; readonly window: SampleWindow },
  asOf: Date,
  newest?: Date,
): Partial<SampleState> {
  // The gap of a collection is read apart from the past of all.
  if (purpose === "history") return to.getTime() === backTo?.getTime() ? { backTo: from } : {}
  const isPresent = to > asOf
  return { until: isPresent ? (newest ?? until) : to, backTo: backTo ?? from, ...(isPresent && { readAt: asOf }) }
}

/** Returns where the past of samples is read again after the first reconciliation. Undefined while it is read anyway. */
export function reconciledSamples(
  { samples: policy }: SyncPolicy,
  state: SyncState,
  now: Date,
): Pick<SampleState, "backTo" | "goal"> | undefined {
  const { backTo: reached, isRefused } = state.samples
  const isFirst = state.reconciliations === 0
  if (!policy || !isFirst || isRefused || reached === null || pastSamplesWindow(policy, state, now)) return undefined
  const backTo = startOfDay(now.getTime())
  return { backTo, goal: new Date(backTo.getTime() - policy.reconciledDays * DAY_MS) }
}

/** Counts of all syncs, for the operator. No figure is about one person. */
interface SyncCounts {
  readonly connections: readonly {
    readonly provider: string
    readonly status: ConnectionStatus
    readonly count: number
  }[]
  /** All calls so far. */
  readonly calls: readonly { readonly provider: string; readonly purpose: CallPurpose; readonly count: number }[]
  /** Calls of the last whole UTC day per active connection. */
  readonly callsPerConnection: readonly { readonly provider: string; readonly count: number }[]
  /** Waiting events, and the age of the oldest, seconds. */
  readonly waiting: readonly { readonly provider: string; readonly count: number; readonly oldestSeconds: number }[]
  /** Connections whose sync waits for calls, by what it waits for. */
  readonly waitingForCalls: readonly { readonly provider: string; readonly reason: string; readonly count: number }[]
  /** Records that cannot be used. */
  readonly rejected: readonly { readonly provider: string; readonly kind: string; readonly count: number }[]
  /** Fields that are missing in their records, because they are wrong. */
  readonly leftOutFields: readonly LeftOutCount[]
}

/** Records that are used without a field. */
export interface LeftOutCount {
  readonly provider: string
  readonly kind: string
  /** Path in the vendor's record. */
  readonly field: string
  readonly count: number
}

/** Counts the fields that are missing in stored records because they are wrong. Elements of a list count as the list. */
export async function readLeftOutFields(database: Context["database"]): Promise<LeftOutCount[]> {
  const { rows } = await sql<LeftOutCount>`
    select r.provider, r.kind, regexp_replace(f.field, '\\.\\d+(?=\\.|$)', '', 'g') as field, count(*)::int as count
    from restwell.record r, json_to_recordset(r.detail -> 'leftOut') as f (field text)
    where r.detail -> 'leftOut' is not null group by 1, 2, 3 order by 1, 2, 3
  `.execute(database)
  return rows
}

/** Counts over the whole database. Every process returns the same. */
export async function readSyncCounts({ database, clock }: Pick<Context, "database" | "clock">): Promise<SyncCounts> {
  const now = clock.now()
  const yesterday = new Date(now.getTime() - DAY_MS)
  const [connections, calls, callsPerConnection, waiting, waitingForCalls, rejected, leftOutFields] = await Promise.all(
    [
      sql<SyncCounts["connections"][number]>`
      select provider, status, count(*)::int as count from restwell.connection group by provider, status
    `.execute(database),
      sql<SyncCounts["calls"][number]>`
      select provider, purpose, sum(calls)::int as count from restwell.vendor_call_count group by provider, purpose
    `.execute(database),
      sql<SyncCounts["callsPerConnection"][number]>`
      select n.provider, sum(n.calls)::float8 / greatest(1, (
        select count(*) from restwell.connection c
        where c.provider = n.provider and ${isActive})) as count
      from restwell.vendor_call_count n where n.day = (${yesterday}::timestamptz at time zone 'UTC')::date group by n.provider
    `.execute(database),
      sql<SyncCounts["waiting"][number]>`
      select provider, count(*)::int as count,
        greatest(0, extract(epoch from ${now}::timestamptz - min(received_at)))::float8 as "oldestSeconds"
      from restwell.vendor_event group by provider
    `.execute(database),
      sql<SyncCounts["waitingForCalls"][number]>`
      select c.provider, c.waiting_reason as reason, count(*)::int as count from restwell.connection c
      where c.waiting_until > ${now} and ${isActive} group by c.provider, c.waiting_reason
    `.execute(database),
      sql<SyncCounts["rejected"][number]>`
      select provider, kind, count(*)::int as count from restwell.rejected_record group by provider, kind
    `.execute(database),
      readLeftOutFields(database),
    ],
  )
  return {
    connections: connections.rows,
    calls: calls.rows,
    callsPerConnection: callsPerConnection.rows,
    waiting: waiting.rows,
    waitingForCalls: waitingForCalls.rows,
    rejected: rejected.rows,
    leftOutFields,
  }
}
