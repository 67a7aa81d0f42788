import { expect, test } from "vitest"
import { figureText } from "./figure-text.ts"
import { metricNamed } from "./metric-table.ts"
import { ofSource } from "./score-scale.ts"

test.each([
  ["recovery_score", "whoop", "Recovery", "82.4 %"],
  ["recovery_score", "oura", "Readiness", "82.4"],
  ["recovery_score", "garmin", "Recovery", "82.4"],
  ["sleep_performance", "whoop", "Sleep performance", "82.4 %"],
  ["sleep_performance", "oura", "Sleep score", "82.4"],
  ["sleep_performance", "withings", "Sleep score", "82.4"],
  ["sleep_efficiency", "oura", "Sleep efficiency", "82.4 %"],
] as const)("%s of %s is called %s and written %s", (id, source, title, text) => {
  const metric = ofSource(metricNamed(id), source)
  expect(metric.title).toBe(title)
  expect(figureText(metric, 82.4).replaceAll("\u00a0", " ")).toBe(text)
})
