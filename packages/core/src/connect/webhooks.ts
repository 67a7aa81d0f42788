import { HOUR_MS, MINUTE_MS } from "@restwell/client/time-units"
import {
  ProviderError,
  type SyncPolicy,
  unstorablePath,
  type VendorAdapter,
  type VendorEvent,
  type WebhookRequest,
} from "@restwell/providers"
import { sql } from "kysely"
import { batchCalls } from "../base/batch.ts"
import { UnreadableSecret } from "../base/encryption.ts"
import type { ConnectionId, Context } from "../context/context.ts"
import { InvalidRequest, NotFound, Unauthorized } from "../context/errors.ts"
import { scheduleJob } from "../jobs/job-queue.ts"
import { isActive } from "./connection-status.ts"
import { adapterOf } from "./vendor-app.ts"
import { storeEvents } from "./vendor-events.ts"

/**
 * Answers a vendor's question whether the address of its webhooks belongs to the app of this service.
 * @throws {NotFound} for a vendor that asks no such question
 * @throws {Unauthorized} when the question is not the vendor's
 */
export function answerChallenge(
  context: Pick<Context, "adapters">,
  provider: string,
  query: URLSearchParams,
): Readonly<Record<string, string>> {
  const { webhookSubscriber } = adapterOf(context, provider)
  if (!webhookSubscriber?.answerChallenge)
    throw new NotFound(`${provider} asks for no challenge, it sends its webhooks here with POST`)
  const answer = webhookSubscriber.answerChallenge(query)
  if (!answer) throw new Unauthorized(`this is no challenge by ${provider} for the app of this service`)
  return answer
}

/**
 * Deliveries signed longer ago are refused. Vendors retry for an hour, and clocks differ by minutes. Deliveries within this time are
 * remembered, so that a replay changes nothing.
 */
const OLDEST_MS = 2 * HOUR_MS
const FURTHEST_AHEAD_MS = 5 * MINUTE_MS

/** The outcome of a webhook that the vendor has signed. A ping is not signed, and changes nothing. */
export type WebhookOutcome = "accepted" | "repeated" | "unknown_member" | "unknown_type" | "ping"

/** Receives a vendor's webhook. Resolves once its event is stored. */
export type ReceiveWebhook = (provider: string, request: WebhookRequest) => Promise<WebhookOutcome>

/**
 * Returns the receiver of webhooks. It stores the event and notifies a worker, which reads the record from the vendor.
 * The receiver throws NotFound for a vendor without webhooks, Unauthorized for a wrong or old signature, InvalidRequest for another shape.
 */
export function createWebhookReceiver(context: Context): ReceiveWebhook {
  const store = batchCalls((events: readonly (VendorEvent & { readonly provider: string })[]) =>
    storeEvents(context, events),
  )
  return async (provider, request) => {
    const adapter = adapterOf(context, provider)
    if (!adapter.readWebhook) throw new NotFound(`${provider} sends no webhooks`)
    const isKeyed = adapter.webhookSubscriber?.givesSecret === true
    const webhook = adapter.readWebhook(request, isKeyed ? await readSecret(context, provider) : undefined)
    if (webhook.outcome === "ping") return webhook.outcome
    if (webhook.outcome === "forged")
      throw new Unauthorized(`this is not signed by ${provider} for the app of this service`)
    if (webhook.outcome === "unreadable")
      throw new InvalidRequest(`not an event of ${provider}: ${webhook.reason}`, "body")
    if (webhook.signedAt) requireRecent(context.clock.now(), webhook.signedAt)
    if (webhook.outcome === "unknown_type") return webhook.outcome
    for (const event of webhook.events) requireStorable(event, provider)
    const stored = await Promise.all(webhook.events.map((event) => store({ ...event, provider })))
    for (const connection of stored.flatMap(({ ready }) => ready)) notifyWorker(context, connection)
    // All are of one person, and come and repeat together.
    return stored[0]?.outcome ?? "unknown_type"
  }
}

/** Other events share its statement, and must not fail with it. */
function requireStorable({ memberId, providerId }: VendorEvent, provider: string): void {
  const path = unstorablePath({ memberId, providerId })
  if (path !== undefined) throw new InvalidRequest(`not an event of ${provider}: ${path} is not text`, "body")
}

/** An invalid date is refused too. */
function requireRecent(now: Date, signedAt: Date): void {
  const age = now.getTime() - signedAt.getTime()
  if (!(age <= OLDEST_MS && age >= -FURTHEST_AHEAD_MS))
    throw new Unauthorized("the signature is too old, or the clocks of the two sides differ by minutes")
}

/** Best effort: workers look for waiting events anyway. */
function notifyWorker(context: Context, connection: ConnectionId): void {
  context.jobs.requestSync(connection, "now").catch((error: unknown) => {
    context.logger.warn({ ...connection, err: error }, "could not notify a worker of an event, the next look finds it")
  })
}

/** Vendors renew for months. A day finds a lost subscription soon enough. */
const KEEP_EVERY_MS = 24 * HOUR_MS
/** Most looks find that nothing is to be done. */
const LOOK_EVERY_MS = 5 * MINUTE_MS
/** After two failures. */
const RETRY_MS = 15 * MINUTE_MS
/** The vendor asks the callback's address a question. Another process there, or its proxy, may still be starting. */
const SOON_MS = 20_000
/** While no webhooks arrive at all. */
const SILENT_RETRY_MS = HOUR_MS

/** Returns where a vendor sends its webhooks. Undefined where it cannot reach this service. */
export type CallbackUrlOf = (provider: string) => string | undefined

/** The job that keeps the app subscribed to a vendor's webhooks. */
const subscriptionJob = (provider: string) => ({ kind: "subscription", key: provider }) as const

/** Looks after a subscription from now on. Call it when work begins, for a new address, and after the clock went back. */
export const scheduleSubscription = ({ database }: Pick<Context, "database">, provider: string): Promise<void> =>
  scheduleJob({ database }, subscriptionJob(provider), async () => "at_once")

interface KeepOptions {
  readonly callbackUrl: string
  readonly wait: (milliseconds: number) => Promise<void>
}

/**
 * Keeps the app subscribed to the webhooks of a vendor that requires it: daily, hourly while connected people get none, and at once after a
 * new address. A vendor that fails is logged and tried again, first soon and then after 15 minutes.
 * @returns when to look again
 */
export async function keepSubscribed(
  context: Context,
  provider: string,
  { callbackUrl, wait }: KeepOptions,
): Promise<Date | undefined> {
  const { webhookSubscriber, syncPolicy } = adapterOf(context, provider)
  if (!webhookSubscriber) return undefined
  const keep = () => keepOne(context, { provider, webhookSubscriber }, callbackUrl)
  const isSecretLost = webhookSubscriber.givesSecret === true && (await readSecret(context, provider)) === undefined
  const isWell =
    (!isSecretLost && (await isKept(context, { provider, callbackUrl, policy: syncPolicy }))) ||
    (await keep()) ||
    (await wait(SOON_MS).then(keep))
  return new Date(context.clock.now().getTime() + (isWell ? LOOK_EVERY_MS : RETRY_MS))
}

/** What the secret of a vendor's webhooks is bound to. */
export const webhookSecretBelongsTo = (provider: string): string => `vendor_subscription/${provider}`

/** Returns the secret that a vendor gave for its webhooks. Undefined without one, or where our own secret does not open it. */
async function readSecret(
  { database, cipher }: Pick<Context, "database" | "cipher">,
  provider: string,
): Promise<string | undefined> {
  const row = await database
    .selectFrom("vendor_subscription")
    .select(["key_id as keyId", "secret as bytes"])
    .where("provider", "=", provider)
    .executeTakeFirst()
  if (!row?.keyId || !row.bytes) return undefined
  try {
    return cipher.open({ keyId: row.keyId, bytes: row.bytes }, webhookSecretBelongsTo(provider))
  } catch (error) {
    if (error instanceof UnreadableSecret) return undefined
    throw error
  }
}

/** True if the vendor has subscribed to everything. */
async function keepOne(
  context: Context,
  { provider, webhookSubscriber }: Required<Pick<VendorAdapter, "provider" | "webhookSubscriber">>,
  callbackUrl: string,
): Promise<boolean> {
  const { database, cipher, clock, logger } = context
  try {
    const former = webhookSubscriber.givesSecret ? await readSecret(context, provider) : undefined
    const { endsAt, refused, secret } = await webhookSubscriber.keepSubscribed({ callbackUrl, secret: former })
    const sealed = secret === undefined ? undefined : cipher.seal(secret, webhookSecretBelongsTo(provider))
    const kept = {
      callback_url: callbackUrl,
      kept_at: clock.now(),
      ends_at: endsAt ?? null,
      key_id: sealed?.keyId ?? null,
      secret: sealed?.bytes ?? null,
    }
    await database
      .insertInto("vendor_subscription")
      .values({ provider, ...kept })
      .onConflict((conflict) => conflict.column("provider").doUpdateSet(kept))
      .execute()
    if (refused.length > 0) logger.warn({ provider, refused }, "the vendor refuses some webhooks, polling finds them")
    else logger.info({ provider, endsAt }, "subscribed to the vendor's webhooks")
    return refused.length === 0
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error
    logger.warn(
      { provider, callbackUrl, error: error.name, reason: error.message },
      "could not subscribe to the vendor's webhooks, polling goes on, trying again within 15 minutes",
    )
    return false
  }
}

interface Subscription {
  readonly provider: string
  readonly callbackUrl: string
  readonly policy: SyncPolicy
}

/** True if there is nothing to do for a subscription. */
async function isKept(
  { database, clock }: Context,
  { provider, callbackUrl, policy: { events } }: Subscription,
): Promise<boolean> {
  const now = clock.now()
  const before = (durationMs: number) => new Date(now.getTime() - durationMs)
  const { rows } = await sql`
    select from restwell.vendor_subscription s
    where s.provider = ${provider} and s.callback_url = ${callbackUrl}
      -- A wrong clock may have written a later time.
      and s.kept_at > ${before(KEEP_EVERY_MS)} and s.kept_at <= ${before(-KEEP_EVERY_MS)}
      and (s.kept_at > ${before(SILENT_RETRY_MS)}
        or not exists (
          select from restwell.connection c
          where c.provider = ${provider} and ${isActive} and c.connected_at <= ${before(events.silenceMs)})
        or exists (
          select from restwell.connection c
          where c.provider = ${provider} and ${isActive} and c.last_event_at > ${before(events.silenceMs)}))
  `.execute(database)
  return rows.length > 0
}
