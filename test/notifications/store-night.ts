// Nights of people whose vendor is connected, stored as a sync stores them.
import { ingest } from "@restwell/core/ingest"
import type { NormalizedRecord } from "@restwell/providers"
import type { World } from "@restwell/testing/world"
import { expect } from "vitest"
import type { MadeNight } from "./people.ts"

const PROVIDER = "whoop"

/** Connects a vendor that is never asked, and whose history has arrived. Nights from then on are news. */
export async function connect(world: World, userId: string, at = world.context.clock.now()): Promise<void> {
  await world.store.pool.query(
    `insert into restwell.connection (user_id, provider, status, status_changed_at, connected_at, next_sync_at, history_complete)
     values ($1, $2, 'ok', $3, $3, 'infinity', true)`,
    [userId, PROVIDER, at],
  )
}

export async function storeNight(
  world: World,
  userId: string,
  night: MadeNight,
  { isScored, isRecoveryScored = isScored }: { readonly isScored: boolean; readonly isRecoveryScored?: boolean },
): Promise<void> {
  const { rows } = await world.store.pool.query<{ generation: string }>(
    "select generation from restwell.connection where user_id = $1",
    [userId],
  )
  const asOf = world.context.clock.now()
  const isStored = await ingest(
    world.context,
    { userId, provider: PROVIDER },
    {
      generation: rows[0]?.generation ?? "",
      fetched: { records: recordsOf(night, isScored, isRecoveryScored), rejected: [], deleted: [] },
      progress: { lastSyncedAt: asOf },
      asOf,
    },
  )
  expect(isStored).toBe(true)
}

function recordsOf(night: MadeNight, isScored: boolean, isRecoveryScored: boolean): NormalizedRecord[] {
  const { id, startMs, endMs, utcOffsetMinutes } = night
  const common = { updatedMs: isScored ? night.scoredMs : night.arrivesMs, raw: {} }
  const stateOf = (isKnown: boolean) => (isKnown ? ("scored" as const) : ("pending" as const))
  const durationMs = endMs - startMs
  return [
    {
      ...common,
      kind: "sleep",
      providerId: id,
      scoreState: stateOf(isScored),
      startMs,
      endMs,
      utcOffsetMinutes,
      isNap: false,
      durationMs,
      ...(isScored && {
        stages: { lightMs: durationMs / 2, deepMs: durationMs / 4, remMs: durationMs / 5, awakeMs: durationMs / 20 },
      }),
    },
    {
      ...common,
      kind: "recovery",
      providerId: `${id}-r`,
      scoreState: stateOf(isRecoveryScored),
      sleepProviderId: id,
      createdMs: endMs,
      ...(isRecoveryScored && { scorePercent: 60, hrvMs: night.hrv, restingHeartRateBpm: night.restingHeartRate }),
    },
  ]
}
