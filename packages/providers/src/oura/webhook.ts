// Oura's webhooks: verifies the signature and parses the event. https://cloud.ouraring.com/v2/docs#section/Webhooks
import { createHmac, timingSafeEqual } from "node:crypto"
import { z } from "zod"
import type { RecordKind } from "../contract/records.ts"
import type { ReadWebhook, WebhookRequest } from "../contract/webhook.ts"
import { reasonsOf } from "../normalize/parse.ts"
import { type OuraCollection, partId } from "./collections.ts"
import { documentId } from "./wire.ts"

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

export interface SignedOuraWebhook {
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
export function verifyOuraSignature({ secret, timestamp, rawBody, signature }: SignedOuraWebhook): boolean {
  // Digits only: timestamp and body are joined without a separator, and a body never begins with a digit.
  if (!/^\d{1,16}$/.test(timestamp) || !/^[0-9a-f]{64}$/i.test(signature)) return false
  const expected = createHmac("sha256", secret).update(timestamp).update(rawBody).digest()
  return timingSafeEqual(Buffer.from(signature, "hex"), expected)
}

const OuraEventSchema = z.object({
  event_type: z.string().max(64),
  data_type: z.string().max(64),
  object_id: documentId,
  event_time: z.string().max(64).nullish().catch(undefined),
  /** The person, as in the profile. */
  user_id: documentId,
})

/** Verifies the signature, then parses the event. */
export function readOuraWebhook(secret: string, { headers, rawBody }: WebhookRequest): ReadWebhook {
  const timestamp = single(headers[TIMESTAMP_HEADER])
  const signature = single(headers[SIGNATURE_HEADER])
  if (!verifyOuraSignature({ secret, timestamp, rawBody, signature })) return { outcome: "forged" }
  const parsed = OuraEventSchema.safeParse(parseJson(rawBody))
  if (!parsed.success) return { outcome: "unreadable", reason: reasonsOf(parsed.error) }
  const signedAt = instantOf(Number(timestamp))
  const { event_type: type, data_type: dataType, object_id: id, event_time: time, user_id: memberId } = parsed.data
  if (!isRead(dataType)) return { outcome: "unknown_type", signedAt }
  const { kind, isPart } = EVENT_KINDS[dataType]
  return {
    outcome: "event",
    signedAt,
    event: {
      memberId,
      kind,
      namedBy: "record",
      providerId: isPart ? partId(dataType, id) : id,
      ...(time && { eventId: `${dataType}/${id}/${type}/${time}` }),
    },
  }
}

const isRead = (dataType: string): dataType is OuraCollection => Object.hasOwn(EVENT_KINDS, dataType)

/** In seconds this is the year 5138, in milliseconds 1973: a timestamp below is in seconds. */
const FIRST_MILLISECONDS = 1e11

const instantOf = (timestamp: number): Date => new Date(timestamp < FIRST_MILLISECONDS ? timestamp * 1000 : timestamp)

const single = (header: string | readonly string[] | undefined): string => (typeof header === "string" ? header : "")

function parseJson(rawBody: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(rawBody))
  } catch {
    // The schema then says what is missing.
    return undefined
  }
}
