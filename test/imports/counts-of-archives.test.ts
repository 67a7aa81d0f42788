// Steps, energy and distance of archives, of pushes beside them, and of our own export: a date's sum is that of all of them together.
import { appleArchive, appleRecord, healthConnectArchive, takeoutArchive } from "@restwell/simulator"
import { startTestService, type TestService } from "@restwell/testing/service"
import { afterAll, beforeAll, expect, test } from "vitest"
import { z } from "zod"
import { type CountType, countingPerson } from "../pushes/counted-days.ts"
import { pushed } from "../pushes/pusher.ts"
import { importedArchive } from "./upload-archive.ts"

let service: TestService
beforeAll(async () => {
  service = await startTestService({ now: new Date("2026-11-20T12:30:00Z"), isStill: true })
})
afterAll(() => service.close())

const NAMES = {
  steps: ["StepCount", "count"],
  active_energy: ["ActiveEnergyBurned", "kcal"],
  distance: ["DistanceWalkingRunning", "m"],
} as const
const TYPES = Object.keys(NAMES).filter((type): type is CountType => type in NAMES)

interface Count {
  readonly start: string
  readonly seconds?: number
  readonly value: number
  readonly source?: string
}

const appleExport = (type: CountType, counts: readonly Count[]): Buffer =>
  appleArchive(
    counts.map(({ start, seconds = 0, value, source = "Ada's Watch" }) => {
      const startMs = Date.parse(start)
      const [name, unit] = NAMES[type]
      const times = { startMs, endMs: startMs + seconds * 1_000 }
      return appleRecord(name, times, { sourceName: source, unit, value: String(value) })
    }),
  )

async function person(timeZone?: string) {
  const counting = await countingPerson(service, timeZone)
  const upload = async (bytes: Buffer) => {
    const done = await importedArchive(service.url, counting.member, bytes)
    expect([done?.status, done?.error]).toEqual(["done", null])
    const { stored, by_type } = z
      .object({ stored: z.int(), by_type: z.record(z.string(), z.int()) })
      .parse(done?.report)
    return { id: done?.id ?? "", stored, byType: by_type }
  }
  const undo = async (id: string) =>
    expect((await counting.member.send("DELETE", `/api/imports/${id}`)).status).toBe(204)
  // A row over midnight is shared by two dates, whose sums are answered with two decimals.
  const total = async (type?: CountType) =>
    Math.round(Object.values(await counting.sums(type)).reduce((sum, value) => sum + value, 0))
  return { ...counting, upload, undo, total }
}

test("values of one instant and device are all stored and added up, and a second import stores nothing", async () => {
  for (const type of TYPES) {
    const { upload, undo, sums } = await person()
    const at = (second: number) => `2026-11-17T10:00:${String(second).padStart(2, "0")}+01:00`
    const counts = [
      { start: at(0), value: 20 },
      { start: at(0), value: 35 },
      { start: at(0), value: 35 },
      { start: at(4), value: 15 },
      { start: at(10), seconds: 20, value: 7 },
      { start: at(10), seconds: 20, value: 3 },
      { start: at(2), value: 500, source: "Ada's iPhone" },
    ]
    const first = await upload(appleExport(type, counts))
    expect(first.byType).toEqual({ cycle: 1, [type]: 6 })
    expect(await sums(type)).toEqual({ "2026-11-17": 80 })
    const second = await upload(appleExport(type, counts))
    expect(second.stored).toBe(0)
    expect(await sums(type)).toEqual({ "2026-11-17": 80 })
    await undo(first.id)
    expect(await sums(type)).toEqual({ "2026-11-17": 80 })
  }
})

const HOUR_MS = 3_600_000

/** A local day in Berlin, on which clocks go back: what was counted in one row. */
const LONG_DAY = { date: "2026-10-25", start: "2026-10-25T00:00:00+02:00", end: "2026-10-26T00:00:00+01:00" } as const
const ofLongDay = {
  "Health Connect": async ({ upload }: Awaited<ReturnType<typeof person>>) => {
    const row = {
      app_info_id: 1,
      start_time: Date.parse(LONG_DAY.start),
      end_time: Date.parse(LONG_DAY.end),
      start_zone_offset: 7_200,
      end_zone_offset: 3_600,
    }
    await upload(
      healthConnectArchive({
        application_info_table: [{ row_id: 1, package_name: "com.example.steps", app_name: "Step app" }],
        steps_record_table: [{ ...row, count: 10_000 }],
        distance_record_table: [{ ...row, distance: 10_000 }],
        active_calories_burned_record_table: [{ ...row, energy: 10_000_000 }],
      }),
    )
  },
  "Apple's export": async ({ upload }: Awaited<ReturnType<typeof person>>) => {
    for (const type of TYPES)
      await upload(appleExport(type, [{ start: LONG_DAY.start, seconds: 90_000, value: 10_000 }]))
  },
  "a push": async ({ token }: Awaited<ReturnType<typeof person>>) => {
    const { start, end } = LONG_DAY
    const records = TYPES.map((type) => ({ type, start, end, value: 10_000, source: "Step app" }))
    expect(await pushed(service, { records }, { token })).toMatchObject({ stored: 3, ignored: [] })
  },
}

test.each(Object.entries(ofLongDay))("the 25 hours of a local day in %s are of its date", async (_, arrive) => {
  const somebody = await person()
  await arrive(somebody)
  for (const type of TYPES)
    expect(await somebody.sums(type, ["2026-10-23", "2026-10-28"])).toEqual({ [LONG_DAY.date]: 10_000 })
})

test("the 25 hours of a local day beside its hours count once, and more than 26 hours are no count of a day", async () => {
  const { token, sums } = await person()
  const startMs = Date.parse(LONG_DAY.start)
  const row = (fromHour: number, toHour: number, value: number) => ({
    type: "steps",
    start: new Date(startMs + fromHour * HOUR_MS).toISOString(),
    end: new Date(startMs + toHour * HOUR_MS).toISOString(),
    value,
    source: "Step app",
  })
  const hours = Array.from({ length: 25 }, (_, hour) => row(hour, hour + 1, 400))
  expect(await pushed(service, { records: [...hours, row(0, 25, 10_000)] }, { token })).toMatchObject({ ignored: [] })
  expect(await sums("steps", ["2026-10-23", "2026-10-28"])).toEqual({ [LONG_DAY.date]: 10_000 })
  const { ignored } = await pushed(service, { records: [row(0, 26.5, 10_000)] }, { token })
  expect(ignored).toEqual([{ reason: "steps: longer than a day", count: 1 }])
})

/** Six hours of each of some days, also around midnights of all zones. */
const HISTORY = Array.from({ length: 6 }, (_, day) =>
  [1, 4, 9, 15, 19, 22].map((hour) => ({
    start: `2026-11-${10 + day}T${String(hour).padStart(2, "0")}:30:00Z`,
    seconds: 2_700,
    value: 100 * day + 10 * hour + 1,
  })),
).flat()
const TOTAL = HISTORY.reduce((sum, { value }) => sum + value, 0)
const ZONES = ["America/New_York", "Europe/Berlin", "Asia/Tokyo", "Pacific/Auckland", "America/New_York"]

/** Minutes of Fitbit's old form, in UTC. */
const takeout = (): Buffer =>
  takeoutArchive({
    "steps-2026-11-01.json": HISTORY.map(({ start, value }) => {
      const [, year, month, day, clock] = /^\d\d(\d\d)-(\d\d)-(\d\d)T([\d:]+)/.exec(start) ?? []
      return { dateTime: `${month}/${day}/${year} ${clock}`, value: String(value) }
    }),
  })

test.each([
  ["Apple's export", () => appleExport("steps", HISTORY)],
  ["Takeout", takeout],
])(
  "%s that comes again in other time zones adds nothing, and nothing is left of imports that are undone",
  async (_, file) => {
    const { upload, undo, total, moveTo, isEmpty } = await person("America/New_York")
    const imports: string[] = []
    for (const zone of ZONES) {
      await moveTo(zone)
      imports.push((await upload(file())).id)
      expect([zone, await total()]).toEqual([zone, TOTAL])
    }
    const last = imports.pop()
    for (const id of imports) {
      await undo(id)
      expect(await total()).toBe(TOTAL)
    }
    await undo(last ?? "")
    expect(await isEmpty()).toBe(true)
  },
)

test("two exports and a push of one device are one history, whichever came first, and so is our own export", async () => {
  // The app gives no ends.
  const data = HISTORY.slice(15, 30).map(({ start, value }) => ({
    date: start.replace("T", " ").replace("Z", " +0000"),
    qty: value,
    source: "Ada's Watch",
  }))
  for (const order of [
    [0, 1, 2],
    [2, 1, 0],
  ]) {
    const member = await person()
    const steps = [
      () => member.upload(appleExport("steps", HISTORY.slice(0, 20))),
      () => member.upload(appleExport("steps", HISTORY.slice(10))),
      () =>
        pushed(
          service,
          { data: { metrics: [{ name: "step_count", units: "count", data }] } },
          {
            token: member.token,
            path: "/api/ingest/health-auto-export",
          },
        ),
    ]
    for (const index of order) await steps[index]?.()
    expect(await member.total()).toBe(TOTAL)
    const before = await member.sums()
    const exported = Buffer.from(await (await member.member.send("GET", "/api/account/export")).arrayBuffer())
    const restored = await person("America/New_York")
    await restored.upload(exported)
    expect(await restored.sums()).toEqual(before)
  }
})

/** A row of a minute of Takeout's new form, of 2026-11-18 in Berlin. */
const minute = (figure: string, clock: string, count: number, source: string) => ({
  timestamp: `2026-11-18T${clock}+01:00`,
  [figure]: count,
  "data source": source,
})
const minutesFrom = (hour: number, figure: string, count: number, source: string) =>
  Array.from({ length: 60 }, (_, index) =>
    minute(figure, `${String(hour).padStart(2, "0")}:${String(index).padStart(2, "0")}:00`, count, source),
  )
const PHONE_MORNING = minutesFrom(8, "steps", 60, "Phone")
const BAND_DAY = minutesFrom(12, "steps", 180, "Charge 5")

const app = (row_id: number, name: string) => ({ row_id, package_name: `com.example.app${row_id}`, app_name: name })
const APPS = [app(1, "Android"), app(2, "Mi Fitness")]
/** Rows of an hour of Health Connect, of 2026-11-18 in Berlin. */
const hourOf = (app_info_id: number, hour: number, counted: Readonly<Record<string, number>>) => {
  const start_time = Date.parse(`2026-11-18T${String(hour).padStart(2, "0")}:00:00+01:00`)
  return { app_info_id, start_time, end_time: start_time + HOUR_MS, start_zone_offset: 3_600, ...counted }
}
const hours = (from: number, to: number) => Array.from({ length: to - from }, (_, index) => from + index)
const ofPhone = hours(9, 12).map((hour) => hourOf(1, hour, { count: 400 }))
const ofWatch = hours(8, 20).map((hour) => hourOf(2, hour, { count: 700 }))
const energyOf = (app_info_id: number, kilocalories: number) => [
  hourOf(app_info_id, 9, { energy: 1_000 * kilocalories }),
]

interface OneDevice {
  readonly first: () => Buffer
  readonly second: () => Buffer
  /** By the first, and by both. */
  readonly sums: Readonly<Partial<Record<CountType, readonly [first: number | undefined, both: number | undefined]>>>
  readonly day: object
}

const ONE_DEVICE: Readonly<Record<string, OneDevice>> = {
  "two Takeouts, the later one with the band too": {
    first: () => takeoutArchive({ "steps_2026-11-18.csv": PHONE_MORNING }),
    second: () =>
      takeoutArchive({
        "steps_2026-11-18.csv": [...PHONE_MORNING, ...BAND_DAY],
        "distance_2026-11-18.csv": minutesFrom(12, "distance", 10, "Charge 5"),
      }),
    sums: { steps: [3_600, 10_800], distance: [undefined, 600] },
    day: { steps: 10_800, device: "Charge 5", distance_meters: 600 },
  },
  "two Takeouts of one device, of which the older one has less of the day": {
    first: () => takeoutArchive({ "steps_2026-11-18.csv": BAND_DAY.slice(0, 20) }),
    second: () => takeoutArchive({ "steps_2026-11-18.csv": BAND_DAY.slice(10) }),
    sums: { steps: [3_600, 10_800] },
    day: { steps: 10_800, device: "Charge 5" },
  },
  "two parts of one Takeout, the table of which was cut, and the old list": {
    first: () => takeoutArchive({ "steps_2026-11-18.csv": minutesFrom(18, "steps", 20, "Charge 5") }),
    second: () =>
      takeoutArchive({
        "steps-2026-11-01.json": [7, 11, 17].map((hour) => ({
          dateTime: `11/18/26 ${String(hour).padStart(2, "0")}:00:00`,
          value: "2400",
        })),
      }),
    sums: { steps: [1_200, 7_200] },
    day: { steps: 7_200, device: null },
  },
  "a copy beside a device": {
    first: () => takeoutArchive({ "steps_2026-11-18.csv": minutesFrom(7, "steps", 200, "Garmin Health Connect") }),
    second: () => takeoutArchive({ "steps_2026-11-18.csv": BAND_DAY }),
    sums: { steps: [12_000, 10_800] },
    day: { steps: 10_800, device: "Charge 5" },
  },
  "two exports of Health Connect, the later one with the watch too": {
    first: () =>
      healthConnectArchive({
        application_info_table: APPS,
        steps_record_table: ofPhone,
        distance_record_table: ofPhone.map((row) => ({ ...row, distance: 300 })),
        total_calories_burned_record_table: energyOf(1, 900),
      }),
    second: () =>
      healthConnectArchive({
        application_info_table: APPS,
        steps_record_table: [...ofPhone, ...ofWatch],
        active_calories_burned_record_table: energyOf(2, 410),
        total_calories_burned_record_table: energyOf(2, 2_100),
      }),
    // The watch's app has no distance, and the phone's is not mixed with it.
    sums: { steps: [1_200, 8_400], active_energy: [undefined, 410], distance: [900, undefined] },
    day: { steps: 8_400, device: "Mi Fitness", calories: 2_100, active_calories: 410, distance_meters: null },
  },
  "the app with steps in more hours, which has fewer": {
    first: () => healthConnectArchive({ application_info_table: APPS, steps_record_table: ofWatch }),
    second: () =>
      healthConnectArchive({
        application_info_table: APPS,
        steps_record_table: [hourOf(1, 6, { count: 9_000 })],
        total_calories_burned_record_table: energyOf(1, 3_000),
      }),
    sums: { steps: [8_400, 8_400] },
    day: { steps: 8_400, device: "Mi Fitness", calories: null },
  },
}

const DayRecords = z.object({ records: z.array(z.record(z.string(), z.unknown())).length(1) })
const datedSum = (sum: number | undefined) => (sum === undefined ? {} : { "2026-11-18": sum })

test.each(Object.entries(ONE_DEVICE))(
  "one device answers for a date over %s, in either order and after an undo",
  async (_, { first, second, sums, day }) => {
    for (const isReversed of [false, true]) {
      const somebody = await person()
      const [one, other] = [first(), second()]
      const ids = [await somebody.upload(isReversed ? other : one), await somebody.upload(isReversed ? one : other)]
      const expectSums = async (index: 0 | 1) => {
        for (const type of TYPES) expect(await somebody.sums(type), type).toEqual(datedSum(sums[type]?.[index]))
      }
      await expectSums(1)
      const dates = "start_date=2026-11-18&end_date=2026-11-18"
      const { records } = DayRecords.parse(await somebody.read(`/api/v1/health?type=cycle&${dates}`))
      expect(records[0]).toMatchObject(day)
      await somebody.undo(ids[isReversed ? 0 : 1]?.id ?? "")
      await expectSums(0)
    }
  },
)

test("each date of two devices has its own, also where both dates are on one UTC day, and so has our own export", async () => {
  const at = (date: string, hour: number, count: number, source: string) => ({
    ...minute("steps", "00:00:00", count, source),
    timestamp: `2026-11-${date}T${String(hour).padStart(2, "0")}:00:00+13:00`,
  })
  const archives = [
    [at("10", 9, 500, "Phone"), at("11", 9, 700, "Phone"), at("12", 9, 100, "Phone")],
    [at("10", 20, 400, "Charge 5"), at("11", 20, 900, "Charge 5"), at("12", 1, 300, "Charge 5")],
  ]
  const expected = { "2026-11-10": 500, "2026-11-11": 900, "2026-11-12": 300 }
  for (const order of [archives, archives.toReversed()]) {
    const somebody = await person("Pacific/Auckland")
    for (const rows of order) await somebody.upload(takeoutArchive({ "steps_2026-11-10.csv": rows }))
    expect(await somebody.sums()).toEqual(expected)
    const exported = Buffer.from(await (await somebody.member.send("GET", "/api/account/export")).arrayBuffer())
    const restored = await person("Pacific/Auckland")
    await restored.upload(exported)
    expect(await restored.sums()).toEqual(expected)
  }
})
