// A faulty number in every record of intervals.icu and Ultrahuman, as their simulators send them: it costs itself alone.
import { startIntervalsSimulator, startUltrahumanSimulator } from "@restwell/simulator"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { z } from "zod"
import type { Json } from "../src/index.ts"
import { readActivities, readDays, weightsOf } from "../src/intervals/normalize.ts"
import type { ReadRecords } from "../src/normalize/read-records.ts"
import { readDay } from "../src/ultrahuman/normalize.ts"
import { UltrahumanEntrySchema } from "../src/ultrahuman/wire.ts"
import { expectFieldsAlone, type Outcome, plainOf } from "./faulty-fields.ts"

const NOW = new Date("2026-11-19T12:00:00Z")
const LENA = "lena@example.com"
const ZONE = "Europe/Berlin"

/** A record of a single figure is set aside where that is wrong. */
function outcomeOf({ records, rejected }: ReadRecords): Outcome {
  const leftOut = records.flatMap((record) => record.leftOut ?? []).map(({ field, reason }) => `${field}: ${reason}`)
  return { records: records.map(plainOf), leftOut: [...leftOut, ...rejected.map(({ reason }) => reason)] }
}

async function read(address: string, authorization: string): Promise<unknown> {
  const answer = await fetch(address, { headers: { authorization } })
  expect(answer.status).toBe(200)
  return answer.json()
}

/** The row that has most to read. */
function fullest(rows: unknown): Json {
  const texts = z
    .array(z.unknown())
    .parse(rows)
    .map((row) => JSON.stringify(row))
  return JSON.parse(texts.toSorted((one, other) => other.length - one.length)[0] ?? "null")
}

describe("intervals.icu", () => {
  let simulator: Awaited<ReturnType<typeof startIntervalsSimulator>>
  beforeAll(async () => {
    simulator = await startIntervalsSimulator({ now: NOW, days: 30, rateLimits: "off" })
  })
  afterAll(() => simulator.close())

  const rowOf = async (list: "wellness" | "activities"): Promise<Json> => {
    const key = Buffer.from(`API_KEY:${simulator.keyOf(LENA)}`).toString("base64")
    const dates = "oldest=2026-11-01&newest=2026-11-18"
    return fullest(await read(`${simulator.url}/api/v1/athlete/0/${list}?${dates}`, `Basic ${key}`))
  }
  const DAY = { zone: ZONE, today: "2026-11-19" }

  test.each(["recovery", "cycle"] as const)("a wrong number of a %s costs this number alone", async (kind) => {
    const figures = await expectFieldsAlone<Json>({
      // Of figures that stand in for each other both are there.
      source: { ...Object(await rowOf("wellness")), hrv: 61.5, hrvSDNN: 72.5, spO2: 96, spo2: 95 },
      read: (row) => outcomeOf(readDays(kind, [row], DAY)),
      essential: [],
    })
    expect(figures).toBeGreaterThan(0)
  })

  test("a wrong number of a workout costs this number alone", async () => {
    const figures = await expectFieldsAlone<Json>({
      source: { ...Object(await rowOf("activities")), distance: 9_000, icu_distance: 9_010 },
      read: (row) => outcomeOf(readActivities([row], DAY)),
      // Its id at the brand of the watch, which is no figure.
      essential: ["external_id"],
    })
    expect(figures).toBeGreaterThan(3)
  })

  test("a wrong weight is counted with its date", async () => {
    const row = { ...Object(await rowOf("wellness")), tempWeight: false }
    expect(weightsOf([row], DAY).samples).toHaveLength(1)
    const leftOut = [{ type: "weight", day: row.id, count: 1, reason: expect.stringContaining("weight") }]
    expect(weightsOf([{ ...row, weight: "heavy" }], DAY)).toEqual({ type: "weight", samples: [], leftOut })
  })
})

describe("Ultrahuman", () => {
  let simulator: Awaited<ReturnType<typeof startUltrahumanSimulator>>
  beforeAll(async () => {
    simulator = await startUltrahumanSimulator({ now: NOW, days: 30 })
  })
  afterAll(() => simulator.close())

  const AnswerSchema = z.object({ data: z.object({ metrics: z.record(z.string(), z.array(UltrahumanEntrySchema)) }) })
  const entriesOf = async (date: string) => {
    const address = `${simulator.url}/api/v1/partner/daily_metrics?date=${date}`
    const { data } = AnswerSchema.parse(await read(address, simulator.keyOf(LENA)))
    // Values within the night are tested as samples.
    const text = JSON.stringify(data.metrics[date], (name, value) => (name === "sleep_graph" ? undefined : value))
    return z.array(UltrahumanEntrySchema).parse(JSON.parse(text))
  }

  test.each([
    ["sleep", 7],
    ["recovery", 5],
    ["cycle", 1],
  ] as const)("a wrong number of a %s costs this number alone", async (kind, most) => {
    const entries = (await entriesOf("2026-11-17")).filter(
      ({ object }) => !Array.isArray(object["values"]) || kind === "cycle",
    )
    const times = entries.flatMap((_, index) =>
      ["bedtime_start", "bedtime_end", "day_start_timestamp"].map((field) => `entries.${index}.object.${field}`),
    )
    const figures = await expectFieldsAlone({
      source: { date: "2026-11-17", zone: ZONE, isZoneUnknown: false, entries, entriesBefore: [] },
      read: (day) => outcomeOf(readDay(kind, day, NOW)),
      essential: times,
    })
    expect(figures).toBeGreaterThanOrEqual(most)
  })
})
