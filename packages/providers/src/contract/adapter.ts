import type { z } from "zod"
import type { VendorCollections } from "./collections.ts"
import type { JournalRead, JournalWindow } from "./journal-entries.ts"
import type { NormalizedProfile, Page, PageRequest, RecordKind, RecordRequest, Rejoin } from "./records.ts"
import type { SampleRead, SampleRequest } from "./sample-read.ts"
import type { CallGate, SyncPolicy } from "./sync-policy.ts"
import type { Withheld } from "./withheld.ts"

/** The question by which a vendor finds out whether an address belongs to the app, as the API's description has it. */
interface ChallengeDescription {
  /** When it is asked, in one sentence. */
  readonly note: string
  /** Schemas of the parameters of its address, by name. */
  readonly query: Readonly<Record<string, z.ZodType>>
  readonly answer: z.ZodType
  readonly example: Readonly<Record<string, string>>
}

/** A vendor's webhook as the API's description has it. */
export interface WebhookDescription {
  /** Absent where the vendor asks no question before it sends webhooks. */
  readonly challenge?: ChallengeDescription
  /** How it comes to a service, in one sentence that begins with the vendor's name. */
  readonly note: string
  /** Schemas of its own headers, by name. */
  readonly headers: Readonly<Record<string, z.ZodOptional>>
  readonly event: z.ZodType
  readonly example: Readonly<Record<string, string | number>>
}

/** A webhook as received. */
export interface WebhookRequest {
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  /** The bytes of the body as they arrived: they are signed. */
  readonly rawBody: Uint8Array
}

/** What the id of an event identifies. Some vendors name a recovery by its sleep. */
const EVENT_NAMES = ["record", "sleep"] as const
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

/** A verified and parsed webhook. `signedAt` is absent where the vendor does not sign when it sent it: an event is a hint at any age. */
export type ReadWebhook =
  /** Not signed by the vendor. */
  | { readonly outcome: "forged" }
  /** The vendor asks whether the address answers, before there is anything to sign with. Nothing is done. */
  | { readonly outcome: "ping" }
  /** Signed, but not in a documented shape. */
  | { readonly outcome: "unreadable"; readonly reason: string }
  /** Of an unknown type, which is ignored. */
  | { readonly outcome: "unknown_type"; readonly signedAt?: Date }
  /** All events of one person. */
  | { readonly outcome: "events"; readonly signedAt?: Date; readonly events: readonly [VendorEvent, ...VendorEvent[]] }

/** Webhooks that an app has to subscribe to, and that end after a time. */
export interface WebhookSubscriber {
  /**
   * Answers the vendor's question whether the callback belongs to this app: the JSON to send with status 200, or undefined when the
   * question is not the vendor's. Absent where the vendor asks none.
   */
  answerChallenge?(query: URLSearchParams): Readonly<Record<string, string>> | undefined
  /** True where the vendor signs webhooks with a secret of the subscription, which it gives once. */
  readonly givesSecret?: true
  /**
   * Subscribes to what is missing and renews what ends soon. A repeat changes nothing. Call it once a day: it also replaces
   * subscriptions that the vendor has lost.
   * @param input.secret what the last call returned as `secret`
   * @throws {ProviderError} when the vendor does not answer, or refuses all of them
   */
  keepSubscribed(input: {
    readonly callbackUrl: string
    readonly secret?: string | undefined
  }): Promise<KeptSubscriptions>
}

export interface KeptSubscriptions {
  /** When the first subscription ends. Absent where none ends by the clock. */
  readonly endsAt?: Date
  /** Signs the webhooks from now on. Absent where the vendor gives none. */
  readonly secret?: string
  /** Events that the vendor refuses, by its name. The others are subscribed. */
  readonly refused: readonly string[]
}

/** What a vendor's redirect brought. */
export interface CodeExchange {
  readonly code: string
  readonly redirectUri: string
  /** Scopes that the redirect names, as it writes them. */
  readonly scope?: string | undefined
}

/** A vendor's answer to a code or refresh exchange. */
export interface TokenSet {
  readonly accessToken: string
  /** Absent where the vendor sends none or keeps the former one valid. */
  readonly refreshToken?: string
  /** Lifetime of the access token from now, seconds. */
  readonly expiresInSeconds: number
  /** Absent where the answer names none: they are those that were requested, or that the grant had. RFC 6749, 5.1 */
  readonly scopes?: readonly string[]
}

/**
 * The contract of every vendor. Adapters call the vendor and normalise its answers. They keep no state, clock or store.
 * All methods throw the errors of errors.ts and no others.
 */
interface DataAdapter {
  /** Lower case. It prefixes every id. */
  readonly provider: string
  readonly syncPolicy: SyncPolicy
  readonly collections: VendorCollections
  /** Returns what the collections of the kind gave. @throws {ProviderError} when none of them answers */
  fetchPage(accessToken: string, request: PageRequest): Promise<Page>
  /** Returns a page with the record, or an empty page when the vendor no longer has it. */
  fetchRecord(accessToken: string, input: RecordRequest): Promise<Page>
  /** Reads payloads again, with the parts that are stored of failed collections. Present where records are joined of several. Pure. */
  rejoin?(kind: RecordKind, rejoins: readonly Rejoin[]): Page
  fetchProfile(accessToken: string): Promise<NormalizedProfile>
  /** Returns all entries of the person's journal in a window. Absent where the vendor has no journal. */
  fetchJournal?(accessToken: string, window: JournalWindow & Withheld): Promise<JournalRead>
  /** Returns the samples of a window that are not parts of records, of the collections that answer. Absent where the vendor has none. */
  fetchSamples?(accessToken: string, request: SampleRequest): Promise<SampleRead>
  /** Verifies and parses a webhook. Absent where the vendor sends none. @param secret of the subscription, once there is one */
  readWebhook?(request: WebhookRequest, secret?: string): ReadWebhook
  /** Present where the app has to subscribe to webhooks through the API. */
  readonly webhookSubscriber?: WebhookSubscriber
}

/** A vendor to which people are connected by an app of the operator. */
export interface OauthAdapter extends DataAdapter {
  readonly access: "oauth"
  /** Requested at connect. All of them are needed. */
  readonly scopes: readonly string[]
  /** Requested too. A person may refuse them: their data is then a gap. */
  readonly optionalScopes?: readonly string[]
  /** Returns a fresh single-use `state` in the form this vendor accepts. */
  createState(): string
  /** Returns the page where the person consents. */
  authorizeUrl(input: { state: string; redirectUri: string }): URL
  exchangeCode(input: CodeExchange): Promise<TokenSet>
  /** @throws {AuthorizationRevoked} when the vendor no longer accepts the refresh token */
  refreshTokens(refreshToken: string): Promise<TokenSet>
  /** Ends the person's grant at the vendor. An unknown token counts as ended: refresh an expired token first. */
  revokeAccess(accessToken: string): Promise<void>
}

/**
 * A vendor to which people are connected by a key that they make there. It is the access token of every call. It has no end, and no call
 * ends it. A key that the vendor does not accept is rejected like an access token.
 */
export interface KeyAdapter extends DataAdapter {
  readonly access: "key"
}

export type VendorAdapter = OauthAdapter | KeyAdapter

/** The part of the built-in `fetch` that adapters use. */
export type Fetch = (url: URL, init: RequestInit) => Promise<Response>

/** A vendor that moved its developer portal keeps the former one, with other addresses, for apps that were registered there. */
export const APP_PORTALS = ["current", "legacy"] as const
export type AppPortal = (typeof APP_PORTALS)[number]

/** Settings of every vendor's adapter. */
export interface AdapterOptions {
  /** Origin of the vendor's servers or of a simulator. */
  readonly baseUrl: string
  readonly gate: CallGate
  /** Limit of one exchange, from connecting to the last byte of the body, milliseconds. @default 20000 */
  readonly timeoutMs?: number
  /** @default the built-in fetch */
  readonly fetch?: Fetch
  /** Resolves after this many milliseconds. @default a timer */
  readonly delay?: (delayMs: number) => Promise<void>
  /** In [0, 1): spreads retries. @default Math.random */
  readonly random?: () => number
  /** The clock. */
  readonly now: () => Date
}

/** Settings of a vendor with an app of the operator. */
export interface OauthAdapterOptions extends AdapterOptions {
  readonly clientId: string
  readonly clientSecret: string
  /** Where the app was registered, at a vendor with two portals. @default "current" */
  readonly portal?: AppPortal
}
