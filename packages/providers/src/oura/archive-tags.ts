// Tags of Oura's data export are answers of a journal: a tag that is there is a yes.
import { z } from "zod"
import type { ArchiveItem } from "../contract/archive.ts"
import { factorOf } from "../normalize/journal-factors.ts"
import { known } from "../normalize/known.ts"
import { reasonsOf } from "../normalize/parse.ts"
import { unstorablePath } from "../normalize/storable-text.ts"
import type { OuraTable } from "./archive-layout.ts"
import { localTime } from "./wire.ts"

const LONGEST_NAME = 500
const LONGEST_NOTE = 5_000

const text = z
  .string()
  .trim()
  .transform((value) => (value === "" || value === "null" || value === "None" ? undefined : value))
const name = text.pipe(
  z
    .string()
    .max(LONGEST_NAME, { error: `longer than ${LONGEST_NAME} characters` })
    .optional(),
)

/** An `enhanced_tag`. Older exports have `day` and `custom_tag_name`. */
const TagRowSchema = z
  .object({
    tag_type_code: name.optional(),
    custom_name: name.optional(),
    custom_tag_name: name.optional(),
    start_time: text.pipe(localTime.optional()).optional(),
    start_day: text.pipe(z.iso.date({ error: "not a date" }).optional()).optional(),
    day: text.pipe(z.iso.date({ error: "not a date" }).optional()).optional(),
    comment: text.optional(),
  })
  .refine((row) => row.start_day ?? row.day ?? row.start_time, { path: ["start_day"], error: "missing" })

type TagRow = z.infer<typeof TagRowSchema>

/** Returns the answer of a tag's row, or the reason why it is ignored. */
export function tagItem({ columns }: OuraTable, cells: readonly string[], place: string): ArchiveItem {
  const raw = Object.fromEntries([...columns].map(([column, index]) => [column, cells[index] ?? ""]))
  const unstorable = unstorablePath(raw)
  if (unstorable !== undefined)
    return { type: "ignored", reason: `${place}: ${unstorable} has a character that cannot be stored` }
  const parsed = TagRowSchema.safeParse(raw)
  if (!parsed.success) return { type: "ignored", reason: `${place}: ${reasonsOf(parsed.error)}` }
  const { start_time: start, comment } = parsed.data
  const words = wordsOf(parsed.data)
  if (words === undefined) return { type: "ignored", reason: `${place}: a comment without a tag` }
  const date = dateOf(parsed.data)
  const answer = {
    cycleStartedAt: start?.at ?? new Date(`${date}T12:00:00Z`),
    utcOffsetMinutes: start?.utcOffsetMinutes ?? 0,
    question: words,
    answer: true,
    date,
    ...known({ note: comment?.slice(0, LONGEST_NOTE).toWellFormed() }),
    ...factorOf(words),
  }
  return { type: "journal", answer, place }
}

/** `tag_generic_late_meal` is "late meal". A custom tag has the person's own words. */
function wordsOf({ custom_name, custom_tag_name, tag_type_code: code = "custom" }: TagRow): string | undefined {
  const words = code
    .replace(/^tag_(?:generic_|sleep_)?/, "")
    .replaceAll("_", " ")
    .trim()
  return words === "" || words === "custom" ? (custom_name ?? custom_tag_name) : words
}

const dateOf = ({ start_day, day, start_time: start }: TagRow): string =>
  start_day ??
  day ??
  new Date((start?.at.getTime() ?? 0) + (start?.utcOffsetMinutes ?? 0) * 60_000).toISOString().slice(0, 10)
