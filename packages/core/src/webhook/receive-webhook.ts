import { unstorablePath, type VendorEvent, type WebhookRequest } from "@restwell/providers"
import { batchCalls } from "../batch/batch-calls.ts"
import { adapterOf } from "../connection/adapter-of.ts"
import type { ConnectionId, Context } from "../context/context.ts"
import { InvalidRequest, NotFound, Unauthorized } from "../context/errors.ts"
import { storeEvents } from "./store-events.ts"

/**
 * Deliveries signed longer ago are refused. Vendors retry for an hour, and clocks differ by minutes. Deliveries within this time are
 * remembered, so that a replay changes nothing.
 */
const OLDEST_MS = 2 * 3_600_000
const FURTHEST_AHEAD_MS = 5 * 60_000

/** The outcome of a webhook that the vendor has signed. */
export type WebhookOutcome = "accepted" | "repeated" | "unknown_member" | "unknown_type"

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
    const webhook = adapter.readWebhook(request)
    if (webhook.outcome === "forged")
      throw new Unauthorized(`this is not signed by ${provider} for the app of this service`)
    if (webhook.outcome === "unreadable")
      throw new InvalidRequest(`not an event of ${provider}: ${webhook.reason}`, "body")
    requireRecent(context.clock.now(), webhook.signedAt)
    if (webhook.outcome === "unknown_type") return webhook.outcome
    requireStorable(webhook.event, provider)
    const { outcome, ready } = await store({ ...webhook.event, provider })
    for (const connection of ready) notifyWorker(context, connection)
    return outcome
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
