// FIT files of Garmin's export archive, in zip files inside the zip file.
import { type FitMessage, fitFile, fitTime, garminArchive, zipOf } from "@restwell/simulator"
import { expect, test } from "vitest"
import { EMPTY, itemsOf, NIGHT, read, reasonsOf, recordsOf, samplesOf } from "./garmin-rows.ts"

const at = (text: string) => fitTime(Date.parse(text))
const NIGHT_FIT: readonly FitMessage[] = [
  { number: 0, fields: [[0, 1, 49]] },
  {
    number: 55,
    fields: [
      [253, 4, at("2026-11-17T22:00:00Z")],
      [27, 1, 60],
    ],
  },
  {
    number: 55,
    fields: [
      [26, 2, at("2026-11-17T22:02:00Z") & 0xffff],
      [27, 1, 58],
    ],
  },
  {
    number: 55,
    fields: [
      [26, 2, at("2026-11-17T22:04:00Z") & 0xffff],
      [27, 1, 0],
    ],
  },
  {
    number: 55,
    fields: [
      [26, 2, at("2026-11-18T16:02:00Z") & 0xffff],
      [27, 1, 255],
    ],
  },
  {
    number: 275,
    fields: [
      [253, 4, at("2026-11-17T22:10:00Z")],
      [0, 1, 1],
    ],
  },
  {
    number: 275,
    fields: [
      [253, 4, at("2026-11-17T23:00:00Z")],
      [0, 1, 2],
    ],
  },
  {
    number: 275,
    fields: [
      [253, 4, at("2026-11-17T23:30:00Z")],
      [0, 1, 0],
    ],
  },
  {
    number: 275,
    fields: [
      [253, 4, at("2026-11-18T00:00:00Z")],
      [0, 1, 4],
    ],
  },
  {
    number: 371,
    fields: [
      [253, 4, at("2026-11-18T01:00:00Z")],
      [0, 2, 45 * 128 + 64],
    ],
  },
  {
    number: 370,
    fields: [
      [253, 4, at("2026-11-18T06:00:00Z")],
      [1, 2, 40 * 128],
    ],
  },
  {
    number: 370,
    fields: [
      [253, 4, at("2026-11-18T06:10:00Z")],
      [1, 2, 42 * 128],
    ],
  },
]
const fitOf = (messages: readonly FitMessage[], name = "a.fit") => ({ name, bytes: fitFile(messages) })

test.each([false, true])("FIT gives heart rate, HRV and stages of a night (big endian: %s)", async (isBigEndian) => {
  const items = await read({ nights: [NIGHT], fit: [{ name: "a.fit", bytes: fitFile(NIGHT_FIT, { isBigEndian }) }] })
  expect(samplesOf(items, "heart_rate")).toEqual([
    { atMs: Date.parse("2026-11-17T22:00:00Z"), value: 60 },
    { atMs: Date.parse("2026-11-17T22:02:00Z"), value: 58 },
  ])
  expect(samplesOf(items, "hrv")).toEqual([{ atMs: Date.parse("2026-11-18T01:00:00Z"), value: 45.5 }])
  // A message names the stage before it. Unmeasurable time is no segment.
  expect(samplesOf(items, "sleep_stages")).toEqual([
    { atMs: Date.parse("2026-11-17T22:10:00Z"), value: 1, durationMs: 50 * 60_000 },
    { atMs: Date.parse("2026-11-17T23:30:00Z"), value: 3, durationMs: 30 * 60_000 },
  ])
})

test("of two averages of a night the later counts, in any order, where no other file has one", async () => {
  const averages = NIGHT_FIT.filter(({ number }) => number === 370)
  for (const messages of [averages, averages.toReversed()]) {
    const items = await read({ nights: [NIGHT], fit: [fitOf(messages)] })
    expect(recordsOf(items, "recovery")).toMatchObject([{ data: { metrics: { hrv: 42 } } }])
  }
  const health = [{ calendarDate: "2026-11-18", metrics: [{ type: "HRV", value: 48, status: "IN_RANGE" }] }]
  const both = await read({ nights: [NIGHT], health, fit: [fitOf(averages)] })
  expect(recordsOf(both, "recovery")).toMatchObject([{ data: { metrics: { hrv: 48 } } }])
})

test("a FIT file of a night without a sleep, and one that cannot be read, are ignored, and others have nothing", async () => {
  const items = await read({
    nights: [
      {
        ...NIGHT,
        calendarDate: "2026-11-10",
        sleepStartTimestampGMT: "2026-11-09T22:10:00.0",
        sleepEndTimestampGMT: "2026-11-10T06:10:00.0",
      },
    ],
    fit: [
      fitOf(NIGHT_FIT),
      { name: "b.fit", bytes: fitFile(NIGHT_FIT).subarray(0, 60) },
      { name: "c.fit", bytes: Buffer.from("not a FIT file at all") },
      fitOf([{ number: 0, fields: [[0, 1, 4]] }], "d.fit"),
    ],
  })
  expect(reasonsOf(items)).toEqual([
    "FIT files of nights that the archive has no sleep of",
    "FIT files that cannot be read",
    "FIT files that cannot be read",
  ])
  expect(samplesOf(items, "heart_rate")).toHaveLength(2)
})

test("files are found by name in any folder, and backups of devices are counted", async () => {
  const others = ["1_LhaBackup_2.zip", "x/1_PrimaryTrainingBackup_2.zip", "__MACOSX/._2024_0_1_sleepData.json"].map(
    (name) => ({
      name,
      bytes: Buffer.from("nothing"),
    }),
  )
  for (const root of ["usual", "uuid", "none"] as const) {
    const items = await itemsOf(garminArchive({ ...EMPTY, nights: [NIGHT], fit: [fitOf(NIGHT_FIT)] }, { root, others }))
    expect(recordsOf(items, "sleep")).toHaveLength(1)
    expect(samplesOf(items, "hrv")).toHaveLength(1)
    expect(reasonsOf(items)).toEqual(["backups of devices", "backups of devices"])
  }
})

test("an inner zip file with thousands of files is read without its end in memory", async () => {
  const fit = Array.from({ length: 3_000 }, (_, index) => fitOf(NIGHT_FIT, `${"long".repeat(50)}-${index}.fit`))
  const items = await itemsOf(garminArchive({ ...EMPTY, nights: [NIGHT], fit }, { fitFilesPerZip: 3_000 }))
  expect(samplesOf(items, "hrv")).toHaveLength(3_000)
})

test("a zip file of FIT files alone gives their heart rate", async () => {
  const items = await itemsOf(zipOf([fitOf(NIGHT_FIT)]))
  expect(reasonsOf(items)).toEqual(["FIT files of nights that the archive has no sleep of"])
})
