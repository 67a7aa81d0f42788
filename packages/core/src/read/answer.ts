import type * as client from "@restwell/client"
import { type HealthQuery, type HealthType, type JournalQuery, OWN_SOURCE, type Source } from "@restwell/client"
import { RECORD_KINDS, type RecordKind } from "@restwell/providers"
import { type DateRange, periodOf } from "../base/calendar.ts"
import { waitingOf } from "../connect/connection-status.ts"
import { type Choice, withWholeNightChoices } from "../sources/choose.ts"
import { inOrder, NO_PREFERENCES } from "../sources/rank.ts"
import type { LocalClock } from "../statistics/local-days.ts"
import { nightsOf } from "../statistics/nights.ts"
import type { ConnectedSnapshot, HealthSource, WantedData } from "../store/statements/read-health.ts"
import type { StoredRecord, StoredSleep } from "../store/stored-record.ts"
import type { InsightLimits } from "./insight-query.ts"
import { type LackedKind, missingOf } from "./missing.ts"
import { othersAmong } from "./other-sources.ts"
import {
  presentAnswer,
  presentChoice,
  presentCycle,
  presentDeliveries,
  presentNight,
  presentProfile,
  presentRecovery,
  presentSleep,
  presentWorkout,
} from "./present.ts"
import { ofSport, summarize } from "./summarize.ts"

/** What is read: a type of health data, or the journal, which has a path of its own. */
export type ReadType = HealthType | "journal"
/** The sources are read in the same way, and not by assistants. */
export type ReadQuery<Type = ReadType | "sources"> = Omit<HealthQuery, "type" | "source"> & {
  readonly type: Type
  /** `OWN_SOURCE` for the journal alone. */
  readonly source?: JournalQuery["source"]
}

/** What the person entered, as a source of the journal. */
export const OWN_ENTRIES: HealthSource = {
  provider: OWN_SOURCE,
  status: "ok",
  lastSyncedAt: null,
  archivedAt: null,
  addedAt: new Date(0),
  waiting: null,
}

/** A source as every answer has it. */
export function presentSource({ provider, status, lastSyncedAt, archivedAt, waiting: stored }: HealthSource): Source {
  const waiting = stored && waitingOf(stored)
  return {
    provider,
    status,
    last_synced_at: lastSyncedAt?.toISOString() ?? null,
    ...(archivedAt && { archived_at: archivedAt.toISOString() }),
    ...(waiting && { waiting: { ...waiting, until: waiting.until?.toISOString() ?? null } }),
  }
}

export type HealthBody =
  | client.SummaryResponse
  | client.SleepResponse
  | client.RecoveryResponse
  | client.WorkoutResponse
  | client.CycleResponse
  | client.ProfileResponse
  | client.JournalResponse
  | client.SourcesResponse

export interface Answer {
  readonly body: HealthBody
  /** Records in the answer or behind it, 1 for a profile. */
  readonly recordCount: number
}

interface Asked {
  readonly range: DateRange
  /** The person's date. */
  readonly today: string
  /** Types of data that the reader may read. Null for all. */
  readonly shared: InsightLimits["groups"] | null
  /** Reads the person's clock on the dates. Undefined if their data changed since the snapshot. */
  readonly readClock: () => Promise<LocalClock | undefined>
}

/** The sources of a type in the person's order, and those that a read may answer from. @param wanted one source, or all */
function sourcesFor(snapshot: ConnectedSnapshot, type: ReadQuery["type"], wanted: ReadQuery["source"]) {
  const order = type === "recovery" || type === "workout" || type === "cycle" ? type : "sleep"
  const sources = inOrder(snapshot.sources, snapshot.preferences?.order[order])
  const readable = wanted === undefined || wanted === "all" ? sources : sources.filter((one) => one.provider === wanted)
  const envelope = (providers: readonly string[]) => ({
    source: presentSource(mainSource(readable, countsOf(providers)) ?? snapshot.sources[0]),
    sources: sources.map(presentSource),
  })
  return { sources, readable, envelope }
}

const missingIn = (
  snapshot: ConnectedSnapshot,
  kinds: readonly LackedKind[],
  { range, today }: Pick<Asked, "range" | "today">,
) => missingOf(snapshot, [...snapshot.facts, ...snapshot.candidates], { kinds, range, today, zone: snapshot })

/** The lists of a range by type. @param choices the records of the range and of the dates beside it, the newest first */
export function listsOf(
  { source: wanted, sport }: Pick<ReadQuery, "source" | "sport">,
  snapshot: ConnectedSnapshot,
  choices: readonly Choice<StoredRecord>[],
  asked: Pick<Asked, "range" | "today">,
) {
  const isInRange = within(asked.range)
  const list = <Item>(kind: LackedKind, records: Item[], providers: readonly string[]) => {
    const { readable, envelope } = sourcesFor(snapshot, kind, wanted)
    const missing = missingIn(snapshot, [kind], asked)
    const body = { records, count: records.length, empty_reason: emptyReason(records, readable), missing }
    return { body: { ...body, ...envelope(providers) }, recordCount: records.length }
  }
  const listing = { marksChosen: wanted === "all" }
  const hasSeveral = snapshot.sources.length > 1 && (wanted === undefined || wanted === "all")
  const listed = ofSport(choices, sport).filter(
    ({ fact, because }) => isInRange(fact) && (because !== null || wanted === "all"),
  )
  const listOf = <Kind extends RecordKind, Presented>(
    kind: Kind,
    present: (fact: Extract<StoredRecord, { kind: Kind }>) => Presented,
  ) => {
    const own = ofKind(listed, kind)
    const presented = presentChoice(present, listing)
    const others = hasSeveral && othersAmong(kind, snapshot)
    return list(
      kind,
      own.map((choice) => ({ ...presented(choice), ...(others && { others: others(choice.fact) }) })),
      own.map(({ fact }) => fact.provider),
    )
  }
  return {
    sleep: () => listOf("sleep", presentSleepOf(choices)),
    recovery: () => listOf("recovery", presentRecovery),
    workout: () => listOf("workout", presentWorkout),
    cycle: () => listOf("cycle", presentCycle),
    journal() {
      const answers = snapshot.answers.filter(isInRange)
      return list(
        "journal",
        answers.map(presentAnswer(listing)),
        answers.map(({ provider }) => provider),
      )
    },
  }
}

const within =
  ({ from, to }: DateRange) =>
  ({ date }: { readonly date: string }): boolean =>
    date >= from && date <= to

/** How a type of records is read and answered. */
interface RecordType {
  /** What is read beside the person and the sources. */
  readonly kinds: WantedData["kinds"]
  readonly hasProfile?: true
  /** Whether what the person entered is a source of it. */
  readonly hasOwnEntries?: true
  /** Whether `sport` selects of it. */
  readonly hasSport?: true
  /** How the access log names the read. A type of health data is a parameter. The journal and the sources have paths. */
  readonly operation: `/api/v1/${"health" | "journal" | "sources"}`
  /** False where the answer is the same for all dates. */
  readonly isDated: boolean
  /** Undefined if the person's data changed since the snapshot. @param choices the records of the range and of the dates beside it */
  answer(
    query: Pick<ReadQuery, "source" | "sport">,
    snapshot: ConnectedSnapshot,
    choices: readonly Choice<StoredRecord>[],
    asked: Asked,
  ): Answer | Promise<Answer | undefined>
}

const listed = (kind: LackedKind): RecordType => ({
  kinds: [kind],
  operation: "/api/v1/health",
  isDated: true,
  answer: (query, snapshot, choices, asked) => listsOf(query, snapshot, choices, asked)[kind](),
})

export const RECORD_TYPES: Readonly<Record<ReadQuery["type"], RecordType>> = {
  summary: { kinds: RECORD_KINDS, operation: "/api/v1/health", isDated: true, answer: answerSummary },
  sleep: listed("sleep"),
  recovery: listed("recovery"),
  workout: { ...listed("workout"), hasSport: true },
  cycle: listed("cycle"),
  profile: { kinds: [], hasProfile: true, operation: "/api/v1/health", isDated: false, answer: answerProfile },
  journal: { ...listed("journal"), hasOwnEntries: true, operation: "/api/v1/journal" },
  sources: { kinds: [], operation: "/api/v1/sources", isDated: false, answer: answerSources },
}

async function answerSummary(
  { source }: Pick<ReadQuery, "source">,
  snapshot: ConnectedSnapshot,
  choices: readonly Choice<StoredRecord>[],
  asked: Asked,
): Promise<Answer | undefined> {
  const clock = await asked.readClock()
  if (!clock) return undefined
  const { sources, envelope } = sourcesFor(snapshot, "summary", source)
  const isInRange = within(asked.range)
  const ofNights = withWholeNightChoices(choices).filter(({ fact }) => isInRange(fact))
  const figures = summarize(ofNights, sources, snapshot.preferences ?? NO_PREFERENCES)
  const chosen = ofNights.filter(({ because }) => because !== null).map(({ fact }) => fact.provider)
  const missing = missingIn(snapshot, RECORD_KINDS, asked)
  return {
    body: {
      period: periodOf(asked.range, (date) => clock.midnight(date)),
      ...figures,
      missing,
      ...envelope(chosen),
    },
    recordCount: chosen.length,
  }
}

function answerSources(
  { source }: Pick<ReadQuery, "source">,
  snapshot: ConnectedSnapshot,
  _choices: readonly Choice<StoredRecord>[],
  { shared }: Asked,
): Answer {
  const { sources } = sourcesFor(snapshot, "sources", source)
  const deliveries = sources.map((one) => presentDeliveries(one, shared))
  return { body: { sources: deliveries, count: deliveries.length }, recordCount: deliveries.length }
}

function answerProfile({ source }: Pick<ReadQuery, "source">, snapshot: ConnectedSnapshot): Answer {
  const { readable, envelope } = sourcesFor(snapshot, "profile", source)
  const found = readable.flatMap((one) => snapshot.profiles.filter(({ provider }) => provider === one.provider))[0]
  const body = { ...presentProfile(found?.data ?? null), ...envelope(found ? [found.provider] : []) }
  return { body, recordCount: 1 }
}

/** Presents sleeps, each part of a night with the whole night. */
function presentSleepOf(
  choices: readonly Choice<StoredRecord>[],
): (fact: StoredSleep) => ReturnType<typeof presentSleep> {
  const nights = new Map<StoredSleep, StoredSleep>()
  for (const { sleeps, night } of nightsOf(choices.map(({ fact }) => fact)))
    if (sleeps.length > 1) for (const sleep of sleeps) nights.set(sleep, night)
  return (fact) => {
    const night = nights.get(fact)
    return { ...presentSleep(fact), ...(night && { night: presentNight(night) }) }
  }
}

/** Newest first, as the statements order records. */
export function newestFirst({ fact: one }: Choice<StoredRecord>, { fact: other }: Choice<StoredRecord>): number {
  return (
    other.startMs - one.startMs ||
    (one.providerId === other.providerId ? 0 : one.providerId > other.providerId ? -1 : 1) ||
    (one.provider < other.provider ? -1 : 1)
  )
}

/** The choices of one kind. */
function ofKind<Kind extends StoredRecord["kind"]>(choices: readonly Choice<StoredRecord>[], kind: Kind) {
  const isOfKind = (choice: Choice<StoredRecord>): choice is Choice<Extract<StoredRecord, { kind: Kind }>> =>
    choice.fact.kind === kind
  return choices.filter(isOfKind)
}

const countsOf = (providers: readonly string[]): ReadonlyMap<string, number> =>
  new Map([...Map.groupBy(providers, (provider) => provider)].map(([provider, all]) => [provider, all.length]))

/** The source of most records. Of two with as many, the first of the order. @param counts records by provider */
export function mainSource(
  sources: readonly HealthSource[],
  counts: ReadonlyMap<string, number>,
): HealthSource | undefined {
  const count = (provider: string): number => counts.get(provider) ?? 0
  return sources.toSorted((one, other) => count(other.provider) - count(one.provider))[0]
}

const EMPTY_REASONS: Record<client.Source["status"], client.EmptyReason> = {
  ok: "no_data_in_range",
  syncing: "history_syncing",
  reauthorization_required: "reauthorization_required",
  vendor_unavailable: "vendor_unavailable",
  failing: "failing",
  archive: "no_data_in_range",
}

/** Why there are no records: of the first source in the order whose data may be missing, else because there are none. */
export function emptyReason(records: readonly unknown[], sources: readonly HealthSource[]): client.EmptyReason {
  if (records.length > 0) return null
  const reasons = sources.map(({ status }) => EMPTY_REASONS[status])
  return reasons.find((reason) => reason !== "no_data_in_range") ?? "no_data_in_range"
}
