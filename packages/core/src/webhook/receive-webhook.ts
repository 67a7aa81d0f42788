import type { VendorEvent, WebhookRequest } from "@restwell/providers"
import { batchCalls } from "../batch/batch-calls.ts"
import { adapterOf } from "../connection/vendor-grant.ts"
import type { ConnectionId, Context } from "../context/context.ts"
import { InvalidRequest, NotFound, Unauthorized } from "../context/errors.ts"
import { storeEvents } from "./store-events.ts"

/**
 * A delivery signed longer ago than this is no delivery any more: a vendor retries for an hour. A little ahead is a clock that differs. What was
 * seen within it is remembered, so that a recorded delivery that is sent again changes nothing.
 */
const OLDEST_MS = 2 * 3_600_000
const FURTHEST_AHEAD_MS = 5 * 60_000

/** What became of a webhook that the vendor has signed. */
export type WebhookOutcome = "accepted" | "repeated" | "unknown_member" | "unknown_type"

/** Takes a vendor's webhook; done once what it tells of is kept. */
export type ReceiveWebhook = (provider: string, request: WebhookRequest) => Promise<WebhookOutcome>

/**
 * The way in for what vendors tell of. Nothing is read from the vendor here: what waits is kept, and a worker is told.
 * The verb throws NotFound for a vendor that sends none, Unauthorized for what it has not signed lately, InvalidRequest for what cannot be read.
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
    const { outcome, awake } = await store({ ...webhook.event, provider })
    for (const connection of awake) wake(context, connection)
    return outcome
  }
}

/** Whatever is no time is not recent either. */
function requireRecent(now: Date, signedAt: Date): void {
  const age = now.getTime() - signedAt.getTime()
  if (!(age <= OLDEST_MS && age >= -FURTHEST_AHEAD_MS))
    throw new Unauthorized("the signature is too old, or the clocks of the two sides differ by minutes")
}

/** What is kept is found by every worker sooner or later; this is sooner. */
function wake(context: Context, connection: ConnectionId): void {
  context.jobs.requestSync(connection, "now").catch((error: unknown) => {
    context.logger.warn({ ...connection, err: error }, "a worker could not be told of an event, it will find it")
  })
}
