// Values within the day, as an export of Restwell has them and as they are checked when it is imported.
import { PROVIDERS, SERIES_TYPES } from "@restwell/client"
import { DEVICE_KINDS, known, type Sample } from "@restwell/providers"
import { z } from "zod"
import { MOST_SAMPLES_A_DAY } from "../store/packed-samples.ts"
import type { StagedSeries } from "./staged-item.ts"

/** A member that cannot be read is NaN: it costs its sample alone. */
const column = (member: z.ZodType<number>) => z.array(member.catch(Number.NaN)).max(MOST_SAMPLES_A_DAY)
const name = z.string().min(1).max(200)

/** One source and UTC day, in columns of equal length. */
export const ExportedSeriesSchema = z
  .object({
    type: z.enum(SERIES_TYPES),
    provider: z.enum(PROVIDERS, { error: "a vendor that is not known here" }),
    day: z.iso.date(),
    device: name.nullable(),
    device_kind: z.enum(DEVICE_KINDS).exactOptional(),
    method: z.enum(["rmssd", "sdnn"]).nullable(),
    record_id: name.nullable(),
    from_archive: z.boolean(),
    offsets_seconds: column(z.number().min(0).lt(86_400)),
    values: column(z.number()),
    durations_seconds: column(z.number().min(0)).exactOptional(),
    utc_offsets_minutes: z
      .array(z.int().min(-720).max(840).nullable().catch(Number.NaN))
      .max(MOST_SAMPLES_A_DAY)
      .exactOptional(),
  })
  .refine(
    ({ offsets_seconds: { length }, values, durations_seconds: durations, utc_offsets_minutes: offsets }) =>
      [values, durations, offsets].every((other) => other === undefined || other.length === length),
    { error: "columns of different lengths" },
  )

/** @returns the samples of a day. One of which a member cannot be read has no value, and is reported when it is stored */
export function seriesRow(exported: z.infer<typeof ExportedSeriesSchema>): StagedSeries {
  const { type, provider, day, device, device_kind: kind, method, record_id: recordId } = exported
  const { offsets_seconds: offsets, values, durations_seconds: durations, utc_offsets_minutes: utcOffsets } = exported
  const startMs = Date.parse(day)
  const samples = offsets.map((offset, index): Sample => {
    const duration = durations?.[index] ?? 0
    const utcOffset = utcOffsets?.[index] ?? null
    const isUnreadable = [duration, utcOffset].some(Number.isNaN)
    return {
      atMs: startMs + Math.round(offset * 1000),
      value: isUnreadable ? Number.NaN : (values[index] ?? Number.NaN),
      ...(duration > 0 && { durationMs: Math.round(duration * 1000) }),
      ...(utcOffset !== null && { utcOffsetMinutes: utcOffset }),
    }
  })
  const set = {
    type,
    ...(method !== null && { method }),
    ...(device !== null && { device }),
    ...known({ kind }),
    samples,
  }
  return { provider, recordId: recordId ?? "", wasDirect: !exported.from_archive, set }
}
