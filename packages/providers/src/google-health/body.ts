// Weights and body fat of Google's data points.
import { utcDateOf } from "@restwell/client/calendar-dates"
import { MINUTE_MS } from "@restwell/client/time-units"
import type { Json } from "../contract/records.ts"
import type { LeftOut, Sample, SampleSet } from "../contract/series.ts"
import { known } from "../normalize/known.ts"
import { reasonsOf } from "../normalize/read-records.ts"
import type { SampleType } from "./api.ts"
import { isCopy, sourceFields } from "./sources.ts"
import { GoogleBodyFatSchema, GoogleSampleTimeSchema, GoogleWeightSchema } from "./wire.ts"

const GRAMS = 1_000

/** Copies go by the name of what measured them. One of a moment that Google itself has is the same weight. */
export function samplesOf(type: SampleType, points: readonly Json[]): SampleSet[] {
  const series = type === "weight" ? ("weight" as const) : ("body_fat" as const)
  const leftOut: LeftOut[] = []
  const byDevice = new Map<string, Sample[]>([["", []]])
  const read = points.flatMap((point) => {
    const { data, error } = readPoint(type, point)
    if (error) leftOut.push({ type: series, reason: reasonsOf(error), count: 1, ...known({ day: dayOf(type, point) }) })
    return data?.value ? [{ ...data, value: data.value }] : []
  })
  const own = new Set(read.flatMap(({ source, at }) => (isCopy(source) ? [] : [minuteOf(at)])))
  for (const { source, at, value, utcOffset } of read) {
    if (isCopy(source) && own.has(minuteOf(at))) continue
    const device = sourceFields(source).device ?? ""
    const samples = byDevice.get(device) ?? []
    byDevice.set(device, samples)
    samples.push({ atMs: at.getTime(), value, ...known({ utcOffsetMinutes: utcOffset }) })
  }
  return [...byDevice].map(([device, samples]) => ({
    type: series,
    samples,
    ...(device !== "" && { device, kind: "copy" as const }),
    ...(device === "" && leftOut.length > 0 && { leftOut }),
  }))
}

/** The UTC day of a point of which another field is wrong. */
function dayOf(type: SampleType, point: Json): string | undefined {
  const field: unknown = Reflect.get(Object(point), type === "weight" ? "weight" : "bodyFat")
  const at = GoogleSampleTimeSchema.safeParse(field).data
  return at && utcDateOf(at)
}

const minuteOf = (at: Date): number => Math.floor(at.getTime() / MINUTE_MS)

function readPoint(type: SampleType, point: Json) {
  const schema =
    type === "weight"
      ? GoogleWeightSchema.transform(({ dataSource, weight: { weightGrams, sampleTime } }) => ({
          source: dataSource,
          value: weightGrams && weightGrams / GRAMS,
          at: sampleTime.physicalTime,
          utcOffset: sampleTime.utcOffset,
        }))
      : GoogleBodyFatSchema.transform(({ dataSource, bodyFat: { percentage, sampleTime } }) => ({
          source: dataSource,
          value: percentage,
          at: sampleTime.physicalTime,
          utcOffset: sampleTime.utcOffset,
        }))
  return schema.safeParse(point)
}
