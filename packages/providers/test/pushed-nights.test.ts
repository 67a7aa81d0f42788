// What pushed rows make of nights: the date of a temperature, and stages that follow each other.
import { HOUR_MS } from "@restwell/client/time-units"
import { expect, test } from "vitest"
import { derivePushed, type PushedRow } from "../src/index.ts"

const at = (text: string) => Date.parse(`2026-08-${text}:00+02:00`)
const row = (type: PushedRow["type"], startMs: number, value: number | string, lengthMs = 0): PushedRow => ({
  type,
  startMs,
  endMs: startMs + lengthMs,
  value,
  source: "Apple Watch",
})
const derive = (rows: readonly PushedRow[], date: string) =>
  derivePushed(rows, {
    date,
    timeZone: "Europe/Berlin",
    now: new Date("2026-08-20T12:00:00Z"),
  })

const nights = [
  row("sleep_segment", at("12T23:10"), "light", 7 * HOUR_MS),
  row("sleep_segment", at("13T23:10"), "light", 7 * HOUR_MS),
]
const rates = [row("resting_heart_rate", at("13T08:00"), 55), row("resting_heart_rate", at("14T08:00"), 55)]
const temperatureOf = (rows: readonly PushedRow[], date: string) =>
  derive(rows, date).flatMap(({ record }) => (record.kind === "recovery" ? [record.skinTempCelsius] : []))

test.each([
  ["falling asleep", "23:10"],
  ["a little before it", "22:40"],
])("a wrist temperature that is dated at %s is that of the night that follows", (_when, clock) => {
  const temperatures = [
    row("skin_temperature", at(`12T${clock}`), 35.2),
    row("skin_temperature", at(`13T${clock}`), 36.4),
  ]
  for (const rows of [
    [...nights, ...rates, ...temperatures],
    [...rates, ...temperatures],
  ]) {
    expect(temperatureOf(rows, "2026-08-13")).toEqual([35.2])
    expect(temperatureOf(rows, "2026-08-14")).toEqual([36.4])
  }
})

test("segments of one stage that follow each other are one", () => {
  const minutes = Array.from({ length: 400 }, (_, minute) =>
    row("sleep_segment", at("12T23:10") + minute * 60_000, minute < 300 ? "light" : "deep", 60_000),
  )
  const [night] = derive(minutes, "2026-08-13").flatMap(({ record }) => (record.kind === "sleep" ? [record] : []))
  expect(night?.samples?.[0]?.samples.map(({ durationMs }) => durationMs)).toEqual([300 * 60_000, 100 * 60_000])
})
