// Garmin's export archive: what each trap of its JSON files becomes.
import { expect, test, vi } from "vitest"
import { archivedOf, DAY, NIGHT, RUN, read, reasonsOf, recordsOf, samplesOf } from "./garmin-rows.ts"

test("a night has its times, stages, score, breaths and the offset of its day", async () => {
  const [night] = archivedOf(await read({ nights: [NIGHT], days: [DAY] }), "sleep")
  expect(night).toMatchObject({
    date: "2026-11-18",
    utcOffsetMinutes: 60,
    record: {
      providerId: "2026-11-18",
      scoreState: "scored",
      startMs: Date.parse("2026-11-17T22:10:00.000Z"),
      endMs: Date.parse("2026-11-18T06:10:00.000Z"),
      durationMs: 8 * 3_600_000,
      isNap: false,
      scorePercent: 82,
      stages: { lightMs: 18_000_000, deepMs: 3_600_000, remMs: 5_400_000, awakeMs: 1_800_000 },
      respiratoryRatePerMinute: 14,
      timesAwake: 2,
    },
  })
})

test("a night of a device without REM sleep keeps its other stages", async () => {
  const [night] = recordsOf(await read({ nights: [{ ...NIGHT, remSleepSeconds: undefined }] }), "sleep")
  expect(night).toMatchObject({ stages: { lightMs: 18_000_000, deepMs: 3_600_000, awakeMs: 1_800_000 } })
  expect(night).not.toHaveProperty("stages.remMs")
})

test("a night that names no time awake has its time asleep", async () => {
  const [night] = recordsOf(await read({ nights: [{ ...NIGHT, awakeSleepSeconds: undefined }] }), "sleep")
  expect(night).toMatchObject({ scoreState: "scored", asleepMs: 27_000_000 })
  expect(night).not.toHaveProperty("stages")
})

test("a default window is no night, and a nap beside it is real", async () => {
  const nap = {
    napStartTimestampGMT: "2026-11-18T13:00:00.0",
    napEndTimestampGMT: "2026-11-18T13:40:00.0",
    napTimeSec: 2300,
  }
  const items = await read({
    nights: [
      { ...NIGHT, sleepWindowConfirmationType: "OFF_WRIST", napList: [nap] },
      { ...NIGHT, calendarDate: "2026-11-17", deepSleepSeconds: null, lightSleepSeconds: 0, remSleepSeconds: null },
    ],
    days: [DAY],
  })
  expect(archivedOf(items, "sleep")).toMatchObject([
    {
      date: "2026-11-18",
      record: { isNap: true, startMs: Date.parse("2026-11-18T13:00:00.000Z"), durationMs: 2_400_000 },
    },
  ])
  expect(reasonsOf(items)).toEqual(
    Array(2).fill("nights that were not measured: the watch was not worn, or it found no stages"),
  )
})

test("a nap without times costs neither its night nor the nap beside it, and the report counts it", async () => {
  const nap = {
    napStartTimestampGMT: "2026-11-18T13:00:00.0",
    napEndTimestampGMT: "2026-11-18T13:40:00.0",
    napTimeSec: 2300,
  }
  const broken = { ...nap, napStartTimestampGMT: null }
  const items = await read({ nights: [{ ...NIGHT, napList: [broken, nap] }], days: [DAY] })
  expect(recordsOf(items, "sleep")).toMatchObject([{ isNap: false }, { isNap: true }])
  expect(reasonsOf(items)).toEqual(["naps without a start or an end"])
})

test("of two rows of a date the longer asleep counts, then the one that ends later, in any order", async () => {
  const short = { ...NIGHT, retro: true, lightSleepSeconds: 9_000, sleepEndTimestampGMT: "2026-11-18T08:00:00.0" }
  const later = { ...NIGHT, sleepEndTimestampGMT: "2026-11-18T06:11:00.0" }
  for (const nights of [
    [short, NIGHT, later],
    [later, NIGHT, short],
  ]) {
    const found = recordsOf(await read({ nights }), "sleep")
    // The others are repeated, so that the report counts them as doubled.
    expect(found).toEqual(Array(3).fill(found[0]))
    expect(found[0]).toMatchObject({ endMs: Date.parse("2026-11-18T06:11:00.000Z") })
  }
})

test("a recovery is made of readiness after waking, HRV, resting heart rate, SpO2 and skin temperature", async () => {
  const health = {
    calendarDate: "2026-11-18",
    metrics: [
      { type: "HRV", value: 48, status: "IN_RANGE" },
      { type: "SPO2", value: 95, status: "IN_RANGE" },
      { type: "SKIN_TEMP_C", value: -0.2, status: "IN_RANGE" },
      { type: "RESPIRATION", value: 13.5, status: "IN_RANGE" },
    ],
  }
  const readiness = [
    {
      calendarDate: "2026-11-18",
      timestamp: "2026-11-18T20:00:00.0",
      inputContext: "UPDATE_REALTIME_VARIABLES",
      score: 20,
    },
    { calendarDate: "2026-11-18", timestamp: "2026-11-18T06:00:00.0", inputContext: "AFTER_WAKEUP_RESET", score: 71 },
  ]
  for (const rows of [readiness, readiness.toReversed()]) {
    const items = await read({ nights: [NIGHT], days: [DAY], health: [health], readiness: rows })
    expect(archivedOf(items, "recovery")).toMatchObject([
      {
        date: "2026-11-18",
        record: {
          scoreState: "scored",
          sleepProviderId: "2026-11-18",
          cycleProviderId: "2026-11-18",
          skinTempDeviationCelsius: -0.2,
          scorePercent: 71,
          hrvMs: 48,
          restingHeartRateBpm: 51,
          spo2Percent: 95,
        },
      },
    ])
    expect(recordsOf(items, "sleep")).toMatchObject([{ respiratoryRatePerMinute: 13.5 }])
  }
})

test("without a row after waking, the latest readiness of a date counts, in any order", async () => {
  const row = { calendarDate: "2026-11-18", inputContext: "UPDATE_REALTIME_VARIABLES", hrvWeeklyAverage: 511 }
  const readiness = [
    { ...row, timestamp: "2026-11-18T09:00:00.0", score: 71 },
    { ...row, timestamp: "2026-11-18T20:00:00.0", score: 20 },
    { ...row, timestamp: "2026-11-18T12:00:00.0", score: 50 },
  ]
  for (const rows of [readiness, readiness.toReversed()]) {
    const [recovery] = recordsOf(await read({ readiness: rows }), "recovery")
    expect(recovery).toMatchObject({ providerId: "2026-11-18", scorePercent: 20 })
  }
})

test("a readiness without a score does not hide one, in any order", async () => {
  const morning = { calendarDate: "2026-11-18", inputContext: "AFTER_WAKEUP_RESET" }
  const readiness = [
    { ...morning, timestamp: "2026-11-18T06:00:00.0", score: 71 },
    { ...morning, timestamp: "2026-11-18T07:00:00.0", score: null },
  ]
  for (const rows of [readiness, readiness.toReversed()])
    expect(recordsOf(await read({ readiness: rows }), "recovery")).toMatchObject([{ scorePercent: 71 }])
})

test("of two health rows of a date the one that was updated later counts, in any order", async () => {
  const row = (value: number, updateTimestampUTC: string) => ({
    calendarDate: "2026-11-18",
    updateTimestampUTC,
    metrics: [{ type: "HRV", value, status: "IN_RANGE" }],
  })
  const health = [row(44, "2026-11-18T06:00:00.0"), row(48, "2026-11-18T09:00:00.0")]
  for (const rows of [health, health.toReversed()])
    expect(recordsOf(await read({ health: rows }), "recovery")).toMatchObject([{ hrvMs: 48 }])
})

test("a heart rate or a figure of zero is missing", async () => {
  const metrics = [
    { type: "HRV", value: 48, status: "IN_RANGE" },
    { type: "SPO2", value: 0 },
  ]
  const day = { ...DAY, restingHeartRate: 0, maxHeartRate: 0 }
  const items = await read({ days: [day], health: [{ calendarDate: "2026-11-18", metrics }] })
  expect(recordsOf(items, "recovery")).toMatchObject([{ hrvMs: 48 }])
  expect(recordsOf(items, "cycle")).toMatchObject([{ energyKcal: 2300 }])
})

test("breaths and SpO2 come from the night where no health row has them, and zero is missing", async () => {
  const spo2 = { averageSPO2: 94, lowestSPO2: 88, averageHR: 52 }
  const items = await read({ nights: [{ ...NIGHT, spo2SleepSummary: spo2 }], days: [DAY] })
  expect(recordsOf(items, "recovery")).toMatchObject([{ spo2Percent: 94 }])
  const zero = { ...NIGHT, averageRespiration: 0, spo2SleepSummary: { ...spo2, averageSPO2: 0 } }
  const empty = await read({ nights: [zero], days: [DAY] })
  expect(recordsOf(empty, "sleep")[0]).not.toHaveProperty("respiratoryRatePerMinute")
  expect(recordsOf(empty, "recovery")[0]).not.toHaveProperty("spo2Percent")
  const health = { calendarDate: "2026-11-18", metrics: [{ type: "HRV", value: 48, status: "NO_DATA" }] }
  expect(recordsOf(await read({ health: [health] }), "recovery")).toEqual([])
})

test("zero with the status UNKNOWN, and a value while onboarding, are missing", async () => {
  const metrics = [
    { type: "HRV", value: 0, status: "UNKNOWN" },
    { type: "SKIN_TEMP_C", value: 0, status: "UNKNOWN" },
    { type: "SPO2", value: 97, status: "ONBOARDING" },
  ]
  const items = await read({ days: [DAY], health: [{ calendarDate: "2026-11-18", metrics }] })
  const [recovery] = recordsOf(items, "recovery")
  expect(recovery).toMatchObject({ providerId: "2026-11-18", restingHeartRateBpm: 51 })
  for (const field of ["hrvMs", "spo2Percent", "skinTempDeviationCelsius"]) expect(recovery).not.toHaveProperty(field)
})

test("without readiness a recovery is pending today, and unscorable before", async () => {
  const today = {
    ...DAY,
    calendarDate: "2026-11-20",
    wellnessStartTimeGmt: "2026-11-19T23:00:00.0",
    wellnessStartTimeLocal: "2026-11-20T00:00:00.0",
    wellnessEndTimeGmt: "2026-11-20T11:00:00.0",
  }
  const states = recordsOf(await read({ days: [DAY, today] }), "recovery").map(({ scoreState }) => scoreState)
  expect(states).toEqual(["unscorable", "pending"])
})

test("a day has steps, energy, distance and heart rate, and no strain; an empty day is none", async () => {
  const items = await read({ days: [DAY, { ...DAY, calendarDate: "2026-11-17", includesWellnessData: false }] })
  const [cycle, ...more] = recordsOf(items, "cycle")
  expect(more).toEqual([])
  expect(cycle).toMatchObject({
    steps: 9000,
    activeEnergyKcal: 600,
    distanceMeters: 6500.5,
    startMs: Date.parse("2026-11-17T23:00:00.000Z"),
    endMs: Date.parse("2026-11-18T23:00:00.000Z"),
    energyKcal: 2300,
    maxHeartRateBpm: 150,
  })
  expect(cycle).not.toHaveProperty("strain")
  expect(reasonsOf(items)).toEqual(["days without data"])
})

test("an activity is in centimetres and milliseconds, ends after its elapsed time, and has six zones", async () => {
  const [run] = archivedOf(await read({ activities: [RUN] }), "workout")
  expect(run).toMatchObject({
    date: "2026-11-18",
    utcOffsetMinutes: 60,
    record: {
      providerId: "12345678901",
      zones: {
        zone0Ms: 60_000,
        zone1Ms: 100_000,
        zone2Ms: 200_000,
        zone3Ms: 300_000,
        zone4Ms: 400_000,
        zone5Ms: 540_000,
      },
      startMs: Date.parse("2026-11-18T16:00:00.000Z"),
      endMs: Date.parse("2026-11-18T16:30:00.000Z"),
      sportType: "running",
      distanceMeters: 5123.45,
      energyKcal: 360,
      averageHeartRateBpm: 140,
      maxHeartRateBpm: 171,
    },
  })
})

test("an activity on a journey has the offset of its own local time, and its start under either name", async () => {
  const abroad = { ...RUN, startTimeLocal: Date.parse("2026-11-19T01:00:00Z") }
  const begun = { ...RUN, startTimeGmt: undefined, beginTimestamp: RUN.startTimeGmt, activityId: 2 }
  const found = archivedOf(await read({ activities: [abroad, begun], days: [DAY] }), "workout")
  expect(
    found.map(({ date, utcOffsetMinutes, startedAt }) => [date, utcOffsetMinutes, startedAt.getUTCHours()]),
  ).toEqual([
    ["2026-11-19", 540, 16],
    ["2026-11-18", 60, 16],
  ])
})

test("a file whose energies are kilojoules is divided as a whole, one hard activity is not", async () => {
  const easy = { ...RUN, calories: 300 }
  const hard = { ...RUN, activityId: 2, calories: 750 }
  const caloriesOf = async (activities: readonly object[]) =>
    recordsOf(await read({ activities: activities.map((row) => ({ ...row })) }), "workout").map((record) =>
      record.kind === "workout" ? record.energyKcal : undefined,
    )
  expect(await caloriesOf([easy, hard, { ...easy, activityId: 3 }])).toEqual([300, 750, 300])
  const [first] = await caloriesOf([{ ...RUN, calories: 1506.24 }])
  expect(first).toBeCloseTo(360)
  // Most are short and hard, and judge nothing.
  const short = (activityId: number) => ({
    ...RUN,
    activityId,
    calories: 200,
    duration: 600_000,
    elapsedDuration: 600_000,
  })
  expect(await caloriesOf([easy, short(2), short(3), short(4)])).toEqual([300, 200, 200, 200])
})

test("parts of an activity of several sports are left out, the whole stays", async () => {
  const items = await read({
    activities: [
      { ...RUN, parent: true, activityType: "multi_sport" },
      { ...RUN, activityId: 2, parentId: RUN.activityId },
    ],
  })
  expect(recordsOf(items, "workout")).toMatchObject([{ providerId: "12345678901" }])
  expect(reasonsOf(items)).toEqual(["parts of activities with several sports, which are stored as a whole"])
})

test("every spelling of a time is read, wherever the service runs", async () => {
  vi.stubEnv("TZ", "Asia/Tokyo")
  const spelled = [
    NIGHT,
    { ...NIGHT, sleepStartTimestampGMT: "2026-11-17 22:10:00.0", sleepEndTimestampGMT: "2026-11-18T06:10:00Z" },
    {
      ...NIGHT,
      sleepStartTimestampGMT: Date.parse("2026-11-17T22:10:00Z"),
      sleepEndTimestampGMT: Date.parse("2026-11-18T06:10:00Z"),
      calendarDate: Date.parse("2026-11-18T00:00:00Z"),
    },
    {
      ...NIGHT,
      sleepStartTimestampGMT: [2026, 11, 17, 22, 10],
      sleepEndTimestampGMT: [2026, 11, 18, 6, 10, 0, 0],
      calendarDate: [2026, 11, 18],
    },
  ]
  const halves = { ...NIGHT, sleepStartTimestampGMT: [2026, 11, 17, 22, 10, 0, 500_000_000] }
  expect(recordsOf(await read({ nights: [halves] }), "sleep")).toMatchObject([
    { startMs: Date.parse("2026-11-17T22:10:00.500Z") },
  ])
  for (const night of spelled)
    expect(archivedOf(await read({ nights: [night] }), "sleep")).toMatchObject([
      {
        date: "2026-11-18",
        record: { startMs: Date.parse("2026-11-17T22:10:00.000Z"), endMs: Date.parse("2026-11-18T06:10:00.000Z") },
      },
    ])
})

test("in the night when clocks change each end has its own offset, in the person's zone alone", async () => {
  const night = {
    ...NIGHT,
    calendarDate: "2026-03-29",
    sleepStartTimestampGMT: "2026-03-28T22:00:00.0",
    sleepEndTimestampGMT: "2026-03-29T05:00:00.0",
  }
  const day = {
    ...DAY,
    calendarDate: "2026-03-29",
    wellnessStartTimeGmt: "2026-03-28T23:00:00.0",
    wellnessStartTimeLocal: "2026-03-29T00:00:00.0",
    wellnessEndTimeGmt: "2026-03-29T22:00:00.0",
  }
  const offsets = async (timeZone: string) => recordsOf(await read({ nights: [night], days: [day] }, timeZone), "sleep")
  expect(await offsets("Europe/Berlin")).toMatchObject([{ startUtcOffsetMinutes: 60, endUtcOffsetMinutes: 120 }])
  expect(await offsets("Asia/Tokyo")).toMatchObject([{ startUtcOffsetMinutes: 60, endUtcOffsetMinutes: 60 }])
})

test("a night without a day has the offset of the nearest day within three, then the person's, which the report says", async () => {
  const tokyo = {
    ...DAY,
    calendarDate: "2026-11-15",
    wellnessStartTimeGmt: "2026-11-14T15:00:00.0",
    wellnessStartTimeLocal: "2026-11-15T00:00:00.0",
  }
  const near = await read({ nights: [NIGHT], days: [tokyo] })
  expect(recordsOf(near, "sleep")).toMatchObject([{ utcOffsetMinutes: 540 }])
  const far = await read({ nights: [{ ...NIGHT, calendarDate: "2026-11-19" }], days: [tokyo] })
  expect(recordsOf(far, "sleep")).toMatchObject([{ utcOffsetMinutes: 60 }])
  expect(far).toContainEqual({
    type: "note",
    note: "The archive has no UTC offset for 1 date: your time zone, Europe/Berlin, was used",
  })
})

test("the highest version of a day that has a weight counts, in kilograms; a height is in metres", async () => {
  const body = (version: number, weight?: number) => ({
    version,
    metaData: { calendarDate: "2026-11-18T00:00:00.0", sequence: version },
    height: 172,
    ...(weight !== undefined && {
      weight: { weight, sourceType: "INDEX_SCALE", timestampGMT: "2026-11-18T06:30:00.0" },
    }),
  })
  for (const rows of [
    [body(1, 71_000), body(2, 80_100), body(3)],
    [body(3), body(2, 80_100), body(1, 71_000)],
  ]) {
    const items = await read({ body: rows, days: [DAY] })
    expect(samplesOf(items, "weight")).toEqual([
      { atMs: Date.parse("2026-11-18T06:30:00Z"), value: 80.1, utcOffsetMinutes: 60 },
    ])
    expect(items).toContainEqual(
      expect.objectContaining({
        type: "profile",
        profile: expect.objectContaining({
          data: expect.objectContaining({ body: { heightMeters: 1.72, weightKilograms: 80.1 } }),
        }),
      }),
    )
  }
})

test("a row that cannot be read is ignored with its place, and one without a field that cannot be read is used", async () => {
  const other = { ...NIGHT, calendarDate: "2024-03-01", averageRespiration: "many" }
  const items = await read({ nights: [{ ...NIGHT, calendarDate: "tomorrow" }, NIGHT, other] })
  expect(recordsOf(items, "sleep")).toHaveLength(2)
  expect(reasonsOf(items)).toEqual([
    expect.stringMatching(/^2024_0_7000123_sleepData\.json, entry 1: calendarDate: no time/),
  ])
  expect(items.flatMap((item) => (item.type === "left_out" ? [item.reason] : []))).toEqual([
    expect.stringMatching(/^2024_0_7000123_sleepData\.json: averageRespiration left out: /),
  ])
})
