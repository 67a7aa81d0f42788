import { expect, test } from "vitest"
import { fixturesOf } from "../../test/fixtures.ts"
import { readWhoopRecords, WHOOP_PLAUSIBLE } from "../whoop/normalize.ts"
import { WhoopPageSchema } from "../whoop/wire.ts"
import { PLAUSIBLE } from "./plausible.ts"

const { readFixture } = fixturesOf("whoop")

type Kind = "sleep" | "recovery" | "workout" | "cycle"

/** Returns what becomes of the first record of a kind with this value: what is left out of it, or why it is set aside. */
function outcomeOf(kind: Kind, path: string, value: unknown) {
  const original: unknown = WhoopPageSchema.parse(readFixture(`${kind}-page`)).records[kind === "cycle" ? 1 : 0]
  const record = structuredClone(Object(original))
  const steps = path.split(".")
  const holder = steps.slice(0, -1).reduce<object>((inner, step) => Object(Reflect.get(inner, step)), record)
  Reflect.set(holder, steps.at(-1) ?? "", value)
  const { rejected, records } = readWhoopRecords(kind, [record])
  expect(records.length + rejected.length).toBe(1)
  return {
    record: records[0],
    leftOut: records[0]?.leftOut?.map(({ field, reason }) => `${field}: ${reason}`),
    rejected: rejected[0]?.reason,
  }
}

test.each<[Kind, string, number, number, string]>([
  ["sleep", "score.sleep_performance_percentage", 0, 100, "percent"],
  ["sleep", "score.sleep_consistency_percentage", 0, 100, "percent"],
  ["sleep", "score.sleep_efficiency_percentage", 0, 100, "percent"],
  ["sleep", "score.respiratory_rate", 4, 60, "breaths/min"],
  ["recovery", "score.recovery_score", 0, 100, "percent"],
  ["recovery", "score.resting_heart_rate", 20, 250, "beats/min"],
  ["recovery", "score.hrv_rmssd_milli", 1, 500, "ms"],
  ["recovery", "score.spo2_percentage", 50, 100, "percent"],
  ["recovery", "score.skin_temp_celsius", 10, 45, "degrees Celsius"],
  ["workout", "score.strain", 0, 21, "of strain"],
  ["workout", "score.average_heart_rate", 20, 250, "beats/min"],
  ["workout", "score.max_heart_rate", 20, 250, "beats/min"],
  ["workout", "score.distance_meter", 0, 6_000_000, "m"],
  ["cycle", "score.strain", 0, 21, "of strain"],
  ["cycle", "score.average_heart_rate", 20, 250, "beats/min"],
  ["cycle", "score.max_heart_rate", 20, 250, "beats/min"],
])("%s %s can be %d to %d", (kind, path, least, most, unit) => {
  for (const possible of [least, (least + most) / 2, most, null])
    expect(outcomeOf(kind, path, possible)).toMatchObject({ leftOut: undefined, rejected: undefined })
  const outside = `${path}: outside ${least} to ${most} ${unit}`
  for (const impossible of [least - 0.5, most + 0.5, -1e308, 1e308])
    expect(outcomeOf(kind, path, impossible)).toMatchObject({ leftOut: [outside], rejected: undefined })
  // The record is as if WHOOP had not sent the field.
  const { raw: _raw, leftOut: _leftOut, ...without } = outcomeOf(kind, path, most + 0.5).record ?? {}
  const { raw: _nullRaw, ...withNull } = outcomeOf(kind, path, null).record ?? {}
  expect(without).toEqual(withNull)
})

test.each<[Kind, string, unknown, string]>([
  ["sleep", "end", "2026-11-19T22:31:05.121Z", "end: more than 24 hours after start"],
  ["workout", "end", "2026-11-26T16:02:10.001Z", "end: more than 168 hours after start"],
  ["cycle", "end", "2028-11-18T22:31:05.120Z", "end: more than 8784 hours after start"],
  ["sleep", "end", "2026-11-18T22:31:05.119Z", "end: before start"],
  ["sleep", "start", "+275760-09-13T00:00:00Z", "start: not an instant of this century"],
  ["sleep", "updated_at", "1999-12-31T23:59:59Z", "updated_at: not an instant of this century"],
])("%s with %s %j is rejected", (kind, path, value, reason) => {
  expect(outcomeOf(kind, path, value)).toMatchObject({ record: undefined, rejected: reason })
})

test.each<[Kind, string, unknown, string, string]>([
  [
    "sleep",
    "score.stage_summary.total_light_sleep_time_milli",
    86_000_000,
    "score.stage_summary.total_light_sleep_time_milli: more than 24 hours with the other stages",
    "stages",
  ],
  [
    "sleep",
    "score.stage_summary.total_in_bed_time_milli",
    86_400_001,
    "score.stage_summary.total_in_bed_time_milli: outside 0 to 86400000 ms",
    "",
  ],
  ["workout", "score.kilojoule", 83_681, "score.kilojoule: outside 0 to 20000 kcal a day", "energyKcal"],
  ["workout", "score.kilojoule", -1, "score.kilojoule: outside 0 to 20000 kcal a day", "energyKcal"],
  [
    "workout",
    "score.zone_durations.zone_three_milli",
    604_800_001,
    "score.zone_durations: outside 0 to 604800000 ms",
    "zones",
  ],
  [
    "sleep",
    "score.sleep_needed.baseline_milli",
    90_000_000,
    "score.sleep_needed.baseline_milli: outside 0 to 86400000 ms",
    "needParts",
  ],
])("%s with %s %j loses what depends on it and nothing else", (kind, path, value, reason, lost) => {
  const { record, leftOut, rejected } = outcomeOf(kind, path, value)
  expect({ leftOut: leftOut?.at(-1), rejected }).toEqual({ leftOut: reason, rejected: undefined })
  if (lost !== "") expect(record).not.toHaveProperty(lost)
  expect(record).toMatchObject(kind === "sleep" ? { durationMs: expect.any(Number) } : {})
})

test.each<[string, Kind, string, unknown]>([
  ["a cycle of two months in a drawer", "cycle", "start", "2026-09-18T22:31:05.120Z"],
  ["a sleep without a score", "sleep", "score.sleep_performance_percentage", 0],
  ["rest without strain", "workout", "score.strain", 0],
  ["a workout on the spot", "workout", "score.distance_meter", 0],
  ["a time in bed that differs from its stages", "sleep", "score.stage_summary.total_in_bed_time_milli", 28_400_000],
  ["a record that ends as it starts", "workout", "end", "2026-11-19T16:02:10.000Z"],
])("%s is stored", (_case, kind, path, value) => {
  expect(outcomeOf(kind, path, value)).toMatchObject({ leftOut: undefined, rejected: undefined })
})

test("every bound has a unit and a source", () => {
  for (const { least, most, unit, source } of [...PLAUSIBLE, ...WHOOP_PLAUSIBLE]) {
    expect(least).toBeLessThan(most)
    expect(unit).not.toBe("")
    expect(source.length).toBeGreaterThan(10)
  }
})
