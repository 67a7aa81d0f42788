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
