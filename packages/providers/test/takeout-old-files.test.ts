// Takeout with Fitbit's old files alone: energy and floors, whichever clock wrote them, the oxygen uptake, and what is not read.
import { HOUR_MS, MINUTE_MS } from "@restwell/client/time-units"
import fc from "fast-check"
import { expect, test } from "vitest"
import type { ArchiveItem } from "../src/index.ts"
import { archivedOf, reasonsOf, recordsOf, samplesOf } from "./garmin-rows.ts"
import { OLD_NIGHT, OLD_SLEEPS, read, value } from "./takeout-rows.ts"

/** `09/10/26 10:00:00` */
function american(ms: number): string {
  const [date = "", clock = ""] = new Date(ms).toISOString().slice(0, 19).split("T")
  return `${date.slice(5, 7)}/${date.slice(8, 10)}/${date.slice(2, 4)} ${clock}`
}
const rowsOf = (minutes: readonly (readonly [ms: number, value: number])[]) =>
  minutes.map(([ms, found]) => ({ dateTime: american(ms), value: String(found) }))

const energyOf = (items: readonly ArchiveItem[]) =>
  archivedOf(items, "cycle").map(({ date, record }) => [date, record.kind === "cycle" ? record.energyKcal : null])

/** UTC offsets in September, west and east. */
const ZONES = [
  ["America/Los_Angeles", -7],
  ["Europe/Berlin", 2],
  ["Asia/Tokyo", 9],
  ["UTC", 0],
] as const

/** Two days of a person who burns a quantum each minute, and more when walking. */
function twoDays(offset: number, walkAtHour: number) {
  const midnight = Date.parse("2026-09-10T00:00:00Z") - offset * HOUR_MS
  const isWalk = (minute: number) => Math.floor(minute / 60) % 24 === walkAtHour
  const minutes = Array.from({ length: 2 * 1_440 }, (_, minute) => minute)
  return {
    steps: minutes.filter(isWalk).map((minute) => [midnight + minute * MINUTE_MS, 100] as const),
    energy: minutes.map((minute) => [midnight + minute * MINUTE_MS, isWalk(minute) ? 5 : 1] as const),
  }
}

test("the energy of a date is that of its local minutes, whether the file has local times or UTC", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...ZONES),
      fc.integer({ min: 0, max: 23 }),
      fc.boolean(),
      async ([timeZone, offset], hour, isLocal) => {
        const { steps, energy } = twoDays(offset, hour)
        const written = energy.map(([ms, kcal]) => [ms + (isLocal ? offset * HOUR_MS : 0), kcal] as const)
        const items = await read(
          { "steps-2026-09-10.json": rowsOf(steps), "calories-2026-09-10.json": rowsOf(written) },
          undefined,
          timeZone,
        )
        expect(energyOf(items)).toEqual([
          ["2026-09-10", 1_440 + 60 * 4],
          ["2026-09-11", 1_440 + 60 * 4],
        ])
      },
    ),
    { numRuns: 12 },
  )
})

test("floors are ten feet each in the minute in which they were climbed, whether the file has local times or UTC", async () => {
  for (const [timeZone, offset] of ZONES)
    for (const isLocal of [true, false]) {
      const { steps } = twoDays(offset, 23)
      const climbed = steps.slice(0, 4).map(([ms], index) => [ms, (index % 3) * 10] as const)
      const written = climbed.map(([ms, feet]) => [ms + (isLocal ? offset * HOUR_MS : 0), feet] as const)
      const items = await read(
        { "steps-2026-09-10.json": rowsOf(steps), "altitude-2026-09-10.json": rowsOf(written) },
        undefined,
        timeZone,
      )
      const of = { durationMs: MINUTE_MS, utcOffsetMinutes: offset * 60 }
      const floors = climbed.flatMap(([atMs, feet]) => (feet > 0 ? [{ atMs, value: feet / 10, ...of }] : []))
      expect(samplesOf(items, "floors")).toEqual(floors)
      expect(reasonsOf(items)).toEqual([])
    }
})

test("the floors of a date are those of the file that has more of them", async () => {
  const at = (date: string) => Date.parse(`2026-09-${date}T10:00:00Z`)
  const items = await read({
    "altitude-2026-09-10.json": [...rowsOf([[at("10"), 30]]), ...rowsOf([[at("11"), 30]])],
    "floors_2026-09-01.csv": [value("2026-09-10T10:00:00Z", "floors", 4), value("2026-09-11T10:00:00Z", "floors", 2)],
    [OLD_SLEEPS]: [],
  })
  expect(samplesOf(items, "floors")).toMatchObject([
    { atMs: at("10"), value: 4 },
    { atMs: at("11"), value: 3 },
  ])
})

test("an energy that is no number is left out and counted, and the day keeps its others", async () => {
  const { steps, energy } = twoDays(2, 12)
  const [first, ...others] = rowsOf(energy)
  const items = await read({
    "steps-2026-09-10.json": rowsOf(steps),
    "calories-2026-09-10.json": [{ ...first, value: "many" }, ...others, { ...others.at(-1), value: 4.5 }],
  })
  expect(energyOf(items)).toEqual([
    ["2026-09-10", 1_680 - 1],
    ["2026-09-11", 1_680 + 4.5],
  ])
  expect(items.filter(({ type }) => type === "left_out")).toHaveLength(1)
})

test("the oxygen uptake of each date is a value of the body, and a day without one has none", async () => {
  const day = (date: string, uptake: object) => ({ dateTime: `${date} 00:00:00`, value: uptake })
  const items = await read({
    "demographic_vo2_max-2026-09-01.json": [
      day("09/10/26", { demographicVO2Max: 44.1, filteredDemographicVO2Max: 43.9 }),
      day("09/11/26", { filteredDemographicVO2Max: 43.8 }),
      day("09/12/26", { demographicVO2Max: 0 }),
      day("09/13/26", {}),
    ],
    [OLD_SLEEPS]: [],
  })
  expect(samplesOf(items, "vo2max")).toEqual([
    { atMs: Date.parse("2026-09-09T22:00:00Z"), value: 44.1, utcOffsetMinutes: 120 },
    { atMs: Date.parse("2026-09-10T22:00:00Z"), value: 43.8, utcOffsetMinutes: 120 },
  ])
  expect(reasonsOf(items)).toEqual([])
})

test("files that are not read are named with their count, in the words of their names", async () => {
  const row = [{ dateTime: "09/10/26 00:00:00", value: "25" }]
  const items = await read({
    "steps-2026-09-10.json": rowsOf([[Date.parse("2026-09-10T10:00:00Z"), 100]]),
    "demographic_vo2_max-2026-09-01.json": [],
    "very_active_minutes-2026-09-01.json": row,
    "very_active_minutes-2026-10-01.json": row,
    "sedentary_minutes-2026-09-01.json": row,
    "run_vo2_max-2026-09-01.json": row,
    "cardio_load_2026-09-01.csv": [value("2026-09-10T10:00:00Z", "total", 12)],
  })
  const notes = items.flatMap((item) => (item.type === "note" ? [item.note] : []))
  expect(notes).toContain("Read as Fitbit's data: demographic vo2 max (1), steps (1), very active minutes (2)")
  expect(notes).toContain("Files that Restwell does not read: cardio load (1), run vo2 max (1), sedentary minutes (1)")
})

test("a summary keeps the stages that are known beside others, and a night without stages lacks none", async () => {
  const { summary } = OLD_NIGHT.levels
  const other = { minutes: 7, count: 2 }
  const nightOf = async (levels: object) => {
    const items = await read({ [OLD_SLEEPS]: [{ ...OLD_NIGHT, levels }] })
    expect(items.filter(({ type }) => type === "left_out")).toEqual([])
    return recordsOf(items, "sleep")
  }
  const whole = await nightOf(OLD_NIGHT.levels)
  expect(whole).toHaveLength(1)
  expect(await nightOf({ ...OLD_NIGHT.levels, summary: { ...summary, unknown: other } })).toEqual(whole)
  const counted = { ...summary, wake: { ...summary.wake, count: 4 } }
  expect(await nightOf({ ...OLD_NIGHT.levels, summary: counted })).toMatchObject([{ timesAwake: 4 }])
  expect(whole[0]).not.toHaveProperty("timesAwake")
  expect(await nightOf({ summary: { restless: other, awake: other, asleep: other }, data: [] })).toHaveLength(1)
})
