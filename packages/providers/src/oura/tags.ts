// What a tag says and which waking it belongs to: the same for the API and the data export.
// Tags of Oura's API: what a person notes in Oura's app. A tag is a yes, and says nothing about other dates.
// Tags of Oura's data export are answers of a journal: a tag that is there is a yes. Comments are not read.

import { addDays, utcDateOf } from "@restwell/client/calendar-dates"
import { HOUR_MS, MINUTE_MS } from "@restwell/client/time-units"
import { z } from "zod"
import type { ArchiveItem } from "../archive/archive-items.ts"
import type { JournalEntry, JournalRead, JournalWindow } from "../contract/journal-entries.ts"
import type { Json } from "../contract/records.ts"
import { opaqueId } from "../normalize/opaque-texts.ts"
import { reasonsOf } from "../normalize/read-records.ts"
import { cutText, toStorableText, unstorablePath } from "../normalize/storable-text.ts"
import { factorOf, JOURNAL_FACTORS, type JournalTopic } from "../normalize/vocabulary.ts"
import { listDocuments, type OuraAccess } from "./api.ts"
import { type OuraTable, TAG_COLUMNS } from "./archive-layout.ts"
import { type LocalTime, localTime, OuraTagSchema } from "./wire.ts"

/** Oura's days begin at 04:00. What is noted after midnight belongs to the evening before. */
const DAY_BEGINS_MS = 4 * HOUR_MS
const LONGEST_QUESTION = 200

/** Returns the date of a tag. As in WHOOP's journal, a day's entries belong to the waking that follows the day. */
function wakeDateOf({ at, utcOffsetMinutes }: LocalTime): string {
  const date = utcDateOf(new Date(at.getTime() + utcOffsetMinutes * MINUTE_MS - DAY_BEGINS_MS))
  return addDays(date, 1)
}

/** Returns the topic of a tag by its words. Undefined for a tag without any, which has a comment only. */
function topicOf(tag: {
  readonly code: string | null | undefined
  readonly customName: string | null | undefined
}): (JournalTopic & { readonly question: string }) | undefined {
  const question = cutText(wordsOf(tag), LONGEST_QUESTION)
  return question === "" ? undefined : { question, ...factorOf(question) }
}

/** `tag_generic_lateMeal` is "late meal", and `tag_generic_nocaffeine` "no caffeine". A custom tag has the person's own words. */
function wordsOf({ code, customName }: Parameters<typeof topicOf>[0]): string {
  const words = (code ?? "custom")
    .replace(/^tag_(?:generic_)?/, "")
    .replaceAll(/([a-z])([A-Z])/g, "$1 $2")
    .replaceAll("_", " ")
    .toLowerCase()
    .trim()
  if (words === "" || words === "custom") return (customName ?? "").trim()
  const [, absent] = /^no ?(.+)$/.exec(words) ?? []
  return absent !== undefined && JOURNAL_FACTORS.includes(factorOf(absent).factor) ? `no ${absent}` : words
}

/** Returns the tags of a window. Tags that cannot be read are left out. */
export async function readTags(access: OuraAccess, { from, to }: JournalWindow): Promise<JournalRead> {
  const documents = await listDocuments(access, "enhanced_tag", { first: addDays(from, -1), last: to })
  const entries = documents.flatMap(entryOf).filter(({ date }) => date >= from && date <= to)
  return { entries }
}

function entryOf(document: Json): JournalEntry[] {
  const { data: tag } = OuraTagSchema.safeParse(document)
  if (!tag) return []
  const { id: providerId, start_time: time, tag_type_code: code, custom_name: customName } = tag
  const topic = topicOf({ code: code && toStorableText(code), customName: customName && toStorableText(customName) })
  return topic ? [{ providerId, date: wakeDateOf(time), ...time, ...topic, answer: true }] : []
}

const blankAsUndefined = (value: unknown) =>
  typeof value === "string" && ["", "null", "None"].includes(value.trim()) ? undefined : value
const orBlank = <Schema extends z.ZodType<unknown, string>>(schema: Schema) =>
  z.preprocess(blankAsUndefined, schema.optional())
const text = orBlank(z.string().trim())
const day = orBlank(z.iso.date({ error: "not a date" }))

/** An `enhanced_tag`. Some exports have `day` and `custom_tag_name`. */
const TagRowSchema = z
  .object({
    id: opaqueId,
    tag_type_code: text,
    custom_name: text,
    custom_tag_name: text,
    start_time: orBlank(localTime),
    start_day: day,
    day,
  })
  .refine((row) => row.start_time ?? row.start_day ?? row.day, { path: ["start_time"], error: "missing" })

type TagRow = z.infer<typeof TagRowSchema>

/** Returns the answer of a tag's row, or the reason why it is ignored. */
export function tagItem({ columns }: OuraTable, cells: readonly string[], place: string): ArchiveItem {
  const raw = Object.fromEntries(TAG_COLUMNS.map((column) => [column, cells[columns.get(column) ?? -1] ?? ""]))
  const unstorable = unstorablePath(raw)
  if (unstorable !== undefined)
    return { type: "ignored", reason: `${place}: ${unstorable} has a character that cannot be stored` }
  const parsed = TagRowSchema.safeParse(raw)
  if (!parsed.success) return { type: "ignored", reason: `${place}: ${reasonsOf(parsed.error)}` }
  const { id: providerId, tag_type_code: code, custom_name, custom_tag_name } = parsed.data
  const topic = topicOf({ code, customName: custom_name ?? custom_tag_name })
  if (!topic) return { type: "ignored", reason: `${place}: a comment without a tag` }
  const time = timeOf(parsed.data)
  const answer = {
    providerId,
    cycleStartedAt: time.at,
    utcOffsetMinutes: time.utcOffsetMinutes,
    answer: true,
    date: wakeDateOf(time),
    ...topic,
  }
  return { type: "journal", answer, place }
}

/** Noon in UTC of a tag's day is on that day almost everywhere. */
const timeOf = ({ start_time: start, start_day, day: named }: TagRow): LocalTime =>
  start ?? { at: new Date(`${start_day ?? named}T12:00:00Z`), utcOffsetMinutes: 0 }
