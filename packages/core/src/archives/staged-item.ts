import { PREFERENCE_KEYS, type PreferencesChange } from "@restwell/client"
import {
  type ArchivedRecord,
  CYCLE_DATE_AFTER_START_MS,
  type JournalAnswer,
  localDateOf,
  plausibleProfile,
  type SampleSet,
  type SleepCourse,
  type VendorArchive,
} from "@restwell/providers"
import { type Insertable, sql, type Transaction } from "kysely"
import type { Database } from "../store/database.ts"
import type {
  ImportOwnAnswerTable,
  ImportOwnNoteTable,
  ImportProfileTable,
  ImportRecordTable,
  JournalAnswerTable,
  SourceChoice,
  SourceOrderTable,
} from "../store/record-tables.ts"
import { columnsOf } from "../store/stored-record.ts"

type Own<Table> = Omit<Table, "user_id" | "import_id">

/** A record as `import_record` has it. */
export type StagedRecord = Omit<
  Own<Insertable<ImportRecordTable>>,
  "detail" | "candidate" | "course" | "raw" | "started_at" | "ended_at"
> & {
  readonly started_at: Date
  readonly ended_at: Date | null
  readonly detail: object
  readonly candidate: object
  readonly course: SleepCourse | null
  readonly raw: unknown
}
export type StagedAnswer = Own<Insertable<JournalAnswerTable>>
export type StagedProfile = Omit<Own<Insertable<ImportProfileTable>>, "data" | "raw"> & {
  readonly data: unknown
  readonly raw: unknown
}

/** What the person of an export entered in the page. */
type StagedOwnAnswer = Own<ImportOwnAnswerTable>
type StagedOwnNote = Own<ImportOwnNoteTable>

/** Samples of one source, and the record that they are a part of. */
export interface StagedSeries {
  readonly provider: string
  readonly recordId: string
  /** True for samples that the vendor itself had delivered. */
  readonly wasDirect: boolean
  readonly set: SampleSet
}

/** The sources that the person prefers for a type. */
export type SourceOrder = Omit<SourceOrderTable, "user_id">

/** What one row of an archive becomes. */
export type StagedItem =
  | {
      readonly type: "record"
      readonly row: StagedRecord
      readonly place: string
      readonly samples?: readonly SampleSet[]
    }
  | { readonly type: "series"; readonly row: StagedSeries; readonly place: string }
  | { readonly type: "journal"; readonly row: StagedAnswer; readonly isPrivate: boolean; readonly place: string }
  | { readonly type: "own_answer"; readonly row: StagedOwnAnswer; readonly place: string }
  | { readonly type: "own_note"; readonly row: StagedOwnNote; readonly place: string }
  | { readonly type: "profile"; readonly row: StagedProfile }
  | { readonly type: "note"; readonly note: string }
  | { readonly type: "preferences"; readonly row: PreferencesChange }
  | { readonly type: "source_order"; readonly row: SourceOrder }
  | { readonly type: "source_choice"; readonly row: SourceChoice }
  | { readonly type: "reading" }
  | { readonly type: "left_out"; readonly reason: string }
  | { readonly type: "ignored"; readonly reason: string; readonly count?: number }

/** The rows of a vendor's archive. */
export async function* stagedItems(archive: VendorArchive): AsyncGenerator<StagedItem, void> {
  for await (const item of archive.items)
    if (item.type === "record") {
      const { archived, place } = item
      const { record } = archived
      const samples = record.kind === "sleep" && record.samples ? { samples: record.samples } : {}
      yield { type: "record", row: recordRow(archive, archived), place, ...samples }
    } else if (item.type === "journal") {
      const { answer, place } = item
      yield { type: "journal", row: answerRow(archive, answer), isPrivate: answer.isPrivate, place }
    } else if (item.type === "series") {
      const { set, place } = item
      yield { type: "series", row: { provider: archive.provider, recordId: "", wasDirect: false, set }, place }
    } else if (item.type === "profile") {
      const { profile, at } = item
      yield { type: "profile", row: { provider: archive.provider, ...plausibleProfile(profile), fetched_at: at } }
    } else yield item
}

/** A record as an import stores it. */
export const recordRow = (
  {
    provider,
    hasVendorIds,
    wasDirect = false,
  }: { readonly provider: string; readonly hasVendorIds: boolean; readonly wasDirect?: boolean },
  { record, date, startedAt, utcOffsetMinutes, precedence = 0 }: ArchivedRecord,
): StagedRecord => ({
  provider,
  ...columnsOf(record),
  has_vendor_id: hasVendorIds,
  was_direct: wasDirect,
  precedence,
  date,
  started_at: startedAt,
  utc_offset_minutes: utcOffsetMinutes,
})

/**
 * An answer without a date has that of its cycle's sleep, once the whole archive is stored. Until then it is 12 hours after the start.
 */
const answerRow = (
  { provider }: VendorArchive,
  { cycleStartedAt, utcOffsetMinutes, question, factor, answer, date, providerId }: JournalAnswer,
): StagedAnswer => ({
  provider,
  cycle_started_at: cycleStartedAt,
  question,
  provider_id: providerId ?? "",
  utc_offset_minutes: utcOffsetMinutes,
  factor,
  answer,
  date: date ?? localDateOf(new Date(cycleStartedAt.getTime() + CYCLE_DATE_AFTER_START_MS), utcOffsetMinutes),
})

/** What the person of an export prefers. */
export interface StagedPreferences {
  readonly display: PreferencesChange
  readonly order: readonly SourceOrder[]
  readonly choices: readonly SourceChoice[]
}

interface ImportKey {
  readonly userId: string
  readonly id: string
}

const PREFERENCES = sql.join(PREFERENCE_KEYS.map((key) => sql.ref(key)))

/**
 * Restores what the person of an export prefers where the importing person has set nothing: each preference of the page, the order of
 * sources, and their choices. The import remembers what it restored.
 */
export async function restorePreferences(
  transaction: Transaction<Database>,
  { userId, id }: ImportKey,
  { display, order, choices }: StagedPreferences,
): Promise<void> {
  await sql`
    with free as (
      select coalesce(jsonb_object_agg(e.key, e.value), '{}') as preferences
      from jsonb_each(${JSON.stringify(display)}::jsonb) e, restwell.person p
      where p.user_id = ${userId} and (to_jsonb(p) -> e.key = 'null' or e.key = any(p.suggested_preferences))
    ), restored_preferences as (
      update restwell.person p set
        (${PREFERENCES}) = (select ${PREFERENCES} from jsonb_populate_record(p, f.preferences)),
        suggested_preferences = array(select unnest(p.suggested_preferences) except select jsonb_object_keys(f.preferences))
      from free f where p.user_id = ${userId} and f.preferences <> '{}'
    ), restored_order as (
      insert into restwell.source_order (user_id, type, providers)
      select ${userId}, o.type, o.providers from jsonb_to_recordset(${JSON.stringify(order)}::jsonb) as o (type text, providers text[])
      where not exists (select from restwell.source_order where user_id = ${userId})
      on conflict do nothing returning type, providers
    ), restored_choices as (
      insert into restwell.source_choice (user_id, type, date, provider)
      select ${userId}, c.type, c.date, c.provider
      from jsonb_to_recordset(${JSON.stringify(choices)}::jsonb) as c (type text, date date, provider text)
      where not exists (select from restwell.source_choice where user_id = ${userId})
      on conflict do nothing returning type, date, provider
    )
    update restwell.import set restored = jsonb_build_object(
      'preferences', (select preferences from free),
      'order', (select coalesce(jsonb_agg(o), '[]') from restored_order o),
      'choices', (select coalesce(jsonb_agg(c), '[]') from restored_choices c))
    where user_id = ${userId} and id = ${id}
  `.execute(transaction)
}

/** Removes what an import restored, unless the person changed it since. */
export async function removeRestored(transaction: Transaction<Database>, { userId, id }: ImportKey): Promise<void> {
  await sql`
    with restored as (
      select restored from restwell.import where user_id = ${userId} and id = ${id}
    ), preferences_gone as (
      update restwell.person p set (${PREFERENCES}) = (
        select ${PREFERENCES} from jsonb_populate_record(p, (
          select jsonb_object_agg(e.key, null) from jsonb_each(r.restored -> 'preferences') e where to_jsonb(p) -> e.key = e.value)))
      from restored r where p.user_id = ${userId} and r.restored -> 'preferences' <> '{}'
    ), order_gone as (
      delete from restwell.source_order s
      using restored, jsonb_to_recordset(restored.restored -> 'order') as o (type text, providers text[])
      where s.user_id = ${userId} and s.type = o.type and s.providers = o.providers
    )
    delete from restwell.source_choice s
    using restored, jsonb_to_recordset(restored.restored -> 'choices') as c (type text, date date, provider text)
    where s.user_id = ${userId} and s.type = c.type and s.date = c.date and s.provider = c.provider
  `.execute(transaction)
}
