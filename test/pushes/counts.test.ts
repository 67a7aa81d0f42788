// Steps, energy and distance that phones push: a date's sum is that of the rows, in the day and in the series.
import { startTestService, type TestService } from "@restwell/testing/service"
import { afterAll, beforeAll, expect, test } from "vitest"
import { type CountType, countingPerson } from "./counted-days.ts"
import { pushed } from "./pusher.ts"

let service: TestService
beforeAll(async () => {
  service = await startTestService({ now: new Date("2026-11-20T12:30:00Z"), isStill: true })
})
afterAll(() => service.close())

const APP = "/api/ingest/health-auto-export"
const METRICS = {
  steps: ["step_count", "count"],
  active_energy: ["active_energy", "kcal"],
  distance: ["walking_running_distance", "km"],
} as const
const TYPES = Object.keys(METRICS).filter((type): type is CountType => type in METRICS)
const DATE = "2026-11-17"

/** The time of a second of a day in Berlin, as the app writes it. */
function at(second: number, date = DATE): string {
  const two = (value: number) => String(Math.floor(value)).padStart(2, "0")
  return `${date} ${two(second / 3600)}:${two((second / 60) % 60)}:${two(second % 60)} +0100`
}

interface Point {
  readonly date?: string
  readonly startDate?: string
  readonly endDate?: string
  readonly qty: number
  readonly source?: string
}

function bodyOf(type: CountType, points: readonly Point[]) {
  const [name, units] = METRICS[type]
  return { data: { metrics: [{ name, units, data: points.map((point) => ({ source: "Watch", ...point })) }] } }
}

async function app(timeZone?: string) {
  const person = await countingPerson(service, timeZone)
  const send = (type: CountType, points: readonly Point[], aggregation?: string) =>
    pushed(service, bodyOf(type, points), {
      token: person.token,
      path: APP,
      ...(aggregation !== undefined && { headers: { "automation-aggregation": aggregation } }),
    })
  const plain = (records: readonly object[], series: readonly object[] = []) =>
    pushed(service, { records, series }, { token: person.token })
  return { ...person, send, plain }
}

/** Metres of a kilometre. */
const inSeries = (type: CountType, sum: number) => (type === "distance" ? sum * 1_000 : sum)

test("rows of the app that are seconds apart all count, with ends and without, in uneven intervals", async () => {
  const seconds = Array.from({ length: 240 }, (_, index) => 30_000 + index * 2 + (index % 3 === 0 ? 1 : 0))
  for (const type of TYPES) {
    const { send, sums } = await app()
    await send(
      type,
      seconds.map((second) => ({ date: at(second), qty: 0.25 })),
    )
    await send(
      type,
      seconds.map((second) => ({ startDate: at(second, "2026-11-16"), endDate: at(second, "2026-11-16"), qty: 0.5 })),
    )
    const repeated = await send(
      type,
      seconds.map((second) => ({ date: at(second), qty: 0.25 })),
    )
    expect(repeated).toEqual({ stored: 0, unchanged: 240, ignored: [] })
    expect(await sums(type)).toEqual({ "2026-11-16": inSeries(type, 120), [DATE]: inSeries(type, 60) })
  }
})

/** The sums of one walk by each time grouping of the app. */
const HOURS = [0, 7, 8, 12, 18, 23].map((hour) => ({ date: at(hour * 3600), qty: 60 }))
const MINUTES = [0, 7, 8, 12, 18, 23].flatMap((hour) =>
  Array.from({ length: 30 }, (_, minute) => ({ date: at(hour * 3600 + minute * 60), qty: 2 })),
)
const DAY = [{ date: at(0), qty: 360 }]
const GROUPINGS: readonly (readonly [string, readonly Point[]])[] = [
  ["Days", DAY],
  ["Hours", HOURS],
  ["Minutes", MINUTES],
]

test("another time grouping of the same hours adds nothing, in any order, with and without the app's header", async () => {
  for (const type of TYPES)
    for (const hasHeader of [true, false]) {
      for (const [first, second] of [
        [0, 1],
        [1, 0],
        [1, 2],
        [2, 1],
        [2, 0],
      ] as const) {
        const { send, sums } = await app()
        for (const index of [first, second, first])
          for (const [name, points] of GROUPINGS.slice(index, index + 1))
            await send(type, points, hasHeader ? name : undefined)
        expect(await sums(type)).toEqual({ [DATE]: inSeries(type, 360) })
      }
    }
})

test("rows of one grouping that begin at midnight stay a part of the sum, also where each came alone", async () => {
  const together = await app()
  await together.send("steps", HOURS)
  expect(await together.sums()).toEqual({ [DATE]: 360 })
  const alone = await app()
  for (const hour of HOURS) await alone.send("steps", [hour])
  expect(await alone.sums()).toEqual({ [DATE]: 360 })
})

test("the larger of two groupings answers where one is not complete, and sums of weeks are refused", async () => {
  const { send, sums } = await app()
  await send("steps", [{ date: at(0), qty: 200 }])
  await send("steps", HOURS)
  expect(await sums()).toEqual({ [DATE]: 360 })
  await send("steps", [{ date: at(0), qty: 500 }])
  await send("steps", HOURS.slice(2))
  expect(await sums()).toEqual({ [DATE]: 500 })
  expect(await send("steps", [{ date: at(0, "2026-11-09"), qty: 60_000 }], "Weeks")).toEqual({
    stored: 0,
    unchanged: 0,
    ignored: [{ reason: "steps: sums of more than a day: choose days as time grouping in the app", count: 1 }],
  })
})

test("days that have 23 or 25 hours keep their sums", async () => {
  const { send, sums } = await app()
  const days = [28, 29, 30].map((day) => ({
    date: `2026-03-${day} 00:00:00 ${day === 30 ? "+0200" : "+0100"}`,
    qty: 1_000 + day,
  }))
  await send("steps", days)
  expect(await sums("steps", ["2026-03-27", "2026-03-31"])).toEqual({
    "2026-03-28": 1_028,
    "2026-03-29": 1_029,
    "2026-03-30": 1_030,
  })
  const autumn = [24, 25, 26].map((day) => ({
    date: `2026-10-${day} 00:00:00 ${day === 26 ? "+0100" : "+0200"}`,
    qty: 1_000 + day,
  }))
  await send("steps", autumn)
  expect(await sums("steps", ["2026-10-23", "2026-10-27"])).toEqual({
    "2026-10-24": 1_024,
    "2026-10-25": 1_025,
    "2026-10-26": 1_026,
  })
  // The last hour of a day of 25 belongs to it too.
  const hours = [
    { date: "2026-10-25 08:00:00 +0100", qty: 400 },
    { date: "2026-10-25 23:00:00 +0100", qty: 625 },
  ]
  await send("steps", hours)
  expect(await sums("steps", ["2026-10-23", "2026-10-27"])).toMatchObject({ "2026-10-25": 1_025, "2026-10-26": 1_026 })
})

test("two devices in one minute count once, and values of one instant and device are added up", async () => {
  for (const type of TYPES) {
    const { plain, sums } = await app()
    const row = (source: string, second: number, value: number) => ({
      type,
      source,
      start: `${DATE}T10:00:${String(second).padStart(2, "0")}+01:00`,
      value,
    })
    const rows = [
      row("Watch", 0, 30),
      row("Watch", 0, 40),
      row("Watch", 5, 50),
      row("iPhone", 0, 60),
      row("iPhone", 9, 7),
    ]
    await plain(rows)
    await plain(rows.toReversed())
    expect(await sums(type)).toEqual({ [DATE]: 120 })
    const start = `${DATE}T11:00:00+01:00`
    await plain([], [{ type, source: "Watch", start, offsets_seconds: [0, 0, 5], values: [3, 4, 5] }])
    expect(await sums(type)).toEqual({ [DATE]: 132 })
  }
})

test("corrections count upwards and downwards, by an id and by the time of a row", async () => {
  const { plain, sums } = await app()
  const row = (value: number, more: object = {}) => ({
    type: "steps",
    start: `${DATE}T10:00:00+01:00`,
    end: `${DATE}T11:00:00+01:00`,
    value,
    source: "Watch",
    ...more,
  })
  await plain([row(900, { id: "a" }), row(100, { start: `${DATE}T12:00:00+01:00`, end: `${DATE}T12:30:00+01:00` })])
  expect(await sums()).toEqual({ [DATE]: 1_000 })
  await plain([row(400, { id: "a" })])
  expect(await sums()).toEqual({ [DATE]: 500 })
  await plain([row(700, { id: "a", end: `${DATE}T10:20:00+01:00` })])
  expect(await sums()).toEqual({ [DATE]: 800 })
  await plain([row(30, { start: `${DATE}T12:00:00+01:00`, end: `${DATE}T12:30:00+01:00` })])
  expect(await sums()).toEqual({ [DATE]: 730 })
  // Over midnight in UTC, to the date before.
  await plain([row(50, { id: "a", start: "2026-11-16T23:30:00+01:00", end: "2026-11-16T23:40:00+01:00" })])
  expect(await sums()).toEqual({ "2026-11-16": 50, [DATE]: 30 })
  await plain([row(60, { id: "a", start: "2026-11-17T02:00:00+01:00", end: "2026-11-17T02:10:00+01:00" })])
  expect(await sums()).toEqual({ [DATE]: 90 })
})

test("a changed time zone adds nothing to rows that name no local clock", async () => {
  const { plain, sums, moveTo, member } = await app("America/New_York")
  const rows = Array.from({ length: 10 }, (_, day) =>
    [3, 13, 22].map((hour) => ({
      type: "steps",
      start: `2026-11-${String(day + 9).padStart(2, "0")}T${String(hour).padStart(2, "0")}:00:00Z`,
      end: `2026-11-${String(day + 9).padStart(2, "0")}T${String(hour).padStart(2, "0")}:30:00Z`,
      value: 100 + hour + day,
      source: "Watch",
    })),
  ).flat()
  const total = rows.reduce((sum, { value }) => sum + value, 0)
  const summed = async () => Object.values(await sums()).reduce((sum, value) => sum + value, 0)
  await plain(rows)
  expect(await summed()).toBe(total)
  await moveTo("Europe/Berlin")
  const fresh = {
    type: "steps",
    start: "2026-11-18T23:00:00Z",
    end: "2026-11-18T23:30:00Z",
    value: 77,
    source: "Watch",
  }
  await plain([fresh])
  expect(await summed()).toBe(total + 77)
  for (const zone of ["Asia/Tokyo", "America/New_York", "Europe/Berlin"]) {
    await moveTo(zone)
    await plain([...rows.slice(4, 20), fresh])
    expect(await summed()).toBe(total + 77)
  }
  const { imports } = await (await member.send("GET", "/api/imports")).json()
  await member.send("DELETE", `/api/imports/${imports[0].id}`)
  await plain([fresh])
  expect(await sums()).toEqual({ "2026-11-19": 77 })
})
