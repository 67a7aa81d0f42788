/**
 * Polar's webhooks: the one of the app, which the app makes itself, and the signed request of each event. Polar asks the address before with
 * a PING, gives the secret of the signature once, and deactivates a webhook that has failed for seven days.
 * @see https://www.polar.com/accesslink-api/#webhooks
 */
import { createHmac } from "node:crypto"
import type { FastifyInstance, FastifyRequest } from "fastify"
import { MINUTE_MS } from "../model/calendar.ts"
import type { EventSource, VendorEvent } from "../vendor/webhooks.ts"
import type { Collection } from "../world/collection.ts"
import type { PolarWebhook } from "./own-webhook.ts"
import { type PolarVendor, polarError, requireClient } from "./vendor.ts"

const EVENTS = [
  "EXERCISE",
  "SLEEP",
  "CONTINUOUS_HEART_RATE",
  "ACTIVITY_SUMMARY",
  "PHYSICAL_INFORMATION",
  "SLEEP_WISE_CIRCADIAN_BEDTIME",
  "SLEEP_WISE_ALERTNESS",
] as const

/** Returns the value of Polar-Webhook-Signature. */
export const signPolarWebhook = (secret: string, rawBody: string): string =>
  createHmac("sha256", secret).update(rawBody).digest("hex")

/** Polar documents no retries. */
const RETRY_AFTER_MS = [1, 5, 15].map((minutes) => minutes * MINUTE_MS)

export function createPolarEventSource(vendor: PolarVendor): EventSource {
  const { webhook, people, grants, registrations } = vendor
  const isConnected = (userId: number) => grants.isConnected(userId) && registrations.sinceOf(userId) !== undefined
  return {
    retryAfterMs: RETRY_AFTER_MS,
    isConnected,
    addressesOf({ type }) {
      const own = webhook.get()
      return own?.active && own.events.includes(type) ? [own.url] : []
    },
    eventsBetween: (afterMs, untilMs) =>
      people
        .list()
        .filter(({ userId }) => isConnected(userId))
        .flatMap(({ userId }) => eventsOf(vendor, userId, afterMs, untilMs))
        .sort((left, right) => left.atMs - right.atMs),
    write({ userId, id, type, atMs }) {
      const named = type === "EXERCISE" ? { entity_id: id } : { date: id }
      const body = JSON.stringify({
        event: type,
        user_id: userId,
        ...named,
        timestamp: new Date(atMs).toISOString(),
        url: "https://www.polaraccesslink.com/v3",
      })
      const signature = signPolarWebhook(webhook.get()?.signature_secret_key ?? "", body)
      return { body, headers: headersOf(type, signature) }
    },
    note: (isDelivered, atMs) => webhook.note(isDelivered, atMs),
  }
}

const headersOf = (event: string, signature: string) => ({
  "content-type": "application/json",
  "polar-webhook-event": event,
  "polar-webhook-signature": signature,
})

/** Nights and days are announced each time they are written, exercises once. Nothing announces a deletion. */
function eventsOf({ rowsOf }: PolarVendor, userId: number, afterMs: number, untilMs: number): VendorEvent[] {
  const rows = rowsOf(userId)
  const changes = (collection: Pick<Collection<object>, "changesBetween">, type: string) =>
    collection
      .changesBetween(afterMs, untilMs)
      .flatMap(({ atMs, key, body }) => (body === null ? [] : [{ atMs, userId, type, id: key }]))
  return [
    ...changes(rows.nights, "SLEEP"),
    ...changes(rows.days, "ACTIVITY_SUMMARY"),
    ...changes(rows.exercises, "EXERCISE").filter(({ id, atMs }) => rows.exercises.at(id, atMs - 1) === null),
  ]
}

const PATH = "/v3/webhooks"
const PING_TIMEOUT_MS = 10_000

type Body = Readonly<Record<string, unknown>> | null
type WithId = { Params: { id: string }; Body: Body }

/** Managed with the app's own credentials. */
export function addWebhookRoutes(app: FastifyInstance, vendor: PolarVendor): void {
  const { webhook } = vendor
  const own = (id?: string): PolarWebhook => {
    const found = webhook.get()
    if (!found || (id !== undefined && found.id !== id)) throw polarError(404, "Webhook not found")
    return found
  }
  app.get(PATH, async (request) => {
    requireClient(vendor, request)
    const { signature_secret_key: _secret, ...shown } = webhook.get() ?? {}
    return { data: webhook.get() ? [shown] : [] }
  })
  app.post<{ Body: Body }>(PATH, async (request, reply) => {
    requireClient(vendor, request)
    if (webhook.get()) throw polarError(409, "Webhook already exists")
    const wanted = parseBody(request.body)
    await ping(vendor, wanted.url)
    const { active: _active, ...created } = webhook.create(wanted)
    return reply.code(201).send({ data: created })
  })
  app.patch<WithId>(`${PATH}/:id`, async (request) => {
    requireClient(vendor, request)
    const wanted = parseBody({ ...own(request.params.id), ...request.body })
    await ping(vendor, wanted.url)
    webhook.change(wanted)
    return { data: { id: request.params.id, ...wanted } }
  })
  app.delete<WithId>(`${PATH}/:id`, async (request, reply) => {
    requireClient(vendor, request)
    own(request.params.id)
    webhook.remove()
    return reply.code(204).send()
  })
  for (const [name, active] of [
    ["activate", true],
    ["deactivate", false],
  ] as const)
    app.post(`${PATH}/${name}`, async (request: FastifyRequest, reply) => {
      requireClient(vendor, request)
      const { url } = own()
      if (active) await ping(vendor, url)
      webhook.change({ active })
      return reply.code(204).send()
    })
}

function parseBody(body: Body): { readonly events: readonly string[]; readonly url: string } {
  const { events, url } = body ?? {}
  if (typeof url !== "string" || !URL.canParse(url)) throw polarError(400, "url is missing")
  const known = Array.isArray(events) ? EVENTS.filter((event) => events.includes(event)) : []
  if (known.length === 0 || !Array.isArray(events) || known.length !== events.length)
    throw polarError(400, "events are missing or unknown")
  return { events: known, url }
}

/** The address has to answer with 200 and nothing else. */
async function ping({ clock }: PolarVendor, url: string): Promise<void> {
  const body = JSON.stringify({ timestamp: clock.now().toISOString(), event: "PING" })
  const status = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json", "polar-webhook-event": "PING" },
    body,
    redirect: "manual",
    signal: AbortSignal.timeout(PING_TIMEOUT_MS),
  }).then(
    (reply) => reply.status,
    // Refused and too slow are no answer.
    () => undefined,
  )
  if (status !== 200) throw polarError(400, "The address did not answer the ping")
}
