import type { CycleData, ProfileData, RecoveryData, ScoreState, SleepData, WorkoutData } from "@restwell/client"

/** Kinds of record a vendor lists over time. The profile is apart: there is one, and it has no time. */
export const RECORD_KINDS = ["sleep", "recovery", "workout", "cycle"] as const
export type RecordKind = (typeof RECORD_KINDS)[number]

/** Any JSON value, as a vendor sent it. */
export type Json = string | number | boolean | null | Json[] | { [key: string]: Json }

/** What every normalised record carries beside its data. */
interface RecordEnvelope {
  /** The vendor's own id, the key of all later updates. */
  readonly providerId: string
  /** When the vendor last changed it. An older version never replaces a newer one. */
  readonly updatedAt: Date
  readonly scoreState: ScoreState
  /** The vendor's payload, kept as it was sent. */
  readonly raw: Json
}

/** What a record with a place in time carries: UTC instants and the offset of the place where it happened. */
interface TimedEnvelope extends RecordEnvelope {
  readonly startedAt: Date
  /** Minutes east of UTC. */
  readonly utcOffsetMinutes: number
}

export interface NormalizedSleep extends TimedEnvelope {
  readonly kind: "sleep"
  readonly endedAt: Date
  /** The cycle it belongs to, where the vendor has cycles. */
  readonly cycleProviderId?: string
  readonly data: SleepData
  /** How alike the times of the last days' sleeps are, percent 0-100. */
  readonly consistencyPercent?: number
}

/** A recovery has neither time nor zone of its own: its date is that of its sleep, and is settled where both are stored. */
export interface NormalizedRecovery extends RecordEnvelope {
  readonly kind: "recovery"
  readonly sleepProviderId?: string
  readonly cycleProviderId?: string
  /** Stands in for the time of a recovery whose sleep and cycle are unknown. */
  readonly createdAt: Date
  /** Without the date, and without `metrics.skinTemp`, which needs the nights before. */
  readonly data: Omit<RecoveryData, "date">
  /** Skin temperature as measured, degrees Celsius. */
  readonly skinTempCelsius?: number
}

/** Time in each heart rate zone, milliseconds. */
export interface ZoneDurations {
  readonly zone0Ms: number
  readonly zone1Ms: number
  readonly zone2Ms: number
  readonly zone3Ms: number
  readonly zone4Ms: number
  readonly zone5Ms: number
}

export interface NormalizedWorkout extends TimedEnvelope {
  readonly kind: "workout"
  readonly endedAt: Date
  readonly data: WorkoutData
  readonly zones?: ZoneDurations
  /** False for what a vendor lists among the workouts but is rest: sauna, massage. Listed, not counted. */
  readonly countsAsWorkout: boolean
}

export interface NormalizedCycle extends TimedEnvelope {
  readonly kind: "cycle"
  /** Null while the cycle is open. */
  readonly endedAt: Date | null
  /** Without the date, which is that of its main sleep. */
  readonly data: Omit<CycleData, "date">
}

export type NormalizedRecord = NormalizedSleep | NormalizedRecovery | NormalizedWorkout | NormalizedCycle

export interface NormalizedProfile {
  /** Its `providerId` is the one by which the vendor's events name the person. */
  readonly data: ProfileData
  readonly raw: Json
}

/** A record whose shape is not what the vendor documents: kept aside, never a reason to drop its page. */
export interface RejectedRecord {
  readonly kind: RecordKind
  /** The vendor's id, where one could be read. */
  readonly providerId: string | null
  /** Which field is wrong and how; never its value. */
  readonly reason: string
  readonly raw: Json
}

export interface Page {
  readonly records: readonly NormalizedRecord[]
  readonly rejected: readonly RejectedRecord[]
  /** Opaque; absent on the last page. */
  readonly nextCursor?: string
}

/** Records of one kind that touch [from, to): started before `to`, and not ended before `from`. A bound left out is open. */
export interface PageRequest {
  readonly kind: RecordKind
  readonly from?: Date
  readonly to?: Date
  /** `nextCursor` of the page before, sent back with the same kind, bounds and limit. */
  readonly cursor?: string
  /** At most this many; the vendor's own maximum when left out. */
  readonly limit?: number
}

/** A vendor's answer to a code or refresh exchange. */
export interface TokenSet {
  readonly accessToken: string
  /** Absent where the vendor gave none, or keeps the former one valid. */
  readonly refreshToken?: string
  /** Lifetime of the access token from now, seconds. */
  readonly expiresInSeconds: number
  readonly scopes: readonly string[]
}

/** Asked before every call to a vendor, told of every answer: one budget for all users of the app, whatever the process. */
export interface CallGate {
  /** Resolves when a call may be made. @throws {RateLimited} when that is too far away to wait for. */
  acquire(): Promise<void>
  /** What the vendor said of its limits. */
  report(limits: ReportedLimits): Promise<void>
}

export interface ReportedLimits {
  /** Calls left in the window nearest to its end. */
  readonly remaining: number
  /** Seconds until that window resets. */
  readonly resetSeconds: number
}

/** A webhook as it came in. */
export interface WebhookRequest {
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  /** The body's bytes as they arrived: they are what was signed. */
  readonly rawBody: Uint8Array
}

/** What an event's id is the id of: some vendors name a recovery by its sleep. */
export const EVENT_NAMES = ["record", "sleep"] as const
export type EventName = (typeof EVENT_NAMES)[number]

/** A vendor's word that a record was made, changed or deleted. A hint to read the record again, and no data. */
export interface VendorEvent {
  /** As in the profile. */
  readonly memberId: string
  /** The same when the event is sent again, and of no other event; absent where the vendor gives none. */
  readonly eventId?: string
  readonly kind: RecordKind
  readonly namedBy: EventName
  readonly providerId: string
}

/** What a webhook is. */
export type ReadWebhook =
  /** Not signed by the vendor. */
  | { readonly outcome: "forged" }
  /** Signed, and in no shape the vendor documents. */
  | { readonly outcome: "unreadable"; readonly reason: string }
  /** Of a type not known here: nothing is to be done. */
  | { readonly outcome: "unknown_type"; readonly signedAt: Date }
  | { readonly outcome: "event"; readonly signedAt: Date; readonly event: VendorEvent }

/**
 * The contract every vendor meets. Adapters do I/O and normalise; they hold no state, no clock, no store.
 * All methods throw the family of errors.ts and nothing else.
 */
export interface VendorAdapter {
  /** Lower case, as it prefixes every id. */
  readonly provider: string
  /** Asked for at connect, and all of them needed. */
  readonly scopes: readonly string[]
  /** A fresh `state` in the form this vendor accepts. Single use. */
  createState(): string
  /** Where the person is sent to consent. */
  authorizeUrl(input: { state: string; redirectUri: string }): URL
  exchangeCode(input: { code: string; redirectUri: string }): Promise<TokenSet>
  /** @throws {AuthorizationRevoked} when the vendor no longer accepts the refresh token. */
  refreshTokens(refreshToken: string): Promise<TokenSet>
  /** Ends the person's grant at the vendor. Resolves also when it had ended before: refresh an expired token first. */
  revokeAccess(accessToken: string): Promise<void>
  fetchPage(accessToken: string, request: PageRequest): Promise<Page>
  /** One record by its `providerId`: a page of one, or an empty page when the vendor no longer has it. */
  fetchRecord(accessToken: string, input: { kind: RecordKind; providerId: string }): Promise<Page>
  fetchProfile(accessToken: string): Promise<NormalizedProfile>
  /** Who sent a webhook, and what it tells of; absent where the vendor sends none. */
  readWebhook?(request: WebhookRequest): ReadWebhook
}
