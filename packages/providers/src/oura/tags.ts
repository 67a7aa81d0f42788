// Tags of Oura's API: what a person notes in Oura's app. A tag is a yes, and says nothing about other dates.
import type { JournalEntry, JournalRead, JournalWindow } from "../contract/journal.ts"
import type { Json } from "../contract/records.ts"
import { toStorableText } from "../normalize/storable-text.ts"
import { daysAfter, listDocuments, type OuraAccess } from "./api.ts"
import { topicOf, wakeDateOf } from "./tag-topic.ts"
import { OuraTagSchema } from "./wire.ts"

/** Returns the tags of a window. Tags that cannot be read are left out. */
export async function readTags(access: OuraAccess, { from, to }: JournalWindow): Promise<JournalRead> {
  const { documents, gap } = await listDocuments(access, "enhanced_tag", { first: daysAfter(from, -1), last: to })
  const entries = documents.flatMap(entryOf).filter(({ date }) => date >= from && date <= to)
  return { entries, ...(gap && { gap }) }
}

function entryOf(document: Json): JournalEntry[] {
  const { data: tag } = OuraTagSchema.safeParse(document)
  if (!tag) return []
  const { id: providerId, start_time: time, tag_type_code: code, custom_name: customName } = tag
  const topic = topicOf({ code: code && toStorableText(code), customName: customName && toStorableText(customName) })
  return topic ? [{ providerId, date: wakeDateOf(time), ...time, ...topic, answer: true }] : []
}
