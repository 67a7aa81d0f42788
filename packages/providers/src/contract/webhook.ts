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

/** Webhooks that an app has to subscribe to, and that end after a time. */
export interface WebhookSubscriber {
  /**
   * Answers the vendor's question whether the callback belongs to this app: the JSON to send with status 200, or undefined when the
   * question is not the vendor's.
   */
  answerChallenge(query: URLSearchParams): { readonly challenge: string } | undefined
  /**
   * Subscribes to what is missing and renews what ends soon. A repeat changes nothing. Call it once a day: it also replaces
   * subscriptions that the vendor has lost.
   * @throws {ProviderError} when the vendor does not answer, or refuses all of them
   */
  keepSubscribed(input: { readonly callbackUrl: string }): Promise<KeptSubscriptions>
  /** Looks for what is not subscribed, and changes nothing. @throws {ProviderError} */
  findMissing(input: { readonly callbackUrl: string }): Promise<MissingSubscriptions>
}

export interface MissingSubscriptions {
  /** Events without a subscription to the callback that still lasts, by the vendor's name. */
  readonly missing: readonly string[]
}

export interface KeptSubscriptions {
  /** When the first subscription ends. */
  readonly endsAt: Date
  /** Events that the vendor refuses, by its name. The others are subscribed. */
  readonly refused: readonly string[]
}
