import { DAY_MS, MINUTE_MS } from "@restwell/client/time-units"
import type { RecordKind } from "./records.ts"

/** What a vendor call is for, most urgent first. */
export const CALL_PURPOSES = ["person", "event", "reconciliation", "refresh", "request", "history"] as const
export type CallPurpose = (typeof CALL_PURPOSES)[number]

/** Purposes that bring nothing a person would miss by tomorrow: syncs they request, and their past. */
export const SPARE_PURPOSES: readonly CallPurpose[] = ["request", "history"]

/** Every call to a vendor passes the gate. All users of an app share one budget, in every process. */
export interface CallGate {
  /** Resolves when a call may be made. @throws {RateLimited} when the wait would be too long */
  acquire(): Promise<void>
  /** Takes the limits that the vendor reported with an answer. */
  report(limits: ReportedLimits): Promise<void>
}

export interface ReportedLimits {
  /** Calls left in the window that ends first. */
  readonly remaining: number
  /** Seconds until that window resets. */
  readonly resetSeconds: number
}

/** When a vendor's data is read, how far back, and with how many calls. Every vendor has one. Core applies it. */
export interface SyncPolicy {
  readonly listing: ListingPolicy
  readonly events: EventPolicy
  /** Null where webhooks announce every change. */
  readonly openRecords: OpenRecordPolicy | null
  readonly scores: ScorePolicy
  readonly reconciliation: ReconciliationPolicy
  readonly history: {
    /** One step into the past reads this many days. Its calls must fit into one minute's budget. */
    readonly windowDays: number
    /** Whether the vendor may get older records of an account after it was connected here. @default false */
    readonly isFilledLater?: boolean
  }
  /** Values within the day that are no parts of records. Null where the vendor has none. */
  readonly samples: SamplePolicy | null
  readonly profile: {
    /** Read the profile again after this. */
    readonly maxAgeMs: number
    /** Read the profile again after this when the person requests a sync. */
    readonly maxAgeOnRequestMs: number
  }
  readonly calls: CallBudget
}

/** A listing reads all kinds of the newest days to their last page. */
interface ListingPolicy {
  /** Days before the last listing that are read again. */
  readonly trailingDays: number
  /** List this often while no webhooks arrive. */
  readonly pollEveryMs: number
  /** A sleep event leads to a listing when the last one is older than this. */
  readonly maxAgeAtSleepEventMs: number
  /** Any event leads to a listing when the last one is older than this. */
  readonly maxAgeAtEventMs: number
  /** List after this at the latest, even when webhooks arrive. */
  readonly maxAgeMs: number
}

/** Webhooks announce changes. An event names a record and carries no data. */
interface EventPolicy {
  /** Stop relying on webhooks when this person had no event for this long and the vendor sent none for anyone. */
  readonly silenceMs: number
  /** The vendor sent no event for anyone for this long. */
  readonly silenceOfAllMs: number
  /** Read more events than this with a listing, which needs fewer calls. */
  readonly maxSingleReads: number
  /** A listing younger than this is not repeated for many events. */
  readonly minListingAgeMs: number
  /** Delay before a new record of a kind is read, because a second event with its score follows. Any second event ends the delay. */
  readonly firstReadDelayMs: Readonly<Partial<Record<RecordKind, number>>>
}

/** Of a vendor whose webhooks are not received: without any event, it is polled. */
export const NO_EVENTS: EventPolicy = {
  silenceMs: DAY_MS,
  silenceOfAllMs: DAY_MS,
  maxSingleReads: 5,
  minListingAgeMs: MINUTE_MS,
  firstReadDelayMs: {},
}

/** A kind whose records grow while they are open, and that no webhook announces. */
export interface OpenRecordPolicy {
  readonly kind: RecordKind
  /** An open record started within this. */
  readonly startedWithinMs: number
  /** With webhooks: poll once, this long after the last listing. */
  readonly pollAfterListingMs: number
  /** Skip that poll when an event led to a read within this before it. */
  readonly skipPollAfterReadMs: number
  /** A change of these kinds changes the records of `kind` around it. */
  readonly changedBy: readonly ("sleep" | "workout" | "cycle")[]
  /** Records of `kind` within this of such a change are read again. */
  readonly reachMs: number
}

interface ScorePolicy {
  /** Look for a missing score after this, in case its event was lost. */
  readonly checkAfterMs: number
  /** Stop looking when the record is older than this. */
  readonly giveUpAfterMs: number
}

/** A reconciliation lists a longer window, to find late edits and deletions. */
interface ReconciliationPolicy {
  readonly days: number
  /** Without webhooks, and for the first one after the history is complete. */
  readonly intervalMs: number
  /** With webhooks: only lost events are left to find. */
  readonly intervalWithEventsMs: number
}

/** Nobody's data begin before: records and samples are of this century. */
export const SINCE_EVER = new Date("2000-01-01T00:00:00Z")

/** Samples are read after each sync, and their past after the history of all records. Windows are whole UTC days. */
interface SamplePolicy {
  /** Their past is read at least as far back: a scale may be older than the first night. Null for as far as the records go. */
  readonly since: Date | null
  /** Days before now that the first read of a UTC day begins at. It finds what arrived late or was changed. */
  readonly trailingDays: number
  /** The other reads begin this long before the newest sample that is known. */
  readonly overlapMs: number
  /** Most days of one read. */
  readonly windowDays: number
  /** Days of the past that are read a second time after the first reconciliation, in case a list was incomplete. */
  readonly reconciledDays: number
}

/** The vendor limits the calls of the whole app, here those of a new one. Core shares them by urgency and by people. */
export interface CallBudget extends CallLimits {
  /** Whom the vendor limits: the app, for all people together, or each person's key. */
  readonly of: "app" | "key"
  /** True where the vendor counts within seconds: the calls of a minute are made evenly. @default false */
  readonly isSpaced?: boolean
  /** The smallest share of a person, however many there are: more than the news of a usual minute and day take. */
  readonly leastShare: CallLimits
}

/** Calls in any minute and any day. */
export interface CallLimits {
  readonly perMinute: number
  readonly perDay: number
}
