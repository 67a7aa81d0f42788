// Polar's webhooks: verifies the signature, parses the event, and keeps the one webhook that an app has. Polar signs with a secret that it
// gives when the webhook is made, and never again. https://www.polar.com/accesslink-api/#webhooks

import { createHmac, timingSafeEqual } from "node:crypto"
import { addDays, isDate } from "@restwell/client/calendar-dates"
import { z } from "zod"
import type {
  KeptSubscriptions,
  ReadWebhook,
  VendorEvent,
  WebhookDescription,
  WebhookRequest,
  WebhookSubscriber,
} from "../contract/adapter.ts"
import { RateLimited, RequestRefused, VendorUnavailable } from "../contract/errors.ts"
import type { Json, RecordKind } from "../contract/records.ts"
import type { CallGate } from "../contract/sync-policy.ts"
import { bodyJson, type ExchangeLimits, exchange, headerText, readJson } from "../http/exchange.ts"
import { pauseBeforeRepeat, pauseIfNeverSent, type RetryTools, retryAfterSeconds, withRetries } from "../http/retry.ts"
import { textOrNumberId } from "../normalize/opaque-texts.ts"
import { parseWhole, reasonsOf } from "../normalize/read-records.ts"
import { WINDOW_SECONDS } from "./sync-policy.ts"

/** The signature: hex of HMAC-SHA256 over the body. */
const SIGNATURE_HEADER = "polar-webhook-signature"

/** What each event is about. A night's recharge has no event of its own. */
const EVENT_KINDS = {
  EXERCISE: ["workout"],
  SLEEP: ["sleep", "recovery"],
  ACTIVITY_SUMMARY: ["cycle"],
} as const satisfies Readonly<Record<string, readonly [RecordKind, ...RecordKind[]]>>
type PolarEventName = keyof typeof EVENT_KINDS

const isRead = (event: string): event is PolarEventName => Object.hasOwn(EVENT_KINDS, event)

const localDate = z.string().refine(isDate, { error: "not a date" })

const PolarEventSchema = z
  .object({
    event: z.string().max(64).meta({ description: "EXERCISE, SLEEP or ACTIVITY_SUMMARY", example: "SLEEP" }),
    user_id: z
      .union([z.int().positive(), z.string().regex(/^[0-9A-Za-z_-]{1,64}$/)], { error: "not an id" })
      .transform(String)
      .meta({ description: "The person, as in the answer of the token", example: 475 }),
    entity_id: textOrNumberId.nullish().meta({ description: "Id of the exercise", example: "aQlC83" }),
    date: localDate.nullish().meta({ description: "Date of the night or day", example: "2026-11-20" }),
    from: localDate.nullish().meta({ description: "First date, where there are several", example: "2026-11-19" }),
    to: localDate.nullish().meta({ description: "Last date, where there are several", example: "2026-11-20" }),
    timestamp: z.string().max(64).nullish().meta({ description: "When it happened", example: "2026-11-20T07:11:00Z" }),
  })
  .meta({ id: "PolarEvent" })
type PolarEvent = z.infer<typeof PolarEventSchema>

const PingSchema = z.object({ event: z.literal("PING") })

export const POLAR_WEBHOOK: WebhookDescription = {
  note: "Polar: the service makes its webhook by itself. Polar sends a PING before, which is answered with 200 and does nothing.",
  headers: {
    "Polar-Webhook-Signature": z.string().optional().meta({
      description: "Polar: hex of HMAC-SHA256 over the body, keyed with the secret that Polar gave for the webhook",
    }),
  },
  event: PolarEventSchema,
  example: { event: "SLEEP", user_id: 475, date: "2026-11-20", timestamp: "2026-11-20T07:11:00Z" },
}

/** Verifies the signature, then parses the event. @param kept the secret that `keepSubscribed` returned */
export function readPolarWebhook({ headers, rawBody }: WebhookRequest, kept?: string): ReadWebhook {
  const json = bodyJson(rawBody)
  // It comes before the secret does.
  if (PingSchema.safeParse(json).success) return { outcome: "ping" }
  const secret = kept === undefined ? undefined : splitSecret(kept)?.secret
  if (secret === undefined || !isSigned(secret, rawBody, headerText(headers[SIGNATURE_HEADER])))
    return { outcome: "forged" }
  const parsed = PolarEventSchema.safeParse(json)
  if (!parsed.success) return { outcome: "unreadable", reason: reasonsOf(parsed.error) }
  const { event } = parsed.data
  if (!isRead(event)) return { outcome: "unknown_type" }
  const [first, ...others] = idsOf(event, parsed.data).flatMap((id) => eventsAbout(event, id, parsed.data))
  if (!first)
    return { outcome: "unreadable", reason: `${event}: names no ${event === "EXERCISE" ? "exercise" : "date"}` }
  return { outcome: "events", events: [first, ...others] }
}

/** Compared in constant time. */
function isSigned(secret: string, rawBody: Uint8Array, signature: string): boolean {
  if (!/^[0-9a-f]{64}$/i.test(signature)) return false
  const expected = createHmac("sha256", secret).update(rawBody).digest()
  return timingSafeEqual(Buffer.from(signature, "hex"), expected)
}

/** Longest range of dates that an event names: Polar serves no longer one. */
const MOST_DATES = 28

function idsOf(event: PolarEventName, { entity_id: id, date, from, to }: PolarEvent): string[] {
  if (event === "EXERCISE") return id ? [id] : []
  const [first, last] = [date ?? from, date ?? to ?? from]
  if (!first || !last || last < first || last >= addDays(first, MOST_DATES)) return []
  const dates: string[] = []
  for (let each = first; each <= last; each = addDays(each, 1)) dates.push(each)
  return dates
}

const eventsAbout = (
  event: PolarEventName,
  providerId: string,
  { user_id: memberId, timestamp }: PolarEvent,
): VendorEvent[] =>
  EVENT_KINDS[event].map((kind) => ({
    memberId,
    kind,
    namedBy: "record",
    providerId,
    ...(timestamp && { eventId: `${memberId}/${kind}/${providerId}/${timestamp}` }),
  }))

const PATH = "/v3/webhooks"
const EVENTS = Object.keys(EVENT_KINDS)

interface PolarSubscriptionOptions extends ExchangeLimits, RetryTools {
  readonly baseUrl: string
  readonly clientId: string
  readonly clientSecret: string
  readonly gate: CallGate
}

export const createPolarSubscriber = (options: PolarSubscriptionOptions): WebhookSubscriber => ({
  givesSecret: true,
  keepSubscribed: ({ callbackUrl, secret }) => keepSubscribed(options, callbackUrl, secret),
})

const webhookId = z.string().regex(/^[0-9A-Za-z_-]{1,64}$/)
const WebhookSchema = z.object({
  id: webhookId,
  events: z.array(z.string()),
  url: z.string(),
  /** Not every answer has it. */
  active: z.boolean().nullish(),
})
/** An app has one webhook or none. Some answers have it without a list. */
const WebhooksSchema = z.object({ data: z.union([z.array(WebhookSchema), WebhookSchema.transform((one) => [one])]) })
const CreatedSchema = z.object({ data: z.object({ id: webhookId, signature_secret_key: z.string().min(1).max(4096) }) })

/** A secret belongs to one webhook, so both are kept together: one without the other is of no use. */
const joinSecret = (id: string, secret: string): string => `${id}:${secret}`

function splitSecret(kept: string): { readonly id: string; readonly secret: string } | undefined {
  const [, id, secret] = /^([0-9A-Za-z_-]{1,64}):(.+)$/s.exec(kept) ?? []
  return id === undefined || secret === undefined ? undefined : { id, secret }
}

/** A webhook of which the secret is lost, or that leads elsewhere, is made again. One that Polar has deactivated is activated. */
async function keepSubscribed(
  options: PolarSubscriptionOptions,
  url: string,
  kept: string | undefined,
): Promise<KeptSubscriptions> {
  const body = await call(options, "GET", "")
  const listed = body === null ? [] : parseWhole(WebhooksSchema, body, `GET ${PATH}`).data
  const same = listed.find(({ id }) => kept !== undefined && splitSecret(kept)?.id === id)
  if (kept !== undefined && same?.url === url && EVENTS.every((event) => same.events.includes(event))) {
    if (same.active !== true) await activate(options, same.active)
    return { secret: kept, refused: [] }
  }
  for (const { id } of listed) await call(options, "DELETE", `/${id}`)
  const created = await call(options, "POST", "", { events: EVENTS, url })
  const { id, signature_secret_key: secret } = parseWhole(CreatedSchema, created, `POST ${PATH}`).data
  return { secret: joinSecret(id, secret), refused: [] }
}

/** Polar asks the address again before. A webhook of which it does not say whether it is active may be so already. */
async function activate(options: PolarSubscriptionOptions, active: boolean | null | undefined): Promise<void> {
  try {
    await call(options, "POST", "/activate")
  } catch (error) {
    if (active === false || !(error instanceof RequestRefused)) throw error
  }
}

/** Calls with the app's own credentials. Only a call that changes nothing, or the same again, is repeated. Null without a body. */
async function call(
  options: PolarSubscriptionOptions,
  method: "GET" | "POST" | "DELETE",
  path: string,
  body?: object,
): Promise<Json> {
  const operation = `${method} ${PATH}`
  const url = new URL(`${options.baseUrl.replace(/\/+$/, "")}${PATH}${path}`)
  const credentials = `${encodeURIComponent(options.clientId)}:${encodeURIComponent(options.clientSecret)}`
  const headers = {
    accept: "application/json",
    authorization: `Basic ${Buffer.from(credentials).toString("base64")}`,
    ...(body && { "content-type": "application/json" }),
  }
  return withRetries(options, method === "POST" ? pauseIfNeverSent : pauseBeforeRepeat, async () => {
    await options.gate.acquire()
    const init = { method, headers, ...(body && { body: JSON.stringify(body) }) }
    const answer = await exchange(options, operation, url, init)
    const { status, text } = answer
    if (status >= 200 && status < 300) return text.trim() === "" ? null : readJson(answer, operation)
    // There is none to be found, or to be deleted.
    if (status === 404 && method !== "POST") return null
    const message = `${operation} answered ${status}`
    const wait = retryAfterSeconds(answer.headers)
    if (status === 429) throw new RateLimited(message, wait ?? WINDOW_SECONDS)
    if (status >= 500 || status === 408) throw new VendorUnavailable(message, { retryAfterSeconds: wait })
    throw new RequestRefused(
      status === 401 ? `${message}: the client id or the client secret of the Polar app is wrong` : message,
    )
  })
}
