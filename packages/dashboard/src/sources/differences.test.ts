import type { SourceDifference } from "@restwell/client"
import { expect, test } from "vitest"
import { comparisonsOf } from "./differences-panel.tsx"

const value = (source: string, figures: Partial<SourceDifference["values"][number]>) => ({
  source,
  chosen: false,
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
