// When a record of Oura was, read from documents whose other fields may be wrong.
import { z } from "zod"
import type { Json, Occurrence, RecordKind } from "../contract/records.ts"
import { localDateOf } from "../normalize/derive.ts"
import { localTime, OuraDayedSchema } from "./wire.ts"

const time = localTime.optional().catch(undefined)
const day = OuraDayedSchema.shape.day.optional().catch(undefined)
const DocumentsSchema = z.object({
  sleep: z.object({ bedtime_end: time, day }).optional().catch(undefined),
  daily_readiness: z.object({ day }).optional().catch(undefined),
  workout: z.object({ start_datetime: time, day }).optional().catch(undefined),
  daily_activity: z.object({ day }).optional().catch(undefined),
})
type Documents = z.infer<typeof DocumentsSchema>

/** A sleep that ends in the evening is of the date of its end, and Oura's day is the next one. */
const sleepDate = ({ sleep }: Documents) =>
  sleep?.bedtime_end ? localDateOf(sleep.bedtime_end.at, sleep.bedtime_end.utcOffsetMinutes) : sleep?.day

/** By kind, the local date of a record. */
const DATES: Readonly<Record<RecordKind, (documents: Documents) => string | undefined>> = {
  sleep: sleepDate,
  recovery: (documents) => sleepDate(documents) ?? documents.daily_readiness?.day,
  workout: ({ workout }) =>
    workout?.start_datetime
      ? localDateOf(workout.start_datetime.at, workout.start_datetime.utcOffsetMinutes)
      : workout?.day,
  cycle: ({ daily_activity: activity }) => activity?.day,
}

export const occurrenceOf =
  (kind: RecordKind) =>
  (raw: Json): Occurrence | null => {
    const documents = DocumentsSchema.safeParse(raw).data
    const date = documents && DATES[kind](documents)
    return date === undefined ? null : { date }
  }
