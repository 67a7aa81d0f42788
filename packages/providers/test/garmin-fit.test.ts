// FIT files of Garmin's export archive, in zip files inside the zip file, and archives of other ages.
import { MINUTE_MS } from "@restwell/client/time-units"
import { type FitMessage, fitFile, fitTime, type GarminRows, garminArchive, zipOf } from "@restwell/simulator"
import { expect, test } from "vitest"
import { archivedOf, DAY, EMPTY, itemsOf, NIGHT, RUN, read, reasonsOf, recordsOf, samplesOf } from "./garmin-rows.ts"

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

test.each([false, true])(
  "FIT of an activity gives its heart rate by the second (big endian: %s)",
  async (isBigEndian) => {
    const second = (text: string, rate: number): FitMessage => ({
      number: 20,
      fields: [
        [253, 4, at(text)],
        [0, 4, 500_000_000],
        [2, 2, 2_600],
        [3, 1, rate],
        [6, 2, 3_100],
      ],
    })
    const run = [
      second("2026-11-18T16:00:00Z", 96),
      second("2026-11-18T16:00:01Z", 98),
      // No contact with the skin.
      second("2026-11-18T16:00:02Z", 0),
      second("2026-11-18T16:00:03Z", 255),
      second("2026-11-18T16:00:04Z", 171),
    ]
    const items = await read({ activities: [RUN], fit: [{ name: "run.fit", bytes: fitFile(run, { isBigEndian }) }] })
    expect(samplesOf(items, "heart_rate")).toEqual([
      { atMs: Date.parse("2026-11-18T16:00:00Z"), value: 96 },
      { atMs: Date.parse("2026-11-18T16:00:01Z"), value: 98 },
      { atMs: Date.parse("2026-11-18T16:00:04Z"), value: 171 },
    ])
    expect(reasonsOf(items)).toEqual([])
  },
)

const NIGHT_MS = Date.parse("2026-11-17T22:10:00Z")
const level = (minutes: number, stage: number): FitMessage => ({
  number: 275,
  fields: [
    [253, 4, fitTime(NIGHT_MS + minutes * MINUTE_MS)],
    [0, 1, stage],
  ],
})
const event = (minutes: number, name: number, type: number): FitMessage => ({
  number: 21,
  fields: [
    [253, 4, fitTime(NIGHT_MS + minutes * MINUTE_MS)],
    [0, 1, name],
    [1, 1, type],
  ],
})
/** The stages of NIGHT as a watch writes them: each has the time of its end, and the first begins with the sleep. */
const NIGHT_LEVELS = [
  event(0, 74, 0),
  level(30, 1),
  level(200, 2),
  level(330, 2),
  level(390, 3),
  level(480, 4),
  event(480, 74, 1),
]
const NIGHT_PHASES = [
  ...Array.from({ length: 15 }, () => "awake"),
  ...Array.from({ length: 150 }, () => "light"),
  ...Array.from({ length: 30 }, () => "deep"),
  ...Array.from({ length: 45 }, () => "rem"),
]
const unknownWithin = (from: number, to: number) => (phase: string, index: number) =>
  index >= from && index < to ? null : phase
const courseOf = async (messages: readonly (readonly FitMessage[])[], nights: GarminRows["nights"] = [NIGHT]) => {
  const items = await read({ nights, fit: messages.map((each, index) => fitOf(each, `${index}.fit`)) })
  const [night] = recordsOf(items, "sleep")
  return night && "course" in night ? night.course : undefined
}

test("the stages of FIT are the phases of the night, from the start of the sleep on, in any order of messages", async () => {
  for (const messages of [NIGHT_LEVELS, NIGHT_LEVELS.toReversed()])
    expect(await courseOf([messages])).toEqual({ intervalMs: 2 * MINUTE_MS, phases: NIGHT_PHASES })
  // Without its start, the first stage has no beginning.
  const withoutFirst = { intervalMs: 2 * MINUTE_MS, phases: NIGHT_PHASES.map(unknownWithin(0, 15)) }
  expect(await courseOf([NIGHT_LEVELS.slice(1)])).toEqual(withoutFirst)
  // Another event is no start, and the end of a sleep is none.
  expect(await courseOf([[event(0, 0, 0), ...NIGHT_LEVELS.slice(1)]])).toEqual(withoutFirst)
  const cut = [
    event(0, 74, 0),
    level(30, 1),
    event(30, 74, 1),
    level(200, 2),
    level(330, 2),
    level(390, 3),
    level(480, 4),
  ]
  expect(await courseOf([cut])).toEqual({ intervalMs: 2 * MINUTE_MS, phases: NIGHT_PHASES })
})

test("time that was not measured has no phase, and a night has none where they are not those of its sums", async () => {
  const unmeasured = NIGHT_LEVELS.with(4, level(390, 0))
  expect((await courseOf([unmeasured]))?.phases).toEqual(NIGHT_PHASES.map(unknownWithin(165, 195)))
  const hardly = [event(0, 74, 0), level(30, 1), level(200, 0), level(390, 3), level(480, 4)]
  expect(await courseOf([hardly])).toBeUndefined()
  const edited = { ...NIGHT, sleepEndTimestampGMT: "2026-11-18T06:40:00.0" }
  expect((await courseOf([NIGHT_LEVELS], [edited]))?.phases).toEqual([...NIGHT_PHASES, ...Array(15).fill(null)])
  const other = { ...NIGHT, deepSleepSeconds: 9_000, lightSleepSeconds: 12_600 }
  expect(await courseOf([NIGHT_LEVELS], [other])).toBeUndefined()
  const nearly = { ...NIGHT, deepSleepSeconds: 4_200, lightSleepSeconds: 17_400 }
  expect(await courseOf([NIGHT_LEVELS], [nearly])).toMatchObject({ phases: NIGHT_PHASES })
  const withoutRem = { ...NIGHT, remSleepSeconds: undefined, lightSleepSeconds: 23_400 }
  const twoStages = [event(0, 74, 0), level(30, 1), level(200, 2), level(420, 2), level(480, 3)]
  expect((await courseOf([twoStages], [withoutRem]))?.phases).toHaveLength(240)
})

test("of two devices' files the one with the night's own sums counts, in any order", async () => {
  const ofOther = [event(0, 74, 0), level(60, 1), level(200, 2), level(330, 2), level(390, 3), level(480, 4)]
  for (const files of [
    [NIGHT_LEVELS, ofOther],
    [ofOther, NIGHT_LEVELS],
  ])
    expect(await courseOf(files)).toMatchObject({ phases: NIGHT_PHASES })
  // Two files are equally near.
  const late = [event(0, 74, 0), level(200, 2), level(300, 2), level(330, 1), level(390, 3), level(480, 4)]
  expect(await courseOf([NIGHT_LEVELS, late])).toEqual(await courseOf([late, NIGHT_LEVELS]))
  // A sum that is missing is no difference: 90 minutes are in another stage than REM sleep, and half of them count.
  const withoutRem = { ...NIGHT, remSleepSeconds: undefined, lightSleepSeconds: 23_400 }
  expect(await courseOf([NIGHT_LEVELS], [withoutRem])).toMatchObject({ phases: NIGHT_PHASES })
})

test("a night beside a nap keeps its phases and its HRV, and a watch that found no sleep has no stages", async () => {
  const nap = {
    napStartTimestampGMT: "2026-11-18T06:40:00.0",
    napEndTimestampGMT: "2026-11-18T07:20:00.0",
    napTimeSec: 2400,
  }
  const nights = [{ ...NIGHT, napList: [nap] }]
  expect(await courseOf([NIGHT_LEVELS], nights)).toMatchObject({ phases: NIGHT_PHASES })
  const average: FitMessage = {
    number: 370,
    fields: [
      [253, 4, at("2026-11-18T06:00:00Z")],
      [1, 2, 40 * 128],
    ],
  }
  const items = await read({ nights, fit: [fitOf([average])] })
  expect(recordsOf(items, "recovery")).toMatchObject([{ hrvMs: 40 }])
  const awake = await read({ nights, fit: [fitOf([event(0, 74, 0), level(200, 1), level(400, 1), level(480, 0)])] })
  expect(samplesOf(awake, "sleep_stages")).toEqual([])
})

test("an archive with the FIT files of a night counts before one without them", async () => {
  const [alone] = archivedOf(await read({ nights: [NIGHT] }), "sleep")
  const [drawn] = archivedOf(await read({ nights: [NIGHT], fit: [fitOf(NIGHT_LEVELS)] }), "sleep")
  expect(drawn?.precedence).toBeGreaterThan(alone?.precedence ?? Number.NaN)
  const [longer] = archivedOf(await read({ nights: [{ ...NIGHT, deepSleepSeconds: 3_601 }] }), "sleep")
  expect(longer?.precedence).toBeGreaterThan(drawn?.precedence ?? Number.NaN)
})

test("of two averages of a night the later counts, in any order, where no other file has one", async () => {
  const averages = NIGHT_FIT.filter(({ number }) => number === 370)
  for (const messages of [averages, averages.toReversed()]) {
    const items = await read({ nights: [NIGHT], fit: [fitOf(messages)] })
    expect(recordsOf(items, "recovery")).toMatchObject([{ hrvMs: 42 }])
  }
  const health = [{ calendarDate: "2026-11-18", metrics: [{ type: "HRV", value: 48, status: "IN_RANGE" }] }]
  const both = await read({ nights: [NIGHT], health, fit: [fitOf(averages)] })
  expect(recordsOf(both, "recovery")).toMatchObject([{ hrvMs: 48 }])
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

test("names may be in capitals, hidden copies in an inner zip file are none, and a folder alone is an archive of Garmin", async () => {
  const night = { name: "X_SLEEPDATA.JSON", bytes: Buffer.from(JSON.stringify([NIGHT])) }
  const hidden = { name: "__MACOSX/._a.fit", bytes: Buffer.from("none") }
  const inner = { name: "UploadedFiles_0-_Part1.zip", bytes: zipOf([hidden, fitOf(NIGHT_FIT)]) }
  const items = await itemsOf(zipOf([night, inner]))
  expect([recordsOf(items, "sleep").length, reasonsOf(items)]).toEqual([1, []])
  const other = { name: "1/DI_CONNECT/DI-Connect-User/user_profile.json", bytes: Buffer.from("{}") }
  expect(await itemsOf(zipOf([other]))).toEqual([
    { type: "note", note: "Files that Restwell does not read: user profile (1)" },
    { type: "note", note: expect.stringContaining("Nothing of this archive was read") },
  ])
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

test("a day of an archive of 2023 has its date in an object and its times with AM and PM", async () => {
  const older = {
    ...DAY,
    calendarDate: { date: "Nov 18, 2026 12:00:00 AM" },
    wellnessStartTimeGmt: "Nov 17, 2026 11:00:00 PM",
    wellnessStartTimeLocal: "Nov 18, 2026 12:00:00 AM",
    wellnessEndTimeGmt: "Nov 18, 2026 11:00:00 PM",
    wellnessEndTimeLocal: "Nov 19, 2026 12:00:00 AM",
  }
  const items = await read({ days: [older] })
  expect(reasonsOf(items)).toEqual([])
  expect(archivedOf(items, "cycle").map(({ record, ...archived }) => archived)).toEqual(
    archivedOf(await read({ days: [DAY] }), "cycle").map(({ record, ...archived }) => archived),
  )
  expect(recordsOf(items, "recovery")).toMatchObject([{ providerId: "2026-11-18" }])
  const wrong = { ...older, calendarDate: { date: "Foo 18, 2026 12:00:00 AM" } }
  expect(reasonsOf(await read({ days: [wrong] }))).toEqual([expect.stringMatching(/calendarDate: no time/)])
})

test("walks in kilojoules are known by the energy of rest beside them", async () => {
  const caloriesOf = async (rows: readonly object[]) =>
    recordsOf(
      await read({ activities: rows.map((row, index) => ({ ...RUN, ...row, activityId: index + 1 })) }),
      "workout",
    ).map((record) => (record.kind === "workout" ? record.energyKcal : undefined))
  // 30 minutes: 120 kcal of a walk, of which 38 are rest.
  const walk = { activityType: "walking", calories: 502.08, bmrCalories: 159 }
  const [first, second, last] = await caloriesOf([walk, walk, { ...walk, bmrCalories: undefined }])
  for (const calories of [first, second, last]) expect(calories).toBeCloseTo(120)
  const inKilocalories = { calories: 360, bmrCalories: 38 }
  expect(await caloriesOf([inKilocalories, inKilocalories])).toEqual([360, 360])
})

test("a weight without a time is at noon of its day", async () => {
  const body = [{ version: 1, metaData: { calendarDate: "2026-11-18T00:00:00.0" }, weight: { weight: 80_100 } }]
  expect(samplesOf(await read({ body }), "weight")).toEqual([
    { atMs: Date.parse("2026-11-18T11:00:00Z"), value: 80.1, utcOffsetMinutes: 60 },
  ])
})
