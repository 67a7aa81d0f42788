import { type ArchivedRecord, type ArchiveItem, type JournalAnswer, localDateOf } from "@restwell/providers"
import type { Insertable } from "kysely"
import { CYCLE_DATE_AFTER_START_MS } from "../calendar/record-date.ts"
import type { ImportProfileTable, ImportRecordTable, JournalAnswerTable } from "../store/import-tables.ts"
import { detailOf, type StoredDetail } from "../store/stored-record.ts"

const WHOOP = "whoop"

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

/** What one row of an archive becomes. */
export type StagedItem =
  | { readonly type: "record"; readonly row: StagedRecord; readonly place: string }
  | { readonly type: "journal"; readonly row: StagedAnswer; readonly isPrivate: boolean }
  | { readonly type: "profile"; readonly row: StagedProfile }
  | { readonly type: "ignored"; readonly reason: string }

/** The rows of WHOOP's archive. */
export async function* stagedOfWhoop(items: AsyncIterable<ArchiveItem>): AsyncGenerator<StagedItem, void> {
  for await (const item of items)
    if (item.type === "record") yield { type: "record", row: recordRow(item.archived), place: item.place }
    else if (item.type === "journal")
      yield { type: "journal", row: answerRow(item.answer), isPrivate: item.answer.isPrivate }
    else yield item
}

const recordRow = ({ record, date, startedAt, endedAt, utcOffsetMinutes }: ArchivedRecord): StagedRecord => ({
  provider: WHOOP,
  kind: record.kind,
  provider_id: record.providerId,
  has_vendor_id: false,
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

/** The date is that of the cycle's sleep, once the whole archive is stored. Until then it is 12 hours after the start. */
const answerRow = ({ cycleStartedAt, utcOffsetMinutes, question, factor, answer }: JournalAnswer): StagedAnswer => ({
  provider: WHOOP,
  cycle_started_at: cycleStartedAt,
  question,
  provider_id: "",
  utc_offset_minutes: utcOffsetMinutes,
  factor,
  answer,
  date: localDateOf(new Date(cycleStartedAt.getTime() + CYCLE_DATE_AFTER_START_MS), utcOffsetMinutes),
})
