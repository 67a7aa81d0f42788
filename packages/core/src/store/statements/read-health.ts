import { DEFAULT_DAYS_OFF, type KeyType, type ProfileData } from "@restwell/client"
import type { Weekday } from "@restwell/client/calendar-dates"
import { RECORD_KINDS, type RecordKind, type SleepCourse } from "@restwell/providers"
import { type Pool, types } from "pg"
import type { DateRange, TimeZone } from "../../base/calendar.ts"
import { monthOf, type Plan } from "../../base/plans.ts"
import type { ConnectionStatus, StoredGap, StoredWaiting } from "../connection-tables.ts"
import { readStatement, runStatement, type Statement } from "../pool.ts"
import type { SourcePreferences } from "../record-tables.ts"
import { parseStored, type StoredCandidate, type StoredRecord, withoutLengthsAlone } from "../stored-record.ts"
import type { JournalFact } from "./journal.ts"
import { type AgedSource, namesByAge } from "./source-age.ts"

/** An API key's SHA-256 in hex, or a person who was authenticated otherwise. */
export type Credential = { readonly keyHash: string } | { readonly userId: string }

/** Which data to read beside the person. */
export interface WantedData {
  readonly kinds: readonly (StoredRecord["kind"] | "journal")[]
  readonly range: DateRange
  readonly profile: boolean
  /** The only source to read. Undefined reads all. */
  readonly source: string | undefined
  /** Whether every record is read as a whole, chosen or not. */
  readonly allRecords: boolean
  /** Versions of the data that the client has answers of. If the data have one of them, no records are read. */
  readonly knownVersions: readonly string[]
}

/** A connection or an archive that may answer. */
export interface HealthSource extends AgedSource {
  readonly status: Exclude<ConnectionStatus, "disconnected">
  readonly lastSyncedAt: Date | null
  /** When the newest archive was uploaded. Null for a connection. */
  readonly archivedAt: Date | null
  /** Null unless the status is syncing. */
  readonly waiting: StoredWaiting | null
}

/** What the sources lack of some dates. */
export interface Lacking {
  /** Records of these dates that were set aside. */
  readonly setAside: readonly {
    readonly provider: string
    readonly kind: RecordKind
    readonly date: string
  }[]
  /** Collections that fail, of any dates. */
  readonly gaps: readonly (StoredGap & { readonly provider: string })[]
}

/** What a key with a name opens. */
export interface KeyScope {
  /** Null for everything. */
  readonly types: readonly KeyType[] | null
  /** Dates, ending today. Null for all. */
  readonly days: number | null
  /** Null where it has no end. */
  readonly expiresAt: Date | null
}

/** Everything that one read is answered from, of one moment. */
export interface HealthSnapshot extends TimeZone, Lacking {
  readonly userId: string
  /** What the key of the read opens. Null for the key that opens everything, and without a key. */
  readonly key: KeyScope | null
  readonly plan: Plan
  readonly dataVersion: string
  readonly daysOff: readonly Weekday[]
  /** False if the data have a version that the client has answers of. Then records, answers and profiles are empty. */
  readonly hasRecords: boolean
  /** Requests counted this month. Null before the first. */
  readonly used: number | null
  /** By name. Empty without any connection or archive. */
  readonly sources: readonly HealthSource[]
  /**
   * Whole records, the newest first: of one source, or of the source that probably answers, or of all sources where every record is
   * wanted. With several sources also of the dates before and after.
   */
  readonly facts: readonly StoredRecord[]
  /** The other sources' records to choose from. */
  readonly candidates: readonly StoredCandidate[]
  /** Null with one source. */
  readonly preferences: SourcePreferences | null
  /** Answers of the journal, the newest first. */
  readonly answers: readonly JournalFact[]
  /** Whether the person entered any answer. It is only read with the journal, and for people without a source. */
  readonly hasOwnJournal: boolean
  readonly profiles: readonly { readonly provider: string; readonly data: ProfileData }[]
}

/** A snapshot of at least one source. */
export interface ConnectedSnapshot extends HealthSnapshot {
  readonly sources: readonly [HealthSource, ...HealthSource[]]
}

const READ_HEALTH = readStatement("read-health")

/** Reads a person's data of some dates in one statement. Returns undefined for an unknown credential. */
export async function readHealthSnapshot(
  pool: Pool,
  credential: Credential,
  { kinds, range, profile, source, allRecords, knownVersions }: WantedData,
  now: Date,
): Promise<HealthSnapshot | undefined> {
  const [keyHash, userId] =
    "keyHash" in credential ? [Buffer.from(credential.keyHash, "hex")] : [null, credential.userId]
  const person = [keyHash, userId, monthOf(now)]
  const wanted = [kinds, range.from, range.to, profile, source ?? null, allRecords, knownVersions]
  const { rows } = await runStatement<SnapshotRow>(pool, READ_HEALTH, [...person, ...wanted])
  const [row] = rows
  if (!row) return undefined
  const sources = row.sources.map(({ lastSyncedAt, archivedAt, addedAt, waiting, ...source }) => ({
    ...source,
    lastSyncedAt: instantOf(lastSyncedAt),
    archivedAt: instantOf(archivedAt),
    addedAt: new Date(addedAt),
    waiting: waiting && {
      ...waiting,
      until: instantOf(waiting.until),
      fetchedBackTo: instantOf(waiting.fetchedBackTo),
    },
  }))
  const facts = withoutLengthsAlone(parseStored<StoredRecord[]>(row.facts))
  const candidates = row.candidates === null ? [] : withoutLengthsAlone(parseStored<StoredCandidate[]>(row.candidates))
  const preferences = row.preferences && { ...row.preferences, connected: namesByAge(sources) }
  const key = row.key && { ...row.key, expiresAt: instantOf(row.key.expiresAt) }
  const daysOff = row.daysOff ?? DEFAULT_DAYS_OFF
  return { ...row, daysOff, key, sources, facts, candidates, preferences }
}

/**
 * Whole records of some dates, if the data still have the version that they were chosen under.
 * $1 person, $2 data version, and in arrays of equal length: $3 providers, $4 kinds, $5 first and $6 last dates
 */
const READ_FACTS = {
  name: "read-facts",
  text: `
    select (
      select '[' || coalesce(string_agg(restwell.stored_record(r, r.detail), ',' order by r.started_at desc, r.provider_id collate "C" desc, r.provider), '') || ']'
      from unnest($3::text[], $4::text[], $5::date[], $6::date[]) as dates (provider, kind, first, last)
      join restwell.record r on r.user_id = p.user_id and r.provider = dates.provider and r.kind = dates.kind
        and r.date between dates.first and dates.last) as facts
    from restwell.person p where p.user_id = $1 and p.data_version = $2::bigint`,
}

/** Dates of one source's records. */
export interface FactDates {
  readonly provider: string
  readonly kind: StoredRecord["kind"]
  readonly first: string
  readonly last: string
}

/** Reads whole records. Returns undefined if the person's data changed since their dates were chosen. */
export async function readFacts(
  pool: Pool,
  { userId, dataVersion }: Pick<HealthSnapshot, "userId" | "dataVersion">,
  dates: readonly FactDates[],
): Promise<readonly StoredRecord[] | undefined> {
  const columns = (["provider", "kind", "first", "last"] as const).map((part) => dates.map((run) => run[part]))
  const values = [userId, dataVersion, ...columns]
  const { rows } = await runStatement<{ facts: string }>(pool, READ_FACTS, values)
  return rows[0] && withoutLengthsAlone(parseStored<StoredRecord[]>(rows[0].facts))
}

const instantOf = (text: string | null): Date | null => (text === null ? null : new Date(text))

/** As it is read: records are JSON, and times inside of JSON are texts. */
type SnapshotRow = Omit<HealthSnapshot, "daysOff" | "key" | "sources" | "facts" | "candidates" | "preferences"> & {
  /** Null where the person set none. */
  readonly daysOff: readonly Weekday[] | null
  readonly key: (Omit<KeyScope, "expiresAt"> & { readonly expiresAt: string | null }) | null
  readonly preferences: Omit<SourcePreferences, "connected"> | null
  readonly facts: string
  readonly candidates: string | null
  readonly sources: readonly (Omit<HealthSource, "lastSyncedAt" | "archivedAt" | "addedAt" | "waiting"> & {
    readonly lastSyncedAt: string | null
    readonly archivedAt: string | null
    readonly addedAt: string
    readonly waiting:
      | (Omit<StoredWaiting, "until" | "fetchedBackTo"> & {
          readonly until: string | null
          readonly fetchedBackTo: string | null
        })
      | null
  })[]
}

export interface WantedHistory {
  readonly providers: readonly string[]
  readonly kinds: readonly RecordKind[]
  readonly journal: boolean
  readonly recordDates: boolean
  /** Leaves out dates that only have records that assistants must not get. The facts have all. */
  readonly isForAssistant: boolean
  /** The oldest date that may be read. */
  readonly from: string
  /** The newest date that is needed. */
  readonly to: string
  /** Before this date only nights and recoveries are needed. From it on, nights have their phases if they are wanted. */
  readonly wholeFrom: string
  readonly courses: boolean
}

/** A record, and the phases of a night where they are wanted. */
export type HistoryRecord = StoredRecord & { readonly course?: SleepCourse | null }

export interface History {
  /** In no order. */
  readonly facts: readonly HistoryRecord[]
  /** By provider, the dates with a record of any kind, oldest first. Null where the facts are of every kind and have them. */
  readonly recordDates: Readonly<Record<string, readonly string[]>> | null
  /** Oldest first. */
  readonly answers: readonly JournalFact[]
}

/**
 * A person's history as the statistics need it, if the data still have the version that the question was read under. One row has the dates
 * and the answers of the journal. Each record has a row of its own, so that it is parsed while the next ones arrive: one text of all
 * records takes 42 ms instead of 20.
 * $1 person, $2 data version, $3 providers, $4 kinds of records, $5 whether the journal is wanted, $6 first date, $7 whether dates with a
 * record of any kind are wanted, $8 whether an assistant gets them, $9 last date, $10 first date of workouts, cycles and answers, $11 whether
 * the phases of its nights are wanted
 */
const READ_HISTORY: Statement = {
  name: "read-history",
  text: `
    select
      null as fact, null::json as course,
      -- Counts of activities are zero on dates with a record of any kind of a source that finds them.
      (select coalesce(json_object_agg(d.provider, d.dates), '{}') from (
        select of_date.provider, json_agg(of_date.date order by of_date.date) as dates from (
          select distinct r.provider, r.date from restwell.record r
          where $7::boolean and r.user_id = p.user_id and r.provider = any ($3::text[]) and r.date between $6::date and $9::date
            and not ($8::boolean and r.detail ->> 'assistants' = 'false' is true)) of_date
        group by of_date.provider) d) as "recordDates",
      (select coalesce(json_agg(f), '[]') from (
        select j.provider, j.date, j.factor, j.question, j.answer, j.value, j.is_chosen as "isChosen"
        from restwell.journal j
        where $5::boolean and j.user_id = p.user_id and j.provider = any ($3::text[] || 'restwell'::text) and j.is_chosen
          and j.date between $10::date and $9::date
        order by j.date, j.factor, j.provider) f) as answers
    from restwell.person p where p.user_id = $1 and p.data_version = $2::bigint
    union all
    select restwell.stored_record(r, r.detail), case when $11::boolean and r.date >= $10::date then r.course end, null, null
    from restwell.person p
    join restwell.record r on r.user_id = p.user_id and r.provider = any ($3::text[]) and r.kind = any ($4::text[])
      and r.date between $6::date and $9::date and (r.date >= $10::date or r.kind in ('sleep', 'recovery'))
    where p.user_id = $1 and p.data_version = $2::bigint`,
  types: {
    getTypeParser: (oid, format) =>
      oid === types.builtins.TEXT ? parseStored<StoredRecord> : types.getTypeParser(oid, format),
  },
}

interface RecordRow {
  readonly fact: StoredRecord
  readonly course: SleepCourse | null
}

/** The one row without a record. */
interface RestRow extends Omit<History, "facts"> {
  readonly fact: null
}

/** Reads records of every date. Returns undefined if the person's data have another version by now. */
export async function readHistory(
  pool: Pool,
  { userId, dataVersion }: Pick<HealthSnapshot, "userId" | "dataVersion">,
  { providers, kinds, journal, recordDates, isForAssistant, from, to, wholeFrom, courses }: WantedHistory,
): Promise<History | undefined> {
  // Records of every kind are read anyway, and looking for their dates apart would take as long again.
  const areAllRead = RECORD_KINDS.every((kind) => kinds.includes(kind))
  const dates = [recordDates && !areAllRead, isForAssistant, to, wholeFrom, courses]
  const values = [userId, dataVersion, providers, kinds, journal, from, ...dates]
  const { rows } = await runStatement<RecordRow | RestRow>(pool, READ_HISTORY, values)
  const facts: HistoryRecord[] = []
  let rest: RestRow | undefined
  for (const row of rows)
    if (row.fact === null) rest = row
    else facts.push(courses ? { ...row.fact, course: row.course } : row.fact)
  return rest && { facts, recordDates: areAllRead ? null : rest.recordDates, answers: rest.answers }
}
