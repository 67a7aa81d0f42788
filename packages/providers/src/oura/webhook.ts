// Oura's webhooks: verifies the signature and parses the event. https://cloud.ouraring.com/v2/docs#section/Webhooks
// The app's subscriptions to webhooks: one for each type of data and event. They end after some months unless they are renewed.
// https://cloud.ouraring.com/v2/docs#tag/Webhook-Subscription-Routes

import { createHmac, timingSafeEqual } from "node:crypto"
import { DAY_MS } from "@restwell/client/time-units"
import { z } from "zod"
import type {
  KeptSubscriptions,
  ReadWebhook,
  WebhookDescription,
  WebhookRequest,
  WebhookSubscriber,
} from "../contract/adapter.ts"
import { RateLimited, RequestRefused, VendorUnavailable } from "../contract/errors.ts"
import type { Json, RecordKind } from "../contract/records.ts"
import type { CallGate } from "../contract/sync-policy.ts"
import { bodyJson, type ExchangeLimits, exchange, headerText, readJson } from "../http/exchange.ts"
import { pauseBeforeRepeat, pauseIfNeverSent, type RetryTools, retryAfterSeconds, withRetries } from "../http/retry.ts"
import { opaqueId } from "../normalize/opaque-texts.ts"
import { parseWhole, reasonsOf } from "../normalize/read-records.ts"
import { FIELDS, type OuraCollection, partId } from "./api.ts"
import { WINDOW_SECONDS } from "./sync-policy.ts"

/** The signature: hex of HMAC-SHA256. Oura writes upper case. */
const SIGNATURE_HEADER = "x-oura-signature"
/** Seconds or milliseconds since 1970, signed with the body. */
const TIMESTAMP_HEADER = "x-oura-timestamp"

/** The kind that a type of data is about. A document that is a part of another record names it by its own id. */
const EVENT_KINDS: Readonly<Record<OuraCollection, { readonly kind: RecordKind; readonly isPart: boolean }>> = {
  sleep: { kind: "sleep", isPart: false },
  daily_sleep: { kind: "sleep", isPart: true },
  daily_readiness: { kind: "recovery", isPart: false },
  daily_spo2: { kind: "recovery", isPart: true },
  daily_activity: { kind: "cycle", isPart: false },
  workout: { kind: "workout", isPart: false },
}

interface SignedOuraWebhook {
  /** The client secret of the app. */
  readonly secret: string
  /** As in the header. */
  readonly timestamp: string
  /** The body's bytes as they arrived. */
  readonly rawBody: Uint8Array
  /** As in the header. */
  readonly signature: string
}

/** Returns whether Oura signed this body: HMAC-SHA256(secret, timestamp + body), compared in constant time. The caller checks its age. */
function verifyOuraSignature({ secret, timestamp, rawBody, signature }: SignedOuraWebhook): boolean {
  // Digits only: timestamp and body are joined without a separator, and a body never begins with a digit.
  if (!/^\d{1,16}$/.test(timestamp) || !/^[0-9a-f]{64}$/i.test(signature)) return false
  const expected = createHmac("sha256", secret).update(timestamp).update(rawBody).digest()
  return timingSafeEqual(Buffer.from(signature, "hex"), expected)
}

const OuraEventSchema = z
  .object({
    event_type: z.string().max(64).meta({ description: "create, update or delete", example: "update" }),
    data_type: z
      .string()
      .max(64)
      .meta({ description: "The collection. An unknown one is acknowledged", example: "daily_sleep" }),
    object_id: opaqueId.meta({ description: "Id of the document", example: "9a0c8d3b-1f8f-4f7a-8a3d-77a3e7a4f702" }),
    event_time: z.string().max(64).nullish().catch(undefined).meta({ example: "2026-11-21T06:41:30+00:00" }),
    user_id: opaqueId.meta({
      description: "The person, as in their profile",
      example: "0e8f5a0c-1d2e-4f3a-8b4c-5d6e7f809107",
    }),
  })
  .meta({ id: "OuraEvent" })

export const OURA_WEBHOOK: WebhookDescription = {
  challenge: {
    note: "Oura asks whether the address belongs to the app before it sends webhooks there.",
    query: {
      verification_token: z.string().meta({ description: "Oura: the token of the subscription" }),
      challenge: z.string().meta({ description: "Oura: what to repeat" }),
    },
    answer: z.object({ challenge: z.string() }).meta({ id: "OuraChallenge" }),
    example: { challenge: "b5bb9d8014a0f9b1d61e21e796d78dcc" },
  },
  note: "Oura: Restwell subscribes by itself.",
  headers: {
    "X-Oura-Signature": z.string().optional().meta({
      description: "Oura: hex of HMAC-SHA256 over the timestamp and the body, keyed with the app's secret",
    }),
    "X-Oura-Timestamp": z.string().optional().meta({
      description: "Oura: seconds or milliseconds since 1970, at most two hours ago",
      example: "1795071743",
    }),
  },
  event: OuraEventSchema,
  example: {
    event_type: "update",
    data_type: "daily_sleep",
    object_id: "9a0c8d3b-1f8f-4f7a-8a3d-77a3e7a4f702",
    user_id: "0e8f5a0c-1d2e-4f3a-8b4c-5d6e7f809107",
  },
}

/** Verifies the signature, then parses the event. */
export function readOuraWebhook(secret: string, { headers, rawBody }: WebhookRequest): ReadWebhook {
  const timestamp = headerText(headers[TIMESTAMP_HEADER])
  const signature = headerText(headers[SIGNATURE_HEADER])
  if (!verifyOuraSignature({ secret, timestamp, rawBody, signature })) return { outcome: "forged" }
  const parsed = OuraEventSchema.safeParse(bodyJson(rawBody))
  if (!parsed.success) return { outcome: "unreadable", reason: reasonsOf(parsed.error) }
  const signedAt = instantOf(Number(timestamp))
  const { event_type: type, data_type: dataType, object_id: id, event_time: time, user_id: memberId } = parsed.data
  if (!isRead(dataType)) return { outcome: "unknown_type", signedAt }
  const { kind, isPart } = EVENT_KINDS[dataType]
  return {
    outcome: "events",
    signedAt,
    events: [
      {
        memberId,
        kind,
        namedBy: "record",
        providerId: isPart ? partId(dataType, id) : id,
        ...(time && { eventId: `${dataType}/${id}/${type}/${time}` }),
      },
    ],
  }
}

const isRead = (dataType: string): dataType is OuraCollection => Object.hasOwn(EVENT_KINDS, dataType)

/** In seconds this is the year 5138, in milliseconds 1973: a timestamp below is in seconds. */
const FIRST_MILLISECONDS = 1e11

const instantOf = (timestamp: number): Date => new Date(timestamp < FIRST_MILLISECONDS ? timestamp * 1000 : timestamp)

const PATH = "/v2/webhook/subscription"
const EVENT_TYPES = ["create", "update", "delete"] as const
/** A subscription that ends sooner is renewed. It leaves a month for a service that is down. */
const RENEW_BEFORE_MS = 30 * DAY_MS

interface OuraSubscriptionOptions extends ExchangeLimits, RetryTools {
  readonly baseUrl: string
  readonly clientId: string
  readonly clientSecret: string
  readonly gate: CallGate
  readonly now: () => Date
}

const SubscriptionSchema = z.object({
  id: z.string().regex(/^[0-9A-Za-z-]{1,64}$/),
  callback_url: z.string(),
  event_type: z.string(),
  data_type: z.string(),
  /** With or without a zone; then it is UTC. */
  expiration_time: z.string().transform((text) => new Date(/[zZ]|[+-]\d\d:?\d\d$/.test(text) ? text : `${text}Z`)),
})
type Subscription = z.infer<typeof SubscriptionSchema>

export function createOuraSubscriber(options: OuraSubscriptionOptions): WebhookSubscriber {
  return {
    answerChallenge: (query) => answerChallenge(options, query),
    keepSubscribed: ({ callbackUrl }) => keepSubscribed(options, callbackUrl),
  }
}

const list = async (options: OuraSubscriptionOptions): Promise<Subscription[]> =>
  parseWhole(z.array(SubscriptionSchema), await call(options, "GET", ""), `GET ${PATH}`)

async function keepSubscribed(options: OuraSubscriptionOptions, callback_url: string): Promise<KeptSubscriptions> {
  const listed = await list(options)
  const kept: Subscription[] = []
  const refused: RequestRefused[] = []
  const refusedEvents: string[] = []
  for (const { data_type, event_type } of wantedEvents()) {
    const same = listed.find((known) => known.data_type === data_type && known.event_type === event_type)
    try {
      kept.push(await keepOne(options, { callback_url, data_type, event_type }, same))
    } catch (error) {
      // One type that Oura no longer has must not cost the others.
      if (!(error instanceof RequestRefused)) throw error
      refused.push(error)
      refusedEvents.push(`${data_type}.${event_type}`)
    }
  }
  if (kept.length === 0 && refused[0]) throw refused[0]
  const endsAt = new Date(Math.min(...kept.map(({ expiration_time }) => expiration_time.getTime())))
  return { endsAt, refused: refusedEvents }
}

type Wanted = Pick<Subscription, "callback_url" | "data_type" | "event_type">

const wantedEvents = () =>
  Object.keys(FIELDS).flatMap((data_type) => EVENT_TYPES.map((event_type) => ({ data_type, event_type })))

/** Oura allows one subscription for each event, so one to another address is changed. One that has ended is made again. */
async function keepOne(
  options: OuraSubscriptionOptions,
  wanted: Wanted,
  same: Subscription | undefined,
): Promise<Subscription> {
  const verified = { ...wanted, verification_token: verificationToken(options) }
  const now = options.now().getTime()
  if (!same || same.expiration_time.getTime() <= now) return subscriptionOf(await call(options, "POST", "", verified))
  const current =
    same.callback_url === wanted.callback_url
      ? same
      : subscriptionOf(await call(options, "PUT", `/${same.id}`, verified))
  if (current.expiration_time.getTime() > now + RENEW_BEFORE_MS) return current
  return subscriptionOf(await call(options, "PUT", `/renew/${current.id}`))
}

const subscriptionOf = (body: Json): Subscription => parseWhole(SubscriptionSchema, body, PATH)

function answerChallenge(options: OuraSubscriptionOptions, query: URLSearchParams) {
  const challenge = query.get("challenge") ?? ""
  const given = Buffer.from(query.get("verification_token") ?? "")
  const expected = Buffer.from(verificationToken(options))
  // The answer goes back to a stranger, so it must not be a page.
  if (!/^[\w.~+/=-]{1,512}$/.test(challenge)) return undefined
  return given.length === expected.length && timingSafeEqual(given, expected) ? { challenge } : undefined
}

/** Derived from the client secret, so that every process knows it and nothing is stored. */
const verificationToken = ({ clientSecret }: OuraSubscriptionOptions): string =>
  createHmac("sha256", clientSecret).update("restwell oura webhook verification").digest("hex")

/** Calls with the app's own credentials. Only a call that changes nothing, or the same again, is repeated. */
async function call(
  options: OuraSubscriptionOptions,
  method: "GET" | "POST" | "PUT",
  path: string,
  body?: object,
): Promise<Json> {
  const operation = `${method} ${PATH}`
  const url = new URL(`${options.baseUrl.replace(/\/+$/, "")}${PATH}${path}`)
  const headers = {
    accept: "application/json",
    "x-client-id": options.clientId,
    "x-client-secret": options.clientSecret,
    ...(body && { "content-type": "application/json" }),
  }
  return withRetries(options, method === "POST" ? pauseIfNeverSent : pauseBeforeRepeat, async () => {
    await options.gate.acquire()
    const init = { method, headers, ...(body && { body: JSON.stringify(body) }) }
    const answer = await exchange(options, operation, url, init)
    const { status } = answer
    if (status >= 200 && status < 300) return readJson(answer, operation)
    const message = `${operation} answered ${status}`
    const wait = retryAfterSeconds(answer.headers)
    if (status === 429) throw new RateLimited(message, wait ?? WINDOW_SECONDS)
    if (status >= 500 || status === 408) throw new VendorUnavailable(message, { retryAfterSeconds: wait })
    throw new RequestRefused(
      status === 401 ? `${message}: the client id or the client secret of the Oura app is wrong` : message,
    )
  })
}
