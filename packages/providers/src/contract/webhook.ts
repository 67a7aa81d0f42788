import type { RecordKind } from "./records.ts"

/** A webhook as received. */
export interface WebhookRequest {
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  /** The bytes of the body as they arrived: they are signed. */
  readonly rawBody: Uint8Array
}

/** What the id of an event identifies. Some vendors name a recovery by its sleep. */
export const EVENT_NAMES = ["record", "sleep"] as const
export type EventName = (typeof EVENT_NAMES)[number]

/** A vendor's notice that a record was made, changed or deleted. It carries no data: read the record again. */
export interface VendorEvent {
  /** As in the profile. */
  readonly memberId: string
  /** Equal when the same event is sent again. Absent where the vendor gives none. */
  readonly eventId?: string
  readonly kind: RecordKind
  readonly namedBy: EventName
  readonly providerId: string
}

/** A verified and parsed webhook. */
export type ReadWebhook =
  /** Not signed by the vendor. */
  | { readonly outcome: "forged" }
  /** Signed, but not in a documented shape. */
  | { readonly outcome: "unreadable"; readonly reason: string }
  /** Of an unknown type, which is ignored. */
  | { readonly outcome: "unknown_type"; readonly signedAt: Date }
  | { readonly outcome: "event"; readonly signedAt: Date; readonly event: VendorEvent }
