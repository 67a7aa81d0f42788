import { ProviderError, type SyncPolicy, type VendorAdapter } from "@restwell/providers"
import { sql } from "kysely"
import { isActive } from "../connection/active-connection.ts"
import type { Context } from "../context/context.ts"

const HOUR_MS = 3_600_000
/** Vendors renew for months. A day finds a lost subscription soon enough. */
const KEEP_EVERY_MS = 24 * HOUR_MS
/** After a failure, or when the process that tries ends. */
const RETRY_MS = 15 * 60_000
/** While no webhooks arrive at all. */
const SILENT_RETRY_MS = HOUR_MS

/** Returns where a vendor sends its webhooks. Undefined where it cannot reach this service. */
export type CallbackUrlOf = (provider: string) => string | undefined

/**
 * Keeps the app subscribed to the webhooks of vendors that require it: daily, hourly while connected people get none, and at once after a
 * new address. One process does it for all. A vendor that fails is logged and tried again.
 */
export async function keepSubscribed(context: Context, callbackUrlOf: CallbackUrlOf): Promise<void> {
  for (const [provider, adapter] of context.adapters) {
    const callbackUrl = callbackUrlOf(provider)
    if (callbackUrl === undefined || !adapter.webhookSubscriber) continue
    if (await claimTurn(context, provider, callbackUrl, adapter.syncPolicy))
      await keepOne(context, { ...adapter, webhookSubscriber: adapter.webhookSubscriber }, callbackUrl)
  }
}

async function keepOne(
  { database, clock, logger }: Context,
  { provider, webhookSubscriber }: Required<Pick<VendorAdapter, "provider" | "webhookSubscriber">>,
  callbackUrl: string,
): Promise<void> {
  try {
    const { endsAt, refused } = await webhookSubscriber.keepSubscribed({ callbackUrl })
    const now = clock.now()
    await database
      .updateTable("vendor_subscription")
      .set({ kept_at: now, next_at: new Date(now.getTime() + KEEP_EVERY_MS), ends_at: endsAt })
      .where("provider", "=", provider)
      .execute()
    if (refused.length > 0) logger.warn({ provider, refused }, "the vendor refuses some webhooks, polling finds them")
    else logger.info({ provider, endsAt }, "subscribed to the vendor's webhooks")
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error
    logger.warn(
      { provider, callbackUrl, error: error.name, reason: error.message },
      "could not subscribe to the vendor's webhooks, polling goes on, trying again in 15 minutes",
    )
  }
}

/** True for the one process whose turn it is. */
async function claimTurn(
  { database, clock }: Context,
  provider: string,
  callbackUrl: string,
  { events }: SyncPolicy,
): Promise<boolean> {
  const now = clock.now()
  const before = (durationMs: number) => new Date(now.getTime() - durationMs)
  const { rows } = await sql`
    insert into restwell.vendor_subscription as s (provider, callback_url, next_at)
    values (${provider}, ${callbackUrl}, ${before(-RETRY_MS)})
    on conflict (provider) do update set callback_url = excluded.callback_url, next_at = excluded.next_at
    where s.next_at <= ${now} or s.callback_url <> excluded.callback_url
      -- A wrong clock wrote it.
      or s.next_at > ${before(-2 * KEEP_EVERY_MS)}
      or s.kept_at <= ${before(SILENT_RETRY_MS)}
        and exists (
          select from restwell.connection c
          where c.provider = ${provider} and ${isActive} and c.connected_at <= ${before(events.silenceMs)})
        and not exists (
          select from restwell.connection c
          where c.provider = ${provider} and ${isActive} and c.last_event_at > ${before(events.silenceMs)})
    returning provider
  `.execute(database)
  return rows.length > 0
}
