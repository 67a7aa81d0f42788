import { type RateLimited, SPARE_PURPOSES, type SyncPolicy } from "@restwell/providers"
import type { ConnectionId, Context } from "../context/context.ts"
import { nextNews, type SyncStep } from "./next-step.ts"
import type { SyncState } from "./sync-state.ts"

/** A vendor may report that its window ends in 0 seconds. */
const SHORTEST_WAIT_MS = 1_000

/** A step that got no calls. */
interface WaitingStep {
  readonly step: SyncStep
  readonly state: SyncState
  readonly policy: SyncPolicy
  readonly error: RateLimited
}

/**
 * Schedules a step again for when there are calls, and stores what it waits for: the person sees it. News are looked for meanwhile,
 * because they have a larger share of the calls than history and requested syncs.
 */
export async function waitForCalls(
  { database, clock, logger }: Pick<Context, "database" | "clock" | "logger">,
  connection: ConnectionId,
  { step: { purpose }, state, policy, error }: WaitingStep,
): Promise<void> {
  const now = clock.now()
  const until = new Date(now.getTime() + Math.max(error.retryAfterSeconds * 1000, SHORTEST_WAIT_MS))
  logger.info(
    { ...connection, waitsFor: error.reason, reason: error.message, purpose, until },
    "sync waits for the vendor's limits",
  )
  const newsAt = nextNews(policy, state, now)
  const isSooner = SPARE_PURPOSES.includes(purpose) && newsAt > now && newsAt < until
  // Events wait only when their share is used up too.
  const blocksEvents = purpose === "event" || purpose === "person"
  await database
    .updateTable("connection")
    .set({
      next_sync_at: isSooner ? newsAt : until,
      ...(blocksEvents && { retry_after: until }),
      waiting_reason: error.reason,
      waiting_message: messageOf(error),
      waiting_until: until,
    })
    .where("user_id", "=", connection.userId)
    .where("provider", "=", connection.provider)
    .where("generation", "=", state.generation)
    .execute()
}

/** The vendor's own refusal names a path of its API, which says nothing to a person. */
const messageOf = ({ reason, message }: RateLimited): string =>
  reason === "vendor_limit" ? "the vendor accepts no more calls from this service for now" : message
