// Sleep as Android's export as an import: whole, once, undone, and the forms of its rows.
import { undoImport } from "@restwell/core"
import { type OuraRecords, sleepAsAndroidArchive, sleepAsAndroidFile, sleepAsAndroidLines } from "@restwell/simulator"
import { createWorld, storedRows, type World } from "@restwell/testing/world"
import { afterAll, beforeAll, expect, test } from "vitest"
import { z } from "zod"
import { asleepMinutesOf, everythingOf, importArchive, ringDocuments, storedRecordsOf } from "./import-archive.ts"

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const StagesSchema = z.object({ lightMs: z.number(), deepMs: z.number(), remMs: z.number() })

let world: World
let documents: OuraRecords
let lines: readonly string[]
beforeAll(async () => {
  world = await createWorld({ days: 30, seed: "pillows" })
  documents = await ringDocuments(world, 30)
  lines = sleepAsAndroidLines(documents)
})
afterAll(() => world.close())

const imported = (userId: string, content: readonly string[]) =>
  importArchive(world, userId, { bytes: sleepAsAndroidArchive(content), fileName: "sleep-export.zip" })

const sleepsOf = (userId: string) => storedRecordsOf(world, userId, { provider: "sleep_as_android", kind: "sleep" })

async function read(content: readonly string[]) {
  const userId = await world.addUser()
  const { status, error, report } = await imported(userId, content)
  expect([status, error]).toEqual(["done", null])
  return { userId, report, sleeps: await sleepsOf(userId) }
}

/** Clocks of the file have no seconds. */
const toTheMinute = (night: OuraRecords["sleep"][number]) => ({
  ...night,
  bedtime_end: new Date(Math.floor(Date.parse(night.bedtime_end) / MINUTE_MS) * MINUTE_MS).toISOString(),
})

test("nights are those of an independent count of the phases, and comments are nowhere", async () => {
  const { userId, report, sleeps } = await read(lines)
  const nights = documents.sleep.filter(({ type, sleep_phase_5_min: phases }) => type === "long_sleep" && phases)
  expect(report?.ignored).toEqual([])
  expect(report?.notes).toEqual([
    "Files that Restwell does not read: alarms (1), prefs.xml (1)",
    "sleep-export.csv was read as Sleep as Android's sleeps",
  ])
  expect(
    sleeps.map(({ stages, startMs }) => {
      const { lightMs, deepMs, remMs } = StagesSchema.parse(stages)
      return [startMs, (lightMs + deepMs + remMs) / MINUTE_MS]
    }),
  ).toEqual(
    nights.map((night) => [Date.parse(night.bedtime_start), expect.closeTo(asleepMinutesOf(toTheMinute(night)), 6)]),
  )
  expect(report?.by_type).toMatchObject({ sleep: nights.length, heart_rate: expect.any(Number) })
  expect(await everythingOf(world, userId)).not.toContain("secret")
})

test("the same export twice, its table alone and doubled rows change nothing, and undoing it leaves nothing", async () => {
  const userId = await world.addUser()
  const nobody = await everythingOf(world, userId)
  const once = await imported(userId, lines)
  const stored = await storedRows(world, userId)
  const again = await imported(userId, lines)
  expect(again.report).toMatchObject({ stored: 0, unchanged: once.report?.stored })
  const { bytes } = sleepAsAndroidFile([...lines, ...lines])
  const alone = await importArchive(world, userId, { bytes, fileName: "table" })
  expect([alone.status, alone.report?.stored]).toEqual(["done", 0])
  expect(await storedRows(world, userId)).toEqual(stored)
  for (const { id } of [alone, again, once]) await undoImport(world.context, userId, id)
  expect(await everythingOf(world, userId)).toBe(nobody)
})

const HEADER = "Id,Tz,From,To,Sched,Hours,Rating,Comment,Framerate,Snore,Noise,Cycles,DeepSleep,LenAdjust,Geo"
/** 18 November 2026, 23:00 in Rome. */
const START_MS = Date.UTC(2026, 10, 18, 22)
const row = (to: string, hours: string, adjust: string, rest = "") =>
  `"${START_MS}","Europe/Rome","18. 11. 2026 23:00","${to}","","${hours}","4.0","","10000","-1","-1.0","-1","-1.0","${adjust}",""${rest}`

test.each([
  ["with a point", row("19. 11. 2026 7:00", "7.5", "0"), 7.5],
  ["with a comma", row("19. 11. 2026 07:00", "7,5", "0"), 7.5],
  ["lengthened", row("19. 11. 2026 7:00", "7.0", "15"), 7.25],
  ["shortened", row("19. 11. 2026 7:00", "7.0", "-15"), 6.75],
  ["without quotation marks", row("19. 11. 2026 7:00", "7.5", "0").replaceAll('"', ""), 7.5],
])("a time asleep %s is read, and the end is the clock's", async (_, line, hours) => {
  const { sleeps } = await read([HEADER, line])
  expect(sleeps).toMatchObject([
    { date: "2026-11-19", startMs: START_MS, durationMs: 8 * HOUR_MS, asleepMs: hours * HOUR_MS, utcOffsetMinutes: 60 },
  ])
  expect(sleeps[0]).not.toHaveProperty("stages")
})

test("one header stands over many rows, and a night of missing numbers has its length alone", async () => {
  const next = row("20. 11. 2026 6:00", "-1", "0").replace(`${START_MS}`, `${START_MS + 24 * HOUR_MS}`)
  const { sleeps } = await read([HEADER, row("19. 11. 2026 7:00", "7.5", "0"), next])
  expect(sleeps).toMatchObject([{ date: "2026-11-19" }, { date: "2026-11-20", durationMs: 7 * HOUR_MS }])
  expect(sleeps[1]).not.toHaveProperty("asleepMs")
})

test("of two rows of one sleep the later one counts, also if it is shorter", async () => {
  const [long, short] = [row("19. 11. 2026 8:00", "8.5", "0"), row("19. 11. 2026 7:00", "7.5", "0")]
  for (const [rows, hours] of [
    [[long, short], 7.5],
    [[short, long], 8.5],
  ] as const) {
    const { sleeps } = await read([HEADER, ...rows])
    expect(sleeps).toMatchObject([{ asleepMs: hours * HOUR_MS }])
  }
})

test("a stage without an end lasts until the next one, and stages that differ from the time asleep are not drawn", async () => {
  const events = (list: readonly (readonly [name: string, hours: number])[]) =>
    list.map(([name, hours]) => `,"${name}-${START_MS + hours * HOUR_MS}"`).join("")
  const header = `${HEADER},Event,Event,Event,Event`
  const whole = events([
    ["LIGHT_START", 0],
    ["DEEP_START", 4],
    ["DEEP_END", 6],
    ["REM_START", 6],
  ])
  const staged = await read([header, row("19. 11. 2026 7:00", "8.0", "0", whole)])
  expect(staged.sleeps).toMatchObject([
    { stages: { lightMs: 4 * HOUR_MS, deepMs: 2 * HOUR_MS, remMs: 2 * HOUR_MS, awakeMs: 0 } },
  ])
  const half = events([
    ["LIGHT_START", 0],
    ["LIGHT_END", 2],
    ["DEEP_START", 3],
    ["DEEP_END", 4],
  ])
  const summed = await read([header, row("19. 11. 2026 7:00", "8.0", "0", half)])
  expect(summed.sleeps).toMatchObject([{ asleepMs: 8 * HOUR_MS }])
  expect(summed.sleeps[0]).not.toHaveProperty("stages")
})

test("the time asleep is Hours with LenAdjust, whatever the stages add up to", async () => {
  const header = `${HEADER},Event,Event,Event`
  const events = (hours: number) =>
    `,"LIGHT_START-${START_MS}","LIGHT_END-${START_MS + hours * HOUR_MS}","AWAKE_START-${START_MS + hours * HOUR_MS}"`
  for (const [hours, adjust, staged, asleep, hasStages] of [
    ["7.0", "0", 7.7, 7, false],
    ["7.0", "30", 7, 7.5, false],
    ["7.0", "30", 7.5, 7.5, true],
    ["7,7", "0", 7.72, 7.7, true],
    ["-1", "0", 7.5, 7.5, true],
  ] as const) {
    const { sleeps, report } = await read([header, row("19. 11. 2026 7:00", hours, adjust, events(staged))])
    const [night, ...others] = sleeps
    const { stages, asleepMs } = z
      .object({ stages: StagesSchema.optional(), asleepMs: z.number().optional() })
      .parse(night)
    const found = stages ? stages.lightMs + stages.deepMs + stages.remMs : asleepMs
    expect([others, (found ?? 0) / HOUR_MS, stages !== undefined]).toEqual([[], expect.closeTo(asleep, 1), hasStages])
    expect(report?.ignored.length).toBe(hasStages ? 0 : 1)
  }
})

test("rows that cannot be read are named by their line, and the others are stored", async () => {
  const { sleeps, report } = await read([
    HEADER,
    row("19. 11. 2026 7:00", "7.5", "0"),
    row("sometime", "7.5", "0"),
    row("31. 02. 2026 7:00", "7.5", "0"),
    row("18. 11. 2026 7:00", "7.5", "0"),
    row("21. 11. 2026 7:00", "7.5", "0"),
    row("19. 11. 2026 7:00", "7.5", "0").replace(`${START_MS}`, "soon"),
  ])
  expect(sleeps).toHaveLength(1)
  expect(report?.ignored).toEqual([
    { reason: "sleep-export.csv, line 3: To is no date and time that is known here", count: 1 },
    { reason: "sleep-export.csv, line 4: To is no date and time that is known here", count: 1 },
    { reason: "sleep-export.csv, line 5: it ends before its start", count: 1 },
    { reason: "sleep-export.csv, line 6: it is longer than a day", count: 1 },
    { reason: "sleep-export.csv, line 7: Id is not an instant of this century", count: 1 },
  ])
})
