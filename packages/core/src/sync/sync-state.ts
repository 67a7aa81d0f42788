import type { CollectionGap, SyncPolicy } from "@restwell/providers"
import { sql } from "kysely"
import { INACTIVE } from "../connect/connection-status.ts"
import type { ConnectionId, Context } from "../context/context.ts"

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
  /** What the vendor refused to give when it was last asked. */
  readonly gaps: readonly CollectionGap[]
  readonly fetchedBackTo: Date | null
  readonly historyComplete: boolean
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

/** Returns undefined when there is nothing to sync: the connection ended or waits for the person. */
export async function readSyncState(
  { database, clock }: Pick<Context, "database" | "clock">,
  { userId, provider }: ConnectionId,
  { scores }: SyncPolicy,
): Promise<SyncState | undefined> {
  const now = clock.now()
  return database
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
      "fetched_back_to as fetchedBackTo",
      "history_complete as historyComplete",
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
}

/** A part of a person's history: records that started at `from` or later and before `to`. An open end includes the present. */
export interface SyncWindow {
  readonly from: Date
  readonly to: Date | null
}

const DAY_MS = 86_400_000

/** Returns the window of a listing: a number of days before the last listing, or before now without one. */
export function listingWindow(now: Date, listedAt: Date | null, days: number): SyncWindow {
  const anchor = Math.min(now.getTime(), listedAt?.getTime() ?? now.getTime())
  return { from: new Date(anchor - days * DAY_MS), to: null }
}

/** Returns the next window of the history before the part that is stored. */
export const historyWindow = (fetchedBackTo: Date, days: number): SyncWindow => ({
  from: new Date(fetchedBackTo.getTime() - days * DAY_MS),
  to: fetchedBackTo,
})
