import { DAY_MS } from "@restwell/client/time-units"
import { expect, test } from "vitest"
import type { SeriesDay } from "../store/statements/read-series.ts"
import { collectPoints } from "./collect-points.ts"
import { LocalClock } from "./local-days.ts"
import { dateOf, dayOf } from "./series.ts"

/** Of Berlin, known from the sleeps that ended on the mornings of the changes. */
const CLOCK = new LocalClock([
  { atMs: Date.parse("2026-03-28T06:00Z"), minutes: 60 },
  { atMs: Date.parse("2026-03-29T05:00Z"), minutes: 120 },
  { atMs: Date.parse("2026-10-25T06:00Z"), minutes: 60 },
])

const BY_DATE = {
  type: "steps",
  resolution: "1d",
  firstDay: Number.NEGATIVE_INFINITY,
  lastDay: Number.POSITIVE_INFINITY,
  fromMs: Number.NEGATIVE_INFINITY,
  toMs: Number.POSITIVE_INFINITY,
  providers: ["apple_health"],
} as const

/** Steps that were counted over one time. */
function counted(start: string, end: string): SeriesDay {
  const atMs = Date.parse(start)
  return {
    day: dateOf(Math.floor(atMs / DAY_MS)),
    provider: "apple_health",
    device: null,
    kind: "app",
    method: null,
    isFromArchive: true,
    samples: {
      count: 1,
      atMs: Float64Array.of(atMs),
      values: Float64Array.of(8_800),
      durationsMs: Float64Array.of(Date.parse(end) - atMs),
      utcOffsetMinutes: null,
    },
  }
}

/** The sums by date of steps that were counted over one time. */
async function sumsByDate(start: string, end: string) {
  const { points } = await collectPoints([counted(start, end)], BY_DATE, { clock: CLOCK })
  return points?.buckets.map(({ key, sum, n }) => [dateOf(key), sum, n])
}

test("a sum of a whole day stays on its date where the day has 25 or 23 hours", async () => {
  expect(await sumsByDate("2026-10-24T22:00Z", "2026-10-25T23:00Z")).toEqual([["2026-10-25", 8_800, 1]])
  expect(await sumsByDate("2026-03-28T23:00Z", "2026-03-29T22:00Z")).toEqual([["2026-03-29", 8_800, 1]])
})

test("a bucket of a date begins at midnight of the clock then, whenever its first value was", async () => {
  const stored = [counted("2026-10-24T08:00Z", "2026-10-24T08:10Z"), counted("2026-10-25T07:00Z", "2026-10-25T07:10Z")]
  const { points } = await collectPoints(stored, BY_DATE, { clock: CLOCK })
  expect(points?.buckets.map(({ startMs }) => startMs)).toEqual(
    ["2026-10-24", "2026-10-25"].map((date) => CLOCK.midnight(date)),
  )
})

test("midnight is that of the clock of the date, and a date begins with the new clock of who flies east over midnight", () => {
  const textOf = (ms: number) => new Date(ms).toISOString().slice(0, 16)
  const starts = (clock: LocalClock, dates: readonly string[]) => dates.map((date) => textOf(clock.midnight(date)))
  const change = ["2026-10-24", "2026-10-25", "2026-10-26"]
  expect(starts(CLOCK, change)).toEqual(["2026-10-23T22:00", "2026-10-24T22:00", "2026-10-25T23:00"])
  const flight = [
    { atMs: Date.parse("2026-11-19T06:00Z"), minutes: 60 },
    { atMs: Date.parse("2026-11-19T11:00Z"), minutes: 840 },
  ]
  expect(starts(new LocalClock(flight), ["2026-11-19", "2026-11-20", "2026-11-21"])).toEqual([
    "2026-11-18T23:00",
    "2026-11-19T10:00",
    "2026-11-20T10:00",
  ])
  expect(textOf(new LocalClock(flight).midnightOf(dayOf("2026-11-20")))).toBe("2026-11-19T11:00")
  const americas = [
    { atMs: Date.parse("2026-11-19T12:00Z"), minutes: -660 },
    { atMs: Date.parse("2026-11-20T08:00Z"), minutes: -300 },
  ]
  expect(starts(new LocalClock(americas), ["2026-11-20", "2026-11-21"])).toEqual([
    "2026-11-20T05:00",
    "2026-11-21T05:00",
  ])
  expect(textOf(new LocalClock(americas).midnightOf(dayOf("2026-11-20")))).toBe("2026-11-20T08:00")
})

test("a sum over midnight is divided at the midnight of the clock that the person has by then", async () => {
  expect(await sumsByDate("2026-10-25T03:00Z", "2026-10-26T01:00Z")).toEqual([
    ["2026-10-25", 8_000, 1],
    ["2026-10-26", 800, 1],
  ])
})
