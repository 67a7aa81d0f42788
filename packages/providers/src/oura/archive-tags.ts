// Tags of Oura's data export are answers of a journal: a tag that is there is a yes. Comments are not read.
import { z } from "zod"
import type { ArchiveItem } from "../contract/archive.ts"
import { reasonsOf } from "../normalize/parse.ts"
import { unstorablePath } from "../normalize/storable-text.ts"
import type { OuraTable } from "./archive-layout.ts"
import { topicOf, wakeDateOf } from "./tag-topic.ts"
import { documentId, type LocalTime, localTime } from "./wire.ts"

const blankAsUndefined = (value: unknown) =>
  typeof value === "string" && ["", "null", "None"].includes(value.trim()) ? undefined : value
const orBlank = <Schema extends z.ZodType<unknown, string>>(schema: Schema) =>
  z.preprocess(blankAsUndefined, schema.optional())
const text = orBlank(z.string().trim())
const day = orBlank(z.iso.date({ error: "not a date" }))

export const TAG_COLUMNS = ["id", "tag_type_code", "custom_name", "custom_tag_name", "start_time", "start_day", "day"]

/** An `enhanced_tag`. Some exports have `day` and `custom_tag_name`. */
const TagRowSchema = z
  .object({
    id: documentId,
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
