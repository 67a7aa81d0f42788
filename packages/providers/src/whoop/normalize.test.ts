import { MINUTE_MS } from "@restwell/client/time-units"
import { expect, test } from "vitest"
import { z } from "zod"
import { fixturesOf } from "../../test/fixtures.ts"
import { readWhoopRecords } from "./normalize.ts"
import { WhoopPageSchema } from "./wire.ts"

const { readFixture } = fixturesOf("whoop")

const readPage = (kind: "sleep" | "recovery" | "workout" | "cycle", fixture = `${kind}-page`) => {
  const raws = WhoopPageSchema.parse(readFixture(fixture)).records
  return { ...readWhoopRecords(kind, raws), raws }
}

test("normalises a scored night whole", () => {
  const { records, rejected, raws } = readPage("sleep")
  expect(rejected).toEqual([])
  expect(records[0]).toStrictEqual({
    kind: "sleep",
    providerId: "5f0c2c0e-4b7e-4a57-9a75-0d8b7f1f2a11",
    cycleProviderId: "1001",
    updatedMs: Date.parse("2026-11-19T06:49:03.001Z"),
    scoreState: "scored",
    raw: raws[0],
    utcOffsetMinutes: 60,
    consistencyPercent: 81,
    needMs: 29_220_000,
    needParts: { baselineMs: 27_600_000, debtMs: 1_200_000, strainMs: 420_000, napMs: 0 },
    startMs: Date.parse("2026-11-18T22:31:05.120Z"),
    endMs: Date.parse("2026-11-19T06:30:44.870Z"),
    durationMs: 28_770_000,
    isNap: false,
    scorePercent: 92,
    stages: { lightMs: 13_859_750, deepMs: 6_000_000, remMs: 7_000_000, awakeMs: 1_920_000 },
    efficiencyPercent: 93.33,
    respiratoryRatePerMinute: 14.6,
    timesAwake: 9,
  })
})

test("adds up all parts of the sleep need, of which a nap's is negative, and has no need without one of them", () => {
  const needOf = (need: Record<string, number | null> | null) => {
    const [sleep] = readPage("sleep").raws
    const { score, ...rest } = z.looseObject({ score: z.looseObject({}) }).parse(sleep)
    const raw = JSON.parse(JSON.stringify({ ...rest, score: { ...score, sleep_needed: need } }))
    const [record] = readWhoopRecords("sleep", [raw]).records
    return record?.kind === "sleep" ? record.needMs : "not read"
  }
  const parts = {
    baseline_milli: 27_000_000,
    need_from_sleep_debt_milli: 1_800_000,
    need_from_recent_strain_milli: 600_000,
    need_from_recent_nap_milli: -900_000,
  }
  expect(needOf(parts)).toBe(28_500_000)
  expect(needOf({ ...parts, need_from_recent_nap_milli: null })).toBeUndefined()
  expect(needOf(null)).toBeUndefined()
})

test("gives a pending nap its times, and no value", () => {
  expect(readPage("sleep").records[1]).toMatchObject({ scoreState: "pending", utcOffsetMinutes: 60 })
  expect(readPage("sleep").records[1]).toStrictEqual({
    kind: "sleep",
    providerId: "0c1f7a52-1d0b-4f2e-8b8e-3a3f0f3a9b02",
    updatedMs: expect.any(Number),
    cycleProviderId: expect.any(String),
    scoreState: "pending",
    raw: expect.anything(),
    startMs: Date.parse("2026-11-18T13:10:00.000Z"),
    endMs: Date.parse("2026-11-18T13:52:30.000Z"),
    utcOffsetMinutes: 60,
    durationMs: 42.5 * MINUTE_MS,
    isNap: true,
  })
})

test("reads every instant to the millisecond, and Z as no offset", () => {
  const night = readPage("sleep").records[2]
  expect(night).toMatchObject({ scoreState: "unscorable", utcOffsetMinutes: 0 })
  expect(night).toMatchObject({
    startMs: Date.parse("2026-11-17T23:05:00.000Z"),
    endMs: Date.parse("2026-11-18T06:10:00.000Z"),
  })
})

test("leaves stages out unless all four are there, and what is null", () => {
  const night = readPage("sleep").records[3]
  expect(night).toMatchObject({ scoreState: "scored", utcOffsetMinutes: -210 })
  for (const field of ["stages", "scorePercent", "efficiencyPercent", "consistencyPercent", "respiratoryRatePerMinute"])
    expect(night).not.toHaveProperty(field)
})

test("normalises recoveries by cycle id, with the absolute skin temperature", () => {
  const { records, raws } = readPage("recovery")
  expect(records).toStrictEqual([
    {
      kind: "recovery",
      providerId: "1001",
      cycleProviderId: "1001",
      sleepProviderId: "5f0c2c0e-4b7e-4a57-9a75-0d8b7f1f2a11",
      createdMs: Date.parse("2026-11-19T06:49:03.001Z"),
      updatedMs: Date.parse("2026-11-19T06:49:03.001Z"),
      scoreState: "scored",
      skinTempCelsius: 33.9,
      raw: raws[0],
      scorePercent: 71,
      hrvMs: 64.2,
      restingHeartRateBpm: 52,
      spo2Percent: 96.4,
    },
    {
      kind: "recovery",
      providerId: "1000",
      cycleProviderId: "1000",
      sleepProviderId: "9b0a8c1e-77c1-4a9d-9d0b-7be1a4f6cd03",
      createdMs: Date.parse("2026-11-18T06:25:00.000Z"),
      updatedMs: Date.parse("2026-11-18T06:25:00.000Z"),
      scoreState: "pending",
      raw: raws[1],
    },
    {
      kind: "recovery",
      providerId: "999",
      cycleProviderId: "999",
      sleepProviderId: "d2a5f3c4-5b6a-4f0e-a1c7-2f7f0f1a7d04",
      createdMs: Date.parse("2026-11-17T06:25:00.000Z"),
      updatedMs: Date.parse("2026-11-17T06:25:00.000Z"),
      scoreState: "scored",
      raw: raws[2],
      scorePercent: 44,
      hrvMs: 31.813562,
      restingHeartRateBpm: 64,
    },
  ])
})

test("normalises a run with its energy in kilocalories", () => {
  const [run] = readPage("workout").records
  expect(run).toMatchObject({
    countsAsWorkout: true,
    zones: { zone0Ms: 60_000, zone1Ms: 390_000, zone2Ms: 1_300_000, zone3Ms: 1_000_000, zone4Ms: 340_000, zone5Ms: 0 },
  })
  expect(run).toMatchObject({
    providerId: "ecfc6a15-4661-442f-a9a4-f160dd7afae8",
    startMs: Date.parse("2026-11-19T16:02:10.000Z"),
    endMs: Date.parse("2026-11-19T16:53:40.000Z"),
    durationMs: 51.5 * MINUTE_MS,
    sportType: "running",
    strain: 11.4,
    averageHeartRateBpm: 142,
    maxHeartRateBpm: 171,
    energyKcal: expect.closeTo(613, 2),
    distanceMeters: 9120.4,
  })
})

test("reads v1's spelling of the zones, and leaves a null distance out", () => {
  const weights = readPage("workout").records[1]
  expect(weights).toMatchObject({ zones: { zone1Ms: 1_200_000 }, sportType: "strength" })
  expect(weights).not.toHaveProperty("distanceMeters")
})

test("lists a sauna but does not count it, and leaves incomplete zones out", () => {
  const sauna = readPage("workout").records[2]
  expect(sauna).toMatchObject({ countsAsWorkout: false, sportType: "sauna" })
  expect(sauna).not.toHaveProperty("zones")
})

test("takes the sport from the legacy id where the name is missing", () => {
  expect(readPage("workout").records[3]).toMatchObject({ scoreState: "pending", sportType: "table-tennis" })
})

test("keeps the strain of an open cycle, which has no end", () => {
  const [open, closed, pending] = readPage("cycle").records
  expect(open).toMatchObject({ kind: "cycle", endMs: null, scoreState: "scored" })
  expect(open).toMatchObject({
    providerId: "1001",
    startMs: Date.parse("2026-11-18T22:31:05.120Z"),
    strain: 13.27,
    averageHeartRateBpm: 68,
    maxHeartRateBpm: 171,
    energyKcal: expect.closeTo(1980.95, 2),
  })
  expect(closed).toMatchObject({ endMs: Date.parse("2026-11-18T22:31:05.120Z") })
  expect(pending).toMatchObject({ endMs: null, scoreState: "pending", utcOffsetMinutes: -210 })
  for (const field of ["strain", "averageHeartRateBpm", "maxHeartRateBpm", "energyKcal"])
    expect(pending).not.toHaveProperty(field)
})

test("sets strange records aside by path, without a value, and keeps the rest of the page", () => {
  const { records, rejected, raws } = readPage("sleep", "strange-sleep-page")
  expect(rejected.map(({ providerId, reason }) => [providerId?.at(-1) ?? null, reason])).toEqual([
    ["1", "score_state: Invalid discriminator value. Expected 'SCORED' | 'PENDING_SCORE' | 'UNSCORABLE'"],
    ["2", "end: before start"],
    [
      "3",
      "start: not an instant of this century; end: not an instant of this century; timezone_offset: not an offset from UTC",
    ],
    [null, "id: Invalid input: expected string, received undefined"],
    [null, "record: Invalid input: expected object, received null"],
  ])
  expect(rejected.map(({ raw }) => raw)).toEqual(raws.slice(0, 6).toSpliced(4, 1))
  expect(records).toMatchObject([
    {
      providerId: "11111111-0000-4000-8000-000000000005",
      leftOut: [
        {
          field: "score.sleep_performance_percentage",
          reason: "Invalid input: expected number, received string",
        },
      ],
    },
    { providerId: "11111111-0000-4000-8000-000000000007", scoreState: "pending" },
  ])
})
