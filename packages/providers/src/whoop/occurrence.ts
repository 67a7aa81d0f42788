// When a record of WHOOP was, read from a payload whose other fields may be wrong.
import { z } from "zod"
import type { Json, Occurrence, RecordKind } from "../contract/records.ts"
import { CYCLE_DATE_AFTER_START_MS, localDateOf } from "../normalize/derive.ts"
import { instant } from "../normalize/read-records.ts"
import { utcOffset } from "./wire.ts"

const time = instant.optional().catch(undefined)
const TimesSchema = z.object({
  start: time,
  end: time,
  created_at: time,
  timezone_offset: utcOffset.optional().catch(undefined),
})
type Times = z.infer<typeof TimesSchema>

/** The instant whose local date a record has, by kind. A recovery has no times. */
const OCCURRED: Readonly<Record<RecordKind, (times: Times) => Date | undefined>> = {
  sleep: ({ end }) => end,
  recovery: () => undefined,
  workout: ({ start }) => start,
  cycle: ({ start }) => start && new Date(start.getTime() + CYCLE_DATE_AFTER_START_MS),
}

/** Records are created after they end. An open cycle is created as it begins, so its creation tells no date. */
export const occurrenceOf =
  (kind: RecordKind) =>
  (raw: Json): Occurrence | null => {
    const times = TimesSchema.safeParse(raw).data
    const at = times && (OCCURRED[kind](times) ?? (kind === "cycle" ? undefined : times.created_at))
    if (!at) return null
    return times.timezone_offset === undefined ? { instant: at } : { date: localDateOf(at, times.timezone_offset) }
  }
