// The energy of Takeout's days: of both forms the one with more minutes, and none where minutes at rest are left out.
import { MINUTE_MS } from "@restwell/client/time-units"
import type { TakeoutRows } from "@restwell/simulator"
import { expect, test } from "vitest"
import type { ArchiveItem } from "../src/index.ts"
import { archivedOf } from "./garmin-rows.ts"
import { read, value } from "./takeout-rows.ts"

const energyOf = (items: readonly ArchiveItem[]) =>
  archivedOf(items, "cycle").map(({ date, record }) => [date, record.kind === "cycle" ? record.energyKcal : null])
const notesOf = (items: readonly ArchiveItem[]) =>
  items.flatMap((item) => (item.type === "note" && item.note.includes("energy") ? [item.note] : []))
const INCOMPLETE = "no energy: the files of calories leave out minutes, mostly those at rest"

interface Minutes {
  /** In UTC. */
  readonly from: string
  readonly to: string
  /** Left out from here on, for so many minutes. @default none */
  readonly restAt?: string
  readonly rest?: number
}

const msOf = (text: string): number => Date.parse(`${text}:00Z`)

/** A kilocalorie each minute. */
function minutesOf({ from, to, restAt = to, rest = 0 }: Minutes): string[] {
  const [startMs, endMs, restMs] = [msOf(from), msOf(to), msOf(restAt)]
  const count = (endMs - startMs) / MINUTE_MS
  return Array.from({ length: count }, (_, index) => startMs + index * MINUTE_MS)
    .filter((ms) => ms < restMs || ms >= restMs + rest * MINUTE_MS)
    .map((ms) => `${new Date(ms).toISOString().slice(0, 19)}Z`)
}
const table = (minutes: Minutes, source = "Fitbit App") =>
  minutesOf(minutes).map((timestamp) => value(timestamp, "calories", 1, source))
/** `09/10/26 10:00:00` */
const american = (text: string) => `${text.slice(5, 7)}/${text.slice(8, 10)}/${text.slice(2, 4)} ${text.slice(11, 19)}`
const list = (minutes: Minutes) => minutesOf(minutes).map((text) => ({ dateTime: american(text), value: "1" }))
const stepsOn = (...dates: string[]): TakeoutRows => ({
  "steps_2026-09-01.csv": dates.map((date) => value(`${date}T10:00:00Z`, "steps", 50, "Watch")),
})

// Berlin's midnights are at 22:00 in UTC.
const THREE_DAYS = { from: "2026-09-09T22:00", to: "2026-09-12T22:00" }
const NIGHT_LEFT_OUT = { restAt: "2026-09-10T22:00", rest: 484 }
const DATES = ["2026-09-10", "2026-09-11", "2026-09-12"]

test("of Google's file without minutes at rest and Fitbit's old one the greater sum is the day's", async () => {
  const items = await read({
    ...stepsOn(...DATES),
    "calories_2026-09-01.csv": table({ ...THREE_DAYS, ...NIGHT_LEFT_OUT }),
    "calories-2026-09-10.json": list(THREE_DAYS),
  })
  expect(energyOf(items)).toEqual(DATES.map((date) => [date, 1_440]))
  expect(notesOf(items)).toEqual([])
})

test("a file that lacks minutes of a date has no energy of it, and the report says so", async () => {
  const items = await read({
    ...stepsOn(...DATES),
    "calories_2026-09-01.csv": table({ ...THREE_DAYS, ...NIGHT_LEFT_OUT }),
  })
  expect(energyOf(items)).toEqual([
    ["2026-09-10", 1_440],
    ["2026-09-11", undefined],
    ["2026-09-12", 1_440],
  ])
  expect(notesOf(items)).toEqual([`1 day has ${INCOMPLETE}`])
})

test("devices are not added up, a copy counts for dates without another, and Strava never", async () => {
  const whole = { from: "2026-09-09T22:00", to: "2026-09-10T22:00" }
  const items = await read({
    ...stepsOn("2026-09-10"),
    "calories_2026-09-01.csv": [
      ...table({ ...whole, restAt: "2026-09-10T01:00", rest: 60 }),
      ...table({ ...whole, restAt: "2026-09-10T01:00", rest: 30 }, "Watch"),
      ...table(whole, "Other Health Connect"),
      ...table(whole, "Strava Health Connect"),
    ],
  })
  expect(energyOf(items)).toEqual([["2026-09-10", 1_410]])
})

test("a day of the archive's end has its energy so far, unless minutes at rest are left out, and its first part has none", async () => {
  const part = { from: "2026-09-10T12:00", to: "2026-09-12T10:00" }
  const whole = await read({ ...stepsOn(...DATES), "calories.csv": table(part) })
  expect(energyOf(whole)).toEqual([
    ["2026-09-10", undefined],
    ["2026-09-11", 1_440],
    ["2026-09-12", 720],
  ])
  const night = { restAt: "2026-09-11T22:00", rest: 480 }
  const sparse = await read({ ...stepsOn(...DATES), "calories.csv": table({ ...part, ...night }) })
  expect(energyOf(sparse)).toEqual([
    ["2026-09-10", undefined],
    ["2026-09-11", 1_440],
    ["2026-09-12", undefined],
  ])
  expect(notesOf(sparse)).toEqual([`2 days have ${INCOMPLETE}`])
})

test.each([
  ["forward", "2026-03-28T23:00", "2026-03-29T22:00", 1_380],
  ["back", "2025-10-25T22:00", "2025-10-26T23:00", 1_500],
])("on a day on which clocks are set %s, all its minutes are its energy", async (_how, from, to, kcal) => {
  const date = to.slice(0, 10)
  const items = await read({ ...stepsOn(date), "calories_2026-03-01.csv": table({ from, to }) })
  expect(energyOf(items)).toEqual([[date, kcal]])
})
