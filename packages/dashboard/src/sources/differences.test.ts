import type { SourceDifference } from "@restwell/client"
import { expect, test } from "vitest"
import { comparisonsOf } from "./differences-panel.tsx"
import { effectOf } from "./effect.ts"

const value = (source: string, figures: Partial<SourceDifference["values"][number]>) => ({
  source,
  chosen: false,
  chosen_because: null,
  asleep_minutes: null,
  resting_heart_rate: null,
  hrv: null,
  hrv_method: null,
  ...figures,
})

const compare = (type: SourceDifference["type"], ...values: SourceDifference["values"]) =>
  comparisonsOf({ type, date: "2026-11-19", values }).map(({ label, differs }) => [label, differs])

test("time asleep differs by more than an hour", () => {
  expect(compare("sleep", value("oura", { asleep_minutes: 400 }), value("whoop", { asleep_minutes: 460 }))).toEqual([
    ["Asleep", false],
  ])
  expect(compare("sleep", value("oura", { asleep_minutes: 400 }), value("whoop", { asleep_minutes: 461 }))).toEqual([
    ["Asleep", true],
  ])
})

test("HRV of different methods is not compared", () => {
  const rmssd = value("oura", { resting_heart_rate: 52, hrv: 40, hrv_method: "rmssd" })
  const sdnn = value("apple_health", { resting_heart_rate: 58, hrv: 90, hrv_method: "sdnn" })
  expect(compare("recovery", rmssd, sdnn)).toEqual([
    ["Resting heart rate", true],
    ["HRV", false],
  ])
  expect(compare("recovery", rmssd, { ...sdnn, hrv_method: "rmssd" })).toContainEqual(["HRV", true])
})

test("HRV differs by more than 15 % of the middle, as the service lists it", () => {
  const hrvOf = (one: number, other: number) =>
    compare(
      "recovery",
      value("oura", { hrv: one, hrv_method: "rmssd" }),
      value("whoop", { hrv: other, hrv_method: "rmssd" }),
    )
  expect(hrvOf(37, 43)).toContainEqual(["HRV", false])
  expect(hrvOf(37, 43.1)).toContainEqual(["HRV", true])
})

test("the gap is that of the figures beside it", () => {
  const values = [value("oura", { hrv: 40.4, hrv_method: "rmssd" }), value("whoop", { hrv: 52.6, hrv_method: "rmssd" })]
  const hrv = comparisonsOf({ type: "recovery", date: "2026-11-19", values }).find(({ label }) => label === "HRV")
  expect(values.map((each) => hrv?.text(each))).toEqual(["40 ms", "53 ms"])
  expect(hrv?.gap).toBe("13 ms of HRV")
})

test("a device that is in no difference, such as a scale, is not said to be used", () => {
  const values = [value("oura", { asleep_minutes: 400, chosen: true }), value("whoop", { asleep_minutes: 470 })]
  const differences: SourceDifference[] = [{ type: "sleep", date: "2026-11-19", values }]
  expect(effectOf("withings", differences)).toBe(
    "It recorded none of the days on which your devices differ, so no figure changes.",
  )
  expect(effectOf("oura", differences)).toBe("It is used now, so no figure changes.")
  expect(effectOf("whoop", differences)).toMatch(/^Gives other figures for 1 of 1 day /)
})

test("the example is the newest day with figures of both devices, and there is none where no day has them", () => {
  const used = (date: string, asleep: number | null): SourceDifference => ({
    type: "sleep",
    date,
    values: [value("oura", { asleep_minutes: asleep, chosen: true }), value("whoop", { asleep_minutes: 470 })],
  })
  const newest = used("2026-11-20", null)
  const text = effectOf("whoop", [newest, used("2026-11-19", 400)])
  expect(text).toMatch(/^Gives other figures for 2 of 2 days .*19.*: 7 h 50 min asleep instead of 6 h 40 min\.$/)
  expect(effectOf("whoop", [newest])).toBe("Gives other figures for 1 of 1 day on which your devices differ.")
})
