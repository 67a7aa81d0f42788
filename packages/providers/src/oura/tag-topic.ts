// What a tag says and which waking it belongs to: the same for the API and the data export.
import { factorOf, JOURNAL_FACTORS, type JournalTopic } from "../normalize/journal-factors.ts"
import { daysAfter } from "./api.ts"
import type { LocalTime } from "./wire.ts"

const HOUR_MS = 3_600_000
const MINUTE_MS = 60_000
/** Oura's days begin at 04:00. What is noted after midnight belongs to the evening before. */
const DAY_BEGINS_MS = 4 * HOUR_MS
const LONGEST_QUESTION = 200

/** Returns the date of a tag. As in WHOOP's journal, a day's entries belong to the waking that follows the day. */
export function wakeDateOf({ at, utcOffsetMinutes }: LocalTime): string {
  const date = new Date(at.getTime() + utcOffsetMinutes * MINUTE_MS - DAY_BEGINS_MS).toISOString().slice(0, 10)
  return daysAfter(date, 1)
}

/** Returns the topic of a tag by its words. Undefined for a tag without any, which has a comment only. */
export function topicOf(tag: {
  readonly code: string | null | undefined
  readonly customName: string | null | undefined
}): (JournalTopic & { readonly question: string }) | undefined {
  const question = wordsOf(tag).slice(0, LONGEST_QUESTION)
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
