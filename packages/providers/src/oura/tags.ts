// Tags: what a person notes in Oura's app. A tag is a yes, and says nothing about other dates.
import type { JournalEntry, JournalRead, JournalWindow } from "../contract/journal.ts"
import type { Json } from "../contract/records.ts"
import { factorOf, JOURNAL_FACTORS } from "../normalize/journal-factors.ts"
import { toStorableText } from "../normalize/storable-text.ts"
import { daysAfter, listDocuments, type OuraAccess } from "./api.ts"
import { type OuraTag, OuraTagSchema } from "./wire.ts"

const HOUR_MS = 3_600_000
const MINUTE_MS = 60_000
/** Oura's days begin at 04:00. What is noted after midnight belongs to the evening before. */
const DAY_BEGINS_MS = 4 * HOUR_MS
const LONGEST_QUESTION = 200

/** Returns the tags of a window. Tags that cannot be read are left out. */
export async function readTags(access: OuraAccess, { from, to }: JournalWindow): Promise<JournalRead> {
  const { documents, gap } = await listDocuments(access, "enhanced_tag", { first: daysAfter(from, -1), last: to })
  const entries = documents.flatMap(entryOf).filter(({ date }) => date >= from && date <= to)
  return { entries, ...(gap && { gap }) }
}

function entryOf(document: Json): JournalEntry[] {
  const { data: tag } = OuraTagSchema.safeParse(document)
  const question = tag && wordsOf(tag)
  if (!tag || !question) return []
  const { at, utcOffsetMinutes } = tag.start_time
  const date = wakeDateOf(at, utcOffsetMinutes)
  return [{ providerId: tag.id, date, at, utcOffsetMinutes, question, ...factorOf(question), answer: true }]
}

/** As in WHOOP's journal, a day's entries belong to the waking that follows the day. */
function wakeDateOf(at: Date, utcOffsetMinutes: number): string {
  const day = new Date(at.getTime() + utcOffsetMinutes * MINUTE_MS - DAY_BEGINS_MS).toISOString().slice(0, 10)
  return daysAfter(day, 1)
}

/** A tag's name as words: `tag_generic_lateMeal` is "late meal", and `tag_generic_nocaffeine` "no caffeine". */
function wordsOf({ tag_type_code: code, custom_name: customName }: OuraTag): string {
  if (!code || code === "custom")
    return toStorableText(customName ?? "")
      .trim()
      .slice(0, LONGEST_QUESTION)
  const words = toStorableText(code)
    .replace(/^tag_(?:generic_)?/, "")
    .replaceAll(/([a-z])([A-Z])/g, "$1 $2")
    .replaceAll("_", " ")
    .toLowerCase()
    .trim()
    .slice(0, LONGEST_QUESTION)
  const [, absent] = /^no ?(.+)$/.exec(words) ?? []
  return absent !== undefined && JOURNAL_FACTORS.includes(factorOf(absent).factor) ? `no ${absent}` : words
}
