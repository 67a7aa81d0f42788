// The rows of Restwell's own export, as they are checked when it is imported.
import {
  DATE_BOUNDS,
  OWN_JOURNAL,
  PREFERENCE_KEYS,
  PROVIDERS,
  PreferencesChangeSchema,
  ProfileDataSchema,
  SOURCE_TYPES,
} from "@restwell/client"
import {
  type ArchiveFile,
  DATA_SOURCES,
  entryOf,
  factorOf,
  isStorableText,
  type Json,
  type LeftOutField,
  leftOutReason,
  piecesOf,
  plausibleRecord,
  READ_ARCHIVES,
  RECORD_SCHEMAS,
  readJsonEntries,
  reasonsOf,
  toStorableJson,
  UnreadableArchive,
  unstorablePath,
  usableOf,
} from "@restwell/providers"
import { z } from "zod"
import { plainLines, plainText } from "../base/plain-text.ts"
import { ExportedSeriesSchema, seriesRow } from "./exported-series.ts"
import { recordRow, type StagedItem } from "./staged-item.ts"

const instant = z.iso.datetime({ offset: true }).transform((text) => new Date(text))
const provider = z.enum(PROVIDERS, { error: "a vendor that is not known here" })
/** Parsed JSON. */
const json = z.custom<Json>((value) => value !== undefined)
/** No answer is made of it. */
const payload = json.transform((value) => toStorableJson(value))

const offset = z.int().min(-720).max(840)

/** A record, and what the database derived from others: its date, and the time of a recovery. */
const RecordSchema = z.object({
  provider,
  date: z.iso.date(),
  started_at: instant,
  utc_offset_minutes: offset,
  from_archive: z.boolean(),
  /** Absent in exports of an earlier form. */
  precedence: z.number().default(0),
  detail: z.discriminatedUnion("kind", [
    RECORD_SCHEMAS.sleep,
    RECORD_SCHEMAS.recovery,
    RECORD_SCHEMAS.workout,
    RECORD_SCHEMAS.cycle,
  ]),
  raw: payload,
})

const AnswerSchema = z.object({
  provider,
  cycle_started_at: instant,
  question: z.string().min(1).max(500),
  /** Absent in exports of an earlier form. */
  provider_id: z.string().max(200).default(""),
  utc_offset_minutes: offset,
  factor: z.string().min(1).max(100),
  answer: z.boolean().nullable(),
  date: z.iso.date(),
})

const CANNOT_BE_STORED = { error: "a character that cannot be stored" }
const ownDate = z.iso.date().refine((date) => date >= DATE_BOUNDS.min && date <= DATE_BOUNDS.max)
const OwnAnswerSchema = z.object({
  date: ownDate,
  factor: z.string().regex(/^[^\p{C}]{1,100}$/u),
  title: z
    .string()
    .max(500)
    .refine(isStorableText, CANNOT_BE_STORED)
    .transform((title) => plainText(title, OWN_JOURNAL.title)),
  answer: z.boolean(),
  value: z.number().min(0).max(OWN_JOURNAL.value).nullable().default(null),
})
const OwnNoteSchema = z.object({
  date: ownDate,
  note: z
    .string()
    .min(1)
    .max(OWN_JOURNAL.note)
    .refine(isStorableText, CANNOT_BE_STORED)
    .transform((note) => plainLines(note, OWN_JOURNAL.note)),
})

const sourceType = z.enum(SOURCE_TYPES)
const OrderSchema = z.object({ type: sourceType, providers: z.array(provider).min(1).max(PROVIDERS.length) })
const ChoiceSchema = z.object({ type: sourceType, date: z.iso.date(), provider })

/** The account of an export. Of it only the preferences are restored. */
const AccountSchema = z
  .record(z.string(), json)
  .transform((account) => PREFERENCE_KEYS.flatMap((key) => (account[key] == null ? [] : [[key, account[key]]])))
  .transform((given) => Object.fromEntries(given))
  .pipe(PreferencesChangeSchema)

const ProfileSchema = z.object({ provider, data: ProfileDataSchema, raw: payload, fetched_at: instant })

type ExportedRecord = z.infer<typeof RecordSchema>

const boundsOf = (provider: string) => DATA_SOURCES.get(provider)?.bounds ?? []

/** An id that was made from the start of a record, because its archive has none. */
const MADE_ID = /^archive-/

/** A row and what was left out of it, or why it cannot be used. */
type ReadPart = (value: Json, place: string) => readonly StagedItem[] | string

const partOf =
  <Schema extends z.ZodType>(
    schema: Schema,
    itemOf: (row: z.infer<Schema>, place: string) => StagedItem | readonly StagedItem[] | string,
    essential: readonly string[] = ALL,
  ): ReadPart =>
  (value, place) => {
    const usable = usableOf(schema, value, essential)
    if (usable instanceof z.ZodError) return reasonsOf(usable)
    const unstorable = unstorablePath(usable.value)
    if (unstorable !== undefined) return `${unstorable} has a character that cannot be stored`
    const found = itemOf(usable.value, place)
    return typeof found === "string" ? found : [...leftOutItems("export", usable.leftOut), found].flat()
  }

/** A row of which a wrong field is never left out. */
const ALL = [""]
/** What decides about the time of a record and who may read it. */
const ESSENTIAL = ["detail.device", "detail.assistants"]
/** Without these the samples would be for another time, or of another date. */
const ESSENTIAL_OF_SERIES = ["durations_seconds", "utc_offsets_minutes"]
/** A row of which any field may be left out that it does not need. */
const NONE: readonly string[] = []

const leftOutItems = (what: string, leftOut: readonly LeftOutField[] = []): StagedItem[] =>
  leftOut.map(({ field, reason }) => ({ type: "left_out", reason: leftOutReason(what, field, reason) }))

/** A record as far as it can be true. What was left out of it before it was exported is no news. */
function recordItems(exported: ExportedRecord, place: string): readonly StagedItem[] | string {
  const { provider, detail, raw } = exported
  const plausible = plausibleRecord({ ...detail, raw }, boundsOf(provider))
  if ("fault" in plausible) return `${plausible.fault.field}: ${plausible.fault.reason}`
  const { record } = plausible
  const source = { provider, hasVendorIds: !MADE_ID.test(record.providerId), wasDirect: !exported.from_archive }
  const times = { startedAt: exported.started_at, utcOffsetMinutes: exported.utc_offset_minutes }
  const row = recordRow(source, { record, date: exported.date, ...times, precedence: exported.precedence })
  return [
    ...leftOutItems(record.kind, record.leftOut?.slice(detail.leftOut?.length ?? 0)),
    { type: "record", row, place },
  ]
}

/** The parts of the export that are imported. */
const PARTS: Readonly<Record<string, ReadPart>> = {
  records: partOf(RecordSchema, recordItems, ESSENTIAL),
  journal: partOf(AnswerSchema, (row, place) => ({
    type: "journal",
    row,
    isPrivate: factorOf(row.question).isPrivate,
    place,
  })),
  own_journal: partOf(OwnAnswerSchema, (row, place) => ({ type: "own_answer", row, place }), NONE),
  journal_notes: partOf(OwnNoteSchema, (row, place) => ({ type: "own_note", row, place })),
  series: partOf(
    ExportedSeriesSchema,
    (exported, place) => ({ type: "series", row: seriesRow(exported), place }),
    ESSENTIAL_OF_SERIES,
  ),
  profiles: partOf(ProfileSchema, (row) => ({ type: "profile", row }), NONE),
  user: partOf(AccountSchema, (row) => ({ type: "preferences", row }), NONE),
  source_order: partOf(OrderSchema, (row) => ({ type: "source_order", row }), NONE),
  source_choices: partOf(ChoiceSchema, (row) => ({ type: "source_choice", row })),
}

const ACCOUNT = "user"
/** What phones pushed. The records and values that it became are in other lists, and undoing an import could not undo a merge of rows. */
const PUSHED = "pushed_rows"
/** Lists of the export. Their entries are parsed one by one, so that no list is in memory as a whole. */
const LISTS = [
  ...Object.keys(PARTS).filter((part) => part !== ACCOUNT),
  PUSHED,
  "keys",
  "shares",
  "push_tokens",
  "receivers",
  "deliveries",
  ...["usage", "connections", "assistants", "access_log", "security_log"],
]
/** The longest are days of samples. */
const FORMAT = { paths: ["$.exported_at", `$.${ACCOUNT}`, ...LISTS.map((list) => `$.${list}.*`)], longestEntryMb: 4 }

/**
 * Streams what Restwell's own export contains.
 * @throws {UnreadableArchive} when it is no valid JSON, or no export of Restwell
 */
export async function* readRestwellExport(file: ArchiveFile): AsyncGenerator<StagedItem, void> {
  let isExport = false
  let pushed = 0
  for await (const entry of readJsonEntries(file.name, piecesOf(file), FORMAT))
    if (entry === undefined) yield { type: "reading" }
    else if (entry.key === "exported_at") isExport = true
    else if (entry.list === PUSHED) pushed += 1
    else yield* itemsOf(entry.list || String(entry.key), json.parse(entry.value), `${file.name}, line ${entry.line}`)
  if (!isExport)
    throw new UnreadableArchive(`${file.name} is JSON, but no export of Restwell`, { nextStep: READ_ARCHIVES })
  if (pushed > 0) yield { type: "note", note: pushedNote(pushed) }
}

const pushedNote = (count: number): string =>
  `${count} rows as phones pushed them were left out. The records and values that they became are there`

function itemsOf(list: string, value: Json, place: string): StagedItem[] {
  const read = entryOf(PARTS, list)
  if (!read) return []
  const found = read(value, place)
  return typeof found === "string" ? [{ type: "ignored", reason: `${place}: ${found}` }] : [...found]
}
