// Garmin's archive when it is cut off, damaged or made to harm.
import { type GarminRows, garminArchive, zipOf } from "@restwell/simulator"
import { createWorld, type World } from "@restwell/testing/world"
import { afterAll, beforeAll, expect, test } from "vitest"
import { expectFailedImport, importArchive } from "./import-archive.ts"

let world: World
beforeAll(async () => {
  world = await createWorld({ days: 3, seed: "broken watches" })
})
afterAll(() => world.close())

const NIGHT = {
  calendarDate: "2026-11-18",
  sleepStartTimestampGMT: "2026-11-17T22:10:00.0",
  sleepEndTimestampGMT: "2026-11-18T06:10:00.0",
  deepSleepSeconds: 3600,
  lightSleepSeconds: 18_000,
  remSleepSeconds: 5400,
  awakeSleepSeconds: 1800,
}
const ROWS: GarminRows = {
  nights: Array.from({ length: 200 }, (_, index) => ({ ...NIGHT, note: Math.sin(index) })),
  health: [],
  days: [],
  readiness: [],
  body: [],
  activities: [],
  fit: [{ name: "a.fit", bytes: Buffer.from("no FIT file") }],
}
const NAME = "1_sleepData.json"
const INNER = "DI_CONNECT/UploadedFiles_0-_Part1.zip"
const night = (text: string) => zipOf([{ name: NAME, bytes: Buffer.from(text) }])
const inner = (bytes: Buffer) => zipOf([{ name: INNER, bytes }])
const fileName = "garmin.zip"

test.each([
  [
    "JSON that ends too early",
    night(JSON.stringify([NIGHT]).slice(0, -9)),
    /sleepData\.json, line 1: the file ends too early/,
  ],
  ["invalid JSON", night('[{"calendarDate": "2026-11-18",\n]'), /sleepData\.json, line 2: this is no valid JSON/],
  ["an entry of 5 MB", night(`[{"a": "${"x".repeat(5_000_000)}"}]`), /an entry is longer than 1 MB/],
  ["millions of levels", night("[".repeat(5_000_000)), /1_sleepData\.json, line 1: more than 200 levels/],
  [
    "an inner zip file that was cut off",
    inner(garminArchive(ROWS).subarray(0, 400)),
    /Part1\.zip is not a complete zip file/,
  ],
  [
    "an inner file whose name climbs out",
    inner(zipOf([{ name: "../../a.fit", bytes: Buffer.from("a") }])),
    /Part1\.zip has a file name that leads out of the archive/,
  ],
  [
    "a bomb in a bomb",
    inner(zipOf([{ name: "a.fit", bytes: Buffer.alloc(60_000_000) }])),
    /unpack to more than 200 times its size/,
  ],
  [
    "inner files that share their bytes",
    inner(zipOf([{ name: "a.fit", bytes: Buffer.alloc(100), entries: 900 }])),
    /files that share their bytes/,
  ],
])("%s fails in one plain sentence", async (_, bytes, words) => {
  await expectFailedImport(world, { bytes, fileName }, words)
})

test("a damaged recording costs itself alone, within a zip file and beside one", async () => {
  const text = Buffer.from("no FIT file")
  const fits = zipOf(["a.fit", "b.fit", "c.fit"].map((name) => ({ name, bytes: text })))
  fits.writeUInt32LE(1, fits.lastIndexOf(Buffer.from("PK\x01\x02", "latin1")) + 16)
  const bytes = zipOf([
    { name: NAME, bytes: Buffer.from(JSON.stringify([NIGHT])) },
    { name: INNER, bytes: fits },
  ])
  const { status, report } = await importArchive(world, await world.addUser(), { fileName, bytes })
  expect(status).toBe("done")
  expect(report).toMatchObject({ stored: 1 })
  expect(report?.ignored).toContainEqual({ reason: "FIT files that cannot be read", count: 2 })
  expect(report?.ignored).toContainEqual({ reason: "c.fit is damaged: its checksum is another one", count: 1 })
})

test.each([-5, 1e300])("a night whose deep sleep lasts %d s is stored without it", async (deepSleepSeconds) => {
  const bytes = night(JSON.stringify([{ ...NIGHT, deepSleepSeconds }]))
  const { report } = await importArchive(world, await world.addUser(), { fileName, bytes })
  expect(report).toMatchObject({
    stored: 1,
    ignored: [{ reason: expect.stringContaining("deepSleepSeconds left out"), count: 1 }],
  })
})

test("rows of the wrong shape are ignored one by one, and impossible times are no records", async () => {
  const rows = [
    "text",
    7,
    null,
    [],
    {},
    { ...NIGHT, calendarDate: "2026-02-30T99:00:00.0" },
    { ...NIGHT, sleepStartTimestampGMT: 9e15 },
    { ...NIGHT, sleepEndTimestampGMT: "2026-11-20T06:10:00.0" },
    NIGHT,
  ]
  for (const row of rows.slice(0, -1)) {
    const userId = await world.addUser()
    const { status, report, error } = await importArchive(world, userId, {
      fileName,
      bytes: night(JSON.stringify([row])),
    })
    expect([status, error]).toEqual(["done", null])
    expect([report?.stored, report?.ignored.length], JSON.stringify(row)).toEqual([
      0,
      expect.toSatisfy((count) => count > 0),
    ])
  }
})
