import { setTimeout as wait } from "node:timers/promises"
import { createTokenCipher } from "@restwell/core"
import { VENDORS } from "@restwell/providers"
import { TEST_SECRET } from "@restwell/testing/service"
import { createWorld, expectTruth, type World } from "@restwell/testing/world"
import type { Pool } from "pg"
import { expect } from "vitest"
import type { Customer } from "./customer.ts"
import type { CrashVendor } from "./vendors.ts"

const LOOK_AGAIN_MS = 500
/** Records may change during a comparison, so it is repeated: a difference that stays is a fault. */
const COMPARISONS = 3

/** Counts unfinished work: incomplete histories, of samples too, failed syncs that will be retried, requested syncs, and events that are not processed. */
const UNFINISHED = `
  select
    (select count(*) from restwell.connection c
     where c.status <> 'reauthorization_required' and (c.status <> 'ok' or not c.history_complete or c.failures > 0
       or c.gaps <> '[]' or c.samples_read_at < c.last_synced_at
       or c.samples_back_to > coalesce(c.samples_goal, c.fetched_back_to)
       or ($1 and c.samples_back_to is null)
       or $2::timestamptz is not null and (c.person_requested_at is null or c.person_requested_at < $2
         or c.reconciled_at is null or c.reconciled_at < c.person_requested_at)))::int
    + (select count(*) from restwell.vendor_event e join restwell.connection c using (user_id, provider)
       where c.status <> 'reauthorization_required')::int as count,
    (select coalesce(string_agg(c.gaps::text, ' '), 'none') from restwell.connection c where c.gaps <> '[]') as gaps`

interface StoredConnection {
  readonly user_id: string
  readonly status: string
  readonly key_id: string
  readonly refresh_token: Buffer
}

const CONNECTION = `
  select c.user_id, c.status, g.key_id, g.refresh_token
  from restwell."user" u join restwell.connection c on c.user_id = u.id join restwell.vendor_grant g on g.user_id = u.id
  where u.email = $1`

interface Idle {
  readonly pool: Pool
  readonly url: string
  readonly customers: readonly Customer[]
  readonly longestMs: number
}

/**
 * Waits until the vendor has delivered all webhooks and the service has no work left. Where no webhook announces a change, each person
 * requests a sync meanwhile. Returns how long it took, in milliseconds.
 */
export async function untilIdle(
  { vendor: { simulator, provider, recentIds } }: Pick<CrashVendor, "vendor">,
  { pool, url, customers, longestMs }: Idle,
): Promise<number> {
  const startedAt = performance.now()
  const hasSamples = VENDORS[provider].syncPolicy.samples !== null
  // A request counts once the history is complete: before, it lists the newest days alone.
  let requestedSince: Date | null = null
  for (;;) {
    const undelivered = simulator.webhooks.deliveries.filter(({ state }) => state !== "delivered").length
    const { rows } = await pool.query<{ count: number; gaps: string }>(UNFINISHED, [hasSamples, requestedSince])
    const unfinished = rows[0]?.count
    const tookMs = performance.now() - startedAt
    if (undelivered === 0 && unfinished === 0) {
      if (requestedSince !== null || !recentIds) return tookMs
      requestedSince = simulator.clock.now()
    }
    if (tookMs > longestMs)
      throw new Error(
        `after ${longestMs} ms ${undelivered} webhooks and ${unfinished} pieces of work are left, gaps: ${rows[0]?.gaps}`,
      )
    if (requestedSince !== null) for (const customer of customers) await customer.requestSync(url)
    await wait(LOOK_AGAIN_MS)
  }
}

/**
 * Expects that all reads are counted and all records stored. Returns how many people have to connect again: a vendor issues a new token pair
 * once, and a kill between its reply and our commit loses it. Only people in `renewing` can be affected.
 */
export async function expectNothingLost(
  { vendor, world: options }: Pick<CrashVendor, "vendor" | "world">,
  pool: Pool,
  url: string,
  customers: readonly Customer[],
  renewing: ReadonlySet<number>,
): Promise<number> {
  const world = await createWorld(options)
  let lost = 0
  for (const customer of customers) {
    const connection = await connectionOf(pool, customer)
    const account = await customer.look(url)
    const used = account?.usage.by_day.reduce((sum, { requests }) => sum + requests, 0)
    const { complete, uncertain } = customer.reads
    expect(used).toBeGreaterThanOrEqual(complete)
    expect(used).toBeLessThanOrEqual(complete + uncertain)
    if (connection.status === "reauthorization_required") {
      lost += 1
      expect(
        vendor.simulator.tokens.isRefreshable(refreshTokenOf(connection, vendor.provider)),
        "the stored grant is alive",
      ).toBe(false)
      expect(renewing, "a grant was lost although no kill interrupted its refresh").toContain(customer.person.userId)
    } else {
      expect(connection.status).toBe("ok")
      const stored = await expectVendorsRecords(world, pool, connection.user_id, customer)
      expect(account?.connections[0]?.history).toEqual({ complete: true, records: stored })
    }
  }
  await world.close()
  return lost
}

async function connectionOf(pool: Pool, customer: Customer): Promise<StoredConnection> {
  const { rows } = await pool.query<StoredConnection>(CONNECTION, [customer.email])
  const [connection, ...more] = rows
  if (!connection || more.length > 0) throw new Error(`there are ${rows.length} connections where one was acknowledged`)
  return connection
}

/** A token is encrypted for its user and purpose, and can be decrypted only with both. */
const refreshTokenOf = ({ user_id, key_id, refresh_token }: StoredConnection, provider: string): string =>
  createTokenCipher([TEST_SECRET]).open({ keyId: key_id, bytes: refresh_token }, `${user_id}/${provider}/refresh_token`)

/** Expects that the stored records are the vendor's. Returns how many there are. */
async function expectVendorsRecords(world: World, pool: Pool, userId: string, { person }: Customer): Promise<number> {
  for (let left = COMPARISONS - 1; ; left -= 1) {
    try {
      return await expectTruth(world, { userId, person }, { store: { pool } })
    } catch (error) {
      if (left === 0) throw error
      await wait(LOOK_AGAIN_MS)
    }
  }
}
