// Nights of people whose vendor is connected, stored as a sync stores them.
import { ingest } from "@restwell/core/ingest"
import type { NormalizedRecord, RecordKind } from "@restwell/providers"
import type { World } from "@restwell/testing/world"
import { expect } from "vitest"
import type { MadeNight } from "./people.ts"

/** Connects a vendor that is never asked, and whose history has arrived. Nights from then on are news. */
export async function connect(
  world: World,
  userId: string,
  at = world.context.clock.now(),
  provider = "whoop",
): Promise<void> {
  await world.store.pool.query(
    `insert into restwell.connection (user_id, provider, status, status_changed_at, connected_at, next_sync_at, history_complete)
     values ($1, $2, 'ok', $3, $3, 'infinity', true)`,
    [userId, provider, at],
  )
}

interface Stored {
  readonly isScored: boolean
  /** @default as the night */
  readonly isRecoveryScored?: boolean
  /** Whether the vendor found too little of it to score it. */
  readonly isUnscorable?: boolean
  /** @default both */
  readonly kinds?: readonly RecordKind[]
  readonly provider?: string
}

export async function storeNight(world: World, userId: string, night: MadeNight, stored: Stored): Promise<void> {
  const { kinds = ["sleep", "recovery"], provider = "whoop" } = stored
  const records = recordsOf(night, stored).filter(({ kind }) => kinds.includes(kind))
  await change(world, { userId, provider }, { records, deleted: [] })
}

/** As after the vendor has deleted it. */
export async function deleteNight(world: World, userId: string, { id }: MadeNight): Promise<void> {
  const deleted = [
    { kind: "sleep" as const, providerId: id },
    { kind: "recovery" as const, providerId: `${id}-r` },
  ]
  await change(world, { userId, provider: "whoop" }, { records: [], deleted })
}

type Fetched = NonNullable<Parameters<typeof ingest>[2]["fetched"]>

async function change(
  world: World,
  connection: { readonly userId: string; readonly provider: string },
  fetched: Pick<Fetched, "records" | "deleted">,
): Promise<void> {
  const { rows } = await world.store.pool.query<{ generation: string }>(
    "select generation from restwell.connection where user_id = $1 and provider = $2",
    [connection.userId, connection.provider],
  )
  const asOf = world.context.clock.now()
  const isStored = await ingest(world.context, connection, {
    generation: rows[0]?.generation ?? "",
    fetched: { ...fetched, rejected: [] },
    progress: { lastSyncedAt: asOf },
    asOf,
  })
  expect(isStored).toBe(true)
}

function recordsOf(
  night: MadeNight,
  { isScored, isRecoveryScored = isScored, isUnscorable = false }: Stored,
): NormalizedRecord[] {
  const { id, startMs, endMs, utcOffsetMinutes } = night
  const common = { updatedMs: isScored ? night.scoredMs : night.arrivesMs, raw: {} }
  const stateOf = (isKnown: boolean) => (isKnown ? ("scored" as const) : ("pending" as const))
  const durationMs = endMs - startMs
  return [
    {
      ...common,
      kind: "sleep",
      providerId: id,
      scoreState: isUnscorable ? "unscorable" : stateOf(isScored),
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
