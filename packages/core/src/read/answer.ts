import type * as client from "@restwell/client"
import { type HealthQuery, type HealthType, type JournalQuery, OWN_SOURCE, type Source } from "@restwell/client"
import { RECORD_KINDS } from "@restwell/providers"
import { type DateRange, periodOf } from "../base/calendar.ts"
import { waitingOf } from "../connect/connection-status.ts"
import { type Choice, withWholeNightChoices } from "../sources/choose.ts"
import { inOrder, NO_PREFERENCES } from "../sources/rank.ts"
import { nightsOf } from "../statistics/nights.ts"
import type { HealthSnapshot, HealthSource } from "../store/statements/read-health.ts"
import type { StoredRecord, StoredSleep } from "../store/stored-record.ts"
import { type LackedKind, missingOf } from "./missing.ts"
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
  addedAt: new Date(0),
  waiting: null,
}

/** A source as every answer has it. */
export function presentSource({ provider, status, lastSyncedAt, waiting: stored }: HealthSource): Source {
  const waiting = stored && waitingOf(stored)
  return {
    provider,
    status,
    last_synced_at: lastSyncedAt?.toISOString() ?? null,
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

/** A snapshot of at least one source. */
export interface ConnectedSnapshot extends HealthSnapshot {
  readonly sources: readonly [HealthSource, ...HealthSource[]]
}

interface Answer {
  readonly body: HealthBody
  /** Records in the answer or behind it, 1 for a profile. */
  readonly recordCount: number
}

/** The answer to one read. @param choices the records of the range and of the dates beside it @param today the person's date */
export function answerOf(
  { type, source: wanted, sport }: Pick<ReadQuery, "type" | "source" | "sport">,
  snapshot: ConnectedSnapshot,
  choices: readonly Choice<StoredRecord>[],
  { range, today }: { readonly range: DateRange; readonly today: string },
): Answer {
  const preferences = snapshot.preferences ?? NO_PREFERENCES
  const isInRange = ({ date }: { readonly date: string }) => date >= range.from && date <= range.to
  const answers = snapshot.answers.filter(isInRange)
  const order = type === "recovery" || type === "workout" || type === "cycle" ? type : "sleep"
  const sources = inOrder(snapshot.sources, preferences.order[order])
  const readable = wanted === undefined || wanted === "all" ? sources : sources.filter((one) => one.provider === wanted)
  const envelope = (providers: readonly string[]) => ({
    source: presentSource(mainSource(readable, countsOf(providers)) ?? snapshot.sources[0]),
    sources: sources.map(presentSource),
  })
  const missing = (kinds: readonly LackedKind[]) =>
    missingOf(snapshot, [...snapshot.facts, ...snapshot.candidates], { kinds, range, today, zone: snapshot })
  const list = <Item>(kind: LackedKind, records: Item[], providers: readonly string[]) => ({
    body: {
      records,
      count: records.length,
      empty_reason: emptyReason(records, readable),
      missing: missing([kind]),
      ...envelope(providers),
    },
    recordCount: records.length,
  })
  const listing = { marksChosen: wanted === "all" }
  const listed = ofSport(choices, sport).filter(
    ({ fact, because }) => isInRange(fact) && (because !== null || wanted === "all"),
  )
  const providers = listed.map(({ fact }) => fact.provider)
  switch (type) {
    case "summary": {
      const ofNights = withWholeNightChoices(choices).filter(({ fact }) => isInRange(fact))
      const figures = summarize(ofNights, sources, preferences)
      const chosen = ofNights.filter(({ because }) => because !== null).map(({ fact }) => fact.provider)
      return {
        body: { period: periodOf(range, snapshot), ...figures, missing: missing(RECORD_KINDS), ...envelope(chosen) },
        recordCount: chosen.length,
      }
    }
    case "sleep":
      return list("sleep", ofKind(listed, "sleep").map(presentChoice(presentSleepOf(choices), listing)), providers)
    case "recovery":
      return list("recovery", ofKind(listed, "recovery").map(presentChoice(presentRecovery, listing)), providers)
    case "workout":
      return list("workout", ofKind(listed, "workout").map(presentChoice(presentWorkout, listing)), providers)
    case "cycle":
      return list("cycle", ofKind(listed, "cycle").map(presentChoice(presentCycle, listing)), providers)
    case "journal":
      return list(
        "journal",
        answers.map(presentAnswer(listing)),
        answers.map(({ provider }) => provider),
      )
    case "sources":
      return {
        body: { sources: sources.map(presentDeliveries), count: sources.length },
        recordCount: sources.length,
      }
    case "profile": {
      const found = readable.flatMap((one) => snapshot.profiles.filter(({ provider }) => provider === one.provider))[0]
      const body = { ...presentProfile(found?.data ?? null), ...envelope(found ? [found.provider] : []) }
      return { body, recordCount: 1 }
    }
  }
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
