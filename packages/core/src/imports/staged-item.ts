import { type ArchivedRecord, type JournalAnswer, localDateOf, type VendorArchive } from "@restwell/providers"
import type { Insertable } from "kysely"
import { CYCLE_DATE_AFTER_START_MS } from "../calendar/record-date.ts"
import type { ImportProfileTable, ImportRecordTable, JournalAnswerTable } from "../store/import-tables.ts"
import type { SourceOrderTable } from "../store/record-tables.ts"
import type { SourceChoice } from "../store/source-preferences.ts"
import { detailOf, type StoredDetail } from "../store/stored-record.ts"

type Own<Table> = Omit<Table, "user_id" | "import_id">

/** A record as `import_record` has it. */
export type StagedRecord = Omit<Own<Insertable<ImportRecordTable>>, "detail" | "raw" | "started_at" | "ended_at"> & {
  readonly started_at: Date
  readonly ended_at: Date | null
  readonly detail: StoredDetail
  readonly raw: unknown
}
export type StagedAnswer = Own<Insertable<JournalAnswerTable>>
export type StagedProfile = Omit<Own<Insertable<ImportProfileTable>>, "data" | "raw"> & {
  readonly data: unknown
  readonly raw: unknown
}

/** The sources that the person prefers for a type. */
export type SourceOrder = Omit<SourceOrderTable, "user_id">

/** What one row of an archive becomes. */
export type StagedItem =
  | { readonly type: "record"; readonly row: StagedRecord; readonly place: string }
  | { readonly type: "journal"; readonly row: StagedAnswer; readonly isPrivate: boolean; readonly place: string }
  | { readonly type: "profile"; readonly row: StagedProfile }
  | { readonly type: "source_order"; readonly row: SourceOrder }
  | { readonly type: "source_choice"; readonly row: SourceChoice }
  | { readonly type: "reading" }
  | { readonly type: "ignored"; readonly reason: string }

/** The rows of a vendor's archive. */
export async function* stagedItems(archive: VendorArchive): AsyncGenerator<StagedItem, void> {
  for await (const item of archive.items)
    if (item.type === "record") yield { type: "record", row: recordRow(archive, item.archived), place: item.place }
    else if (item.type === "journal") {
      const { answer, place } = item
      yield { type: "journal", row: answerRow(archive, answer), isPrivate: answer.isPrivate, place }
    } else yield item
}

const recordRow = (
  { provider, hasVendorIds }: VendorArchive,
  { record, date, startedAt, endedAt, utcOffsetMinutes }: ArchivedRecord,
): StagedRecord => ({
  provider,
  kind: record.kind,
  provider_id: record.providerId,
  has_vendor_id: hasVendorIds,
  was_direct: false,
  date,
  started_at: startedAt,
  ended_at: endedAt,
  utc_offset_minutes: utcOffsetMinutes,
  score_state: record.scoreState,
  vendor_updated_at: record.updatedAt,
  sleep_provider_id: record.kind === "recovery" ? (record.sleepProviderId ?? null) : null,
  cycle_provider_id: record.kind === "recovery" || record.kind === "sleep" ? (record.cycleProviderId ?? null) : null,
  detail: detailOf(record),
  raw: record.raw,
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
