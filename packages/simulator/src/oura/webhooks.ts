/** Oura's webhooks: which changes are announced, the signed request, and the subscriptions, which the app manages itself. */
import { createHmac, randomBytes } from "node:crypto"
import type { FastifyInstance, FastifyRequest } from "fastify"
import { MINUTE_MS } from "../model/calendar.ts"
import type { EventSource, VendorEvent } from "../vendor/webhooks.ts"
import type { Collection } from "../world/collection.ts"
import { ouraUserId } from "./records/person-documents.ts"
import { COLLECTIONS } from "./records/wire.ts"
import { EVENT_TYPES } from "./subscriptions.ts"
import { invalidBody, type OuraVendor, ouraError } from "./vendor.ts"

/** Returns the value of x-oura-signature: HMAC-SHA256 in upper-case hex. `timestamp` is x-oura-timestamp: epoch seconds as text. */
export function signOuraWebhook(clientSecret: string, timestamp: string, rawBody: string): string {
  return createHmac("sha256", clientSecret).update(timestamp).update(rawBody).digest("hex").toUpperCase()
}

/** Oura documents no retries. */
const RETRY_AFTER_MS = [1, 5, 15].map((minutes) => minutes * MINUTE_MS)

export function createOuraEventSource(vendor: OuraVendor): EventSource {
  const { settings, people, grants, subscriptions } = vendor
  return {
    retryAfterMs: RETRY_AFTER_MS,
    isConnected: (userId) => grants.isConnected(userId),
    addressesOf: ({ type }) => subscriptions.addressesOf(type),
    eventsBetween: (afterMs, untilMs) =>
      people
        .list()
        .filter(({ userId }) => grants.isConnected(userId))
        .flatMap(({ userId }) => eventsOf(vendor, userId, afterMs, untilMs))
        .sort((left, right) => left.atMs - right.atMs),
    write({ userId, id, type, atMs }, _traceId, sentMs) {
      const [dataType, eventType] = type.split(".")
      const body = JSON.stringify({
        event_type: eventType,
        data_type: dataType,
        object_id: id,
        event_time: new Date(atMs).toISOString(),
        user_id: ouraUserId(people.get(userId)),
      })
      const timestamp = String(Math.floor(sentMs / 1000))
      return {
        body,
        headers: {
          "content-type": "application/json",
          "x-oura-signature": signOuraWebhook(settings.clientSecret, timestamp, body),
          "x-oura-timestamp": timestamp,
        },
      }
    },
  }
}

function eventsOf({ documentsOf }: OuraVendor, userId: number, afterMs: number, untilMs: number): VendorEvent[] {
  const documents = documentsOf(userId)
  return COLLECTIONS.flatMap((name) => {
    const collection: Pick<Collection<object>, "at" | "changesBetween"> = documents.of[name]
    return collection.changesBetween(afterMs, untilMs).map(({ atMs, key, body }) => {
      const verb = body === null ? "delete" : collection.at(key, atMs - 1) === null ? "create" : "update"
      return { atMs, userId, type: `${name}.${verb}`, id: key }
    })
  })
}

const PATH = "/v2/webhook/subscription"
/** "10 seconds" to answer the challenge. */
const CHALLENGE_TIMEOUT_MS = 10_000

type Body = Readonly<Record<string, unknown>>
type WithId = { Params: { id: string }; Body: Body }

export function addSubscriptionRoutes(app: FastifyInstance, vendor: OuraVendor): void {
  const { subscriptions } = vendor
  app.get(PATH, async (request) => {
    requireApp(vendor, request)
    return subscriptions.list()
  })
  app.post<{ Body: Body }>(PATH, async (request, reply) => {
    requireApp(vendor, request)
    const { verification_token, ...wanted } = parseBody(request.body)
    if (subscriptions.findSame(wanted)) throw ouraError(409, "Subscription already exists")
    await challenge(wanted.callback_url, verification_token)
    return reply.code(201).send(subscriptions.add(wanted))
  })
  app.get<WithId>(`${PATH}/:id`, async (request) => {
    requireApp(vendor, request)
    return subscriptions.find(request.params.id) ?? missing()
  })
  app.put<WithId>(`${PATH}/:id`, async (request) => {
    requireApp(vendor, request)
    const known = subscriptions.find(request.params.id) ?? missing()
    const { verification_token, ...wanted } = parseBody({ ...known, ...request.body })
    await challenge(wanted.callback_url, verification_token)
    return subscriptions.change(known.id, wanted)
  })
  app.delete<WithId>(`${PATH}/:id`, async (request, reply) => {
    requireApp(vendor, request)
    subscriptions.remove((subscriptions.find(request.params.id) ?? missing()).id)
    return reply.code(204).send()
  })
  app.put<WithId>(`${PATH}/renew/:id`, async (request) => {
    requireApp(vendor, request)
    return subscriptions.renew(request.params.id) ?? missing()
  })
}

function requireApp({ settings }: OuraVendor, { headers }: FastifyRequest): void {
  if (headers["x-client-id"] !== settings.clientId || headers["x-client-secret"] !== settings.clientSecret)
    throw ouraError(401, "The client id or the client secret is wrong")
}

/** Oura answers 403 for the subscription of another app, and does not say whether there is one. */
function missing(): never {
  throw ouraError(403, "Forbidden")
}

function parseBody(body: Body) {
  const text = (name: string): string => {
    const value = body[name]
    if (typeof value !== "string" || value === "") throw invalidBody(name, "field required")
    return value
  }
  const parsed = {
    callback_url: text("callback_url"),
    verification_token: text("verification_token"),
    event_type: text("event_type"),
    data_type: text("data_type"),
  }
  if (!EVENT_TYPES.some((type) => type === parsed.event_type)) throw invalidBody("event_type", "unknown event type")
  if (!COLLECTIONS.some((name) => name === parsed.data_type)) throw invalidBody("data_type", "unknown data type")
  return parsed
}

/** Asks the callback to repeat a challenge, so that nobody subscribes for the address of others. */
async function challenge(callbackUrl: string, verificationToken: string): Promise<void> {
  const sent = randomBytes(16).toString("hex")
  const address = new URL(callbackUrl)
  address.searchParams.set("verification_token", verificationToken)
  address.searchParams.set("challenge", sent)
  const answered = await fetch(address, { redirect: "manual", signal: AbortSignal.timeout(CHALLENGE_TIMEOUT_MS) })
    .then((reply) => reply.json())
    // Refused, too slow and no JSON are all a callback that is not verified.
    .catch(() => undefined)
  if (Reflect.get(Object(answered), "challenge") !== sent)
    throw ouraError(400, "The callback did not answer the challenge")
}
