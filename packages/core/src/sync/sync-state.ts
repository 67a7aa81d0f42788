import { sql } from "kysely"
import type { ConnectionId, Context } from "../context/context.ts"

/** What is known of a connection when the next step of its sync is chosen. */
export interface SyncState {
  readonly generation: string
  readonly memberId: string | null
  /** When the newest days were last read from the vendor's lists. */
  readonly listedAt: Date | null
  /** When news are due to be asked for; null for now. */
  readonly refreshAt: Date | null
  readonly lastSyncedAt: Date | null
  /** When a reader found the answer old. */
  readonly requestedAt: Date | null
  /** When late changes were last looked for; null asks for it. */
  readonly reconciledAt: Date | null
  /** How often they were. */
  readonly reconciliations: number
  readonly fetchedBackTo: Date | null
  readonly historyComplete: boolean
  readonly profileFetchedAt: Date | null
  /** When the vendor last told of a change: of this person's data, of anybody's. */
  readonly lastEventAt: Date | null
  readonly lastEventOfVendorAt: Date | null
  /** Records that wait to be read again. */
  readonly pendingEvents: number
  /** True when a sleep is among them: most often it is the night's. */
  readonly hasPendingSleep: boolean
  /** True while a record of the last days waits for its score. */
  readonly awaitsScores: boolean
}

/** A score that has not come by then does not come without being told of. */
const SCORED_WITHIN_MS = 2 * 86_400_000

/** Undefined when there is nothing to sync: the connection ended, or waits for the person. */
export async function readSyncState(
  { database, clock }: Pick<Context, "database" | "clock">,
  { userId, provider }: ConnectionId,
): Promise<SyncState | undefined> {
  const row = await database
    .selectFrom("connection")
    .select([
      "generation",
      "member_id",
      "listed_at",
      "refresh_at",
      "last_synced_at",
      "sync_requested_at",
      "reconciled_at",
      "reconciliations",
      "fetched_back_to",
      "history_complete",
      "last_event_at",
      sql<Date | null>`(select f.fetched_at from restwell.profile f where f.user_id = ${userId} and f.provider = ${provider})`.as(
        "profile_fetched_at",
      ),
      sql<Date | null>`(select max(e.seen_at) from restwell.vendor_event_seen e where e.provider = ${provider})`.as(
        "last_event_of_vendor_at",
      ),
      sql<number>`(select count(*)::int from restwell.vendor_event e
        where e.user_id = ${userId} and e.provider = ${provider} and e.due_at <= ${clock.now()})`.as("pending_events"),
      sql<boolean>`exists (
        select from restwell.vendor_event e
        where e.user_id = ${userId} and e.provider = ${provider} and e.kind = 'sleep')`.as("has_pending_sleep"),
      sql<boolean>`exists (
        select from restwell.record r
        where r.user_id = ${userId} and r.provider = ${provider} and r.score_state = 'pending'
          and r.started_at > ${new Date(clock.now().getTime() - SCORED_WITHIN_MS)} and (r.kind <> 'cycle' or r.ended_at is not null))`.as(
        "awaits_scores",
      ),
    ])
    .where("user_id", "=", userId)
    .where("provider", "=", provider)
    .where("status", "not in", ["disconnected", "reauthorization_required"])
    .executeTakeFirst()
  return (
    row && {
      generation: row.generation,
      memberId: row.member_id,
      listedAt: row.listed_at,
      refreshAt: row.refresh_at,
      lastSyncedAt: row.last_synced_at,
      requestedAt: row.sync_requested_at,
      reconciledAt: row.reconciled_at,
      reconciliations: row.reconciliations,
      fetchedBackTo: row.fetched_back_to,
      historyComplete: row.history_complete,
      profileFetchedAt: row.profile_fetched_at,
      lastEventAt: row.last_event_at,
      lastEventOfVendorAt: row.last_event_of_vendor_at,
      pendingEvents: row.pending_events,
      hasPendingSleep: row.has_pending_sleep,
      awaitsScores: row.awaits_scores,
    }
  )
}
