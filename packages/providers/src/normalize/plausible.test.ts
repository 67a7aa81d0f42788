import { expect, test } from "vitest"
import { fixturesOf } from "../../test/fixtures.ts"
import { readWhoopRecords, WHOOP_PLAUSIBLE } from "../whoop/normalize.ts"
import { WhoopPageSchema } from "../whoop/wire.ts"
import { PLAUSIBLE } from "./plausible.ts"

const { readFixture } = fixturesOf("whoop")

type Kind = "sleep" | "recovery" | "workout" | "cycle"

/** Returns the reason why the first record of a kind is rejected with this value, undefined if it is not. */
function reasonFor(kind: Kind, path: string, value: unknown): string | undefined {
  const record = structuredClone(
    Object(WhoopPageSchema.parse(readFixture(`${kind}-page`)).records[kind === "cycle" ? 1 : 0]),
  )
  const steps = path.split(".")
  const holder = steps.slice(0, -1).reduce<object>((inner, step) => Object(Reflect.get(inner, step)), record)
  Reflect.set(holder, steps.at(-1) ?? "", value)
  const { rejected, records } = readWhoopRecords(kind, [record])
  expect(records.length + rejected.length).toBe(1)
  return rejected[0]?.reason
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
    expect(reasonFor(kind, path, possible)).toBeUndefined()
  const outside = `${path}: outside ${least} to ${most} ${unit}`
  for (const impossible of [least - 0.5, most + 0.5, -1e308, 1e308])
    expect(reasonFor(kind, path, impossible)).toBe(outside)
})

test.each<[Kind, string, unknown, string]>([
  ["sleep", "end", "2026-11-19T22:31:05.121Z", "end: more than 24 hours after start"],
  ["workout", "end", "2026-11-26T16:02:10.001Z", "end: more than 168 hours after start"],
  ["cycle", "end", "2028-11-18T22:31:05.120Z", "end: more than 8784 hours after start"],
  ["sleep", "end", "2026-11-18T22:31:05.119Z", "end: before start"],
  ["sleep", "start", "+275760-09-13T00:00:00Z", "start: not an instant of this century"],
  ["sleep", "updated_at", "1999-12-31T23:59:59Z", "updated_at: not an instant of this century"],
  [
    "sleep",
    "score.stage_summary.total_light_sleep_time_milli",
    86_000_000,
    "score.stage_summary.total_light_sleep_time_milli: more than 24 hours with the other stages",
  ],
  [
    "sleep",
    "score.stage_summary.total_in_bed_time_milli",
    86_400_001,
    "score.stage_summary.total_in_bed_time_milli: outside 0 to 86400000 ms",
  ],
  ["workout", "score.kilojoule", 83_681, "score.kilojoule: outside 0 to 20000 kcal a day"],
  ["workout", "score.kilojoule", -1, "score.kilojoule: outside 0 to 20000 kcal a day"],
  ["workout", "score.zone_durations.zone_three_milli", 604_800_001, "score.zone_durations: outside 0 to 604800000 ms"],
])("%s with %s %j is rejected", (kind, path, value, reason) => {
  expect(reasonFor(kind, path, value)).toBe(reason)
})

test.each<[string, Kind, string, unknown]>([
  ["a cycle of two months in a drawer", "cycle", "start", "2026-09-18T22:31:05.120Z"],
  ["a sleep without a score", "sleep", "score.sleep_performance_percentage", 0],
  ["rest without strain", "workout", "score.strain", 0],
  ["a workout on the spot", "workout", "score.distance_meter", 0],
  ["a time in bed that differs from its stages", "sleep", "score.stage_summary.total_in_bed_time_milli", 28_400_000],
  ["a record that ends as it starts", "workout", "end", "2026-11-19T16:02:10.000Z"],
])("%s is stored", (_case, kind, path, value) => {
  expect(reasonFor(kind, path, value)).toBeUndefined()
})

test("every bound has a unit and a source", () => {
  for (const { least, most, unit, source } of [...PLAUSIBLE, ...WHOOP_PLAUSIBLE]) {
    expect(least).toBeLessThan(most)
    expect(unit).not.toBe("")
    expect(source.length).toBeGreaterThan(10)
  }
})
