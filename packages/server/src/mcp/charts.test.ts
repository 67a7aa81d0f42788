import { expect, test } from "vitest"
import { UNCLEAR } from "../../../../test/chat/example-charts.ts"
import { trendChart as exampleTrend } from "../../../../test/chat/example-trends.ts"
import { nightChart, relationChart, seriesChart, trendChart } from "./charts.ts"

const DISPLAY = {
  baseUrl: "https://restwell.example",
  preferences: { units: "metric", clock: "24h", first_weekday: "monday" },
} as const

/** Clocks went back within it: 9 hours from 23:00 to 07:00. */
const NIGHT = {
  source: "oura",
  score_state: "scored",
  start: "2026-10-24T21:00:00.000Z",
  end: "2026-10-25T06:00:00.000Z",
  start_local: "2026-10-24T23:00:00+02:00",
  end_local: "2026-10-25T07:00:00+01:00",
  start_minutes: -120,
  end_minutes: 420,
  duration_hours: 9,
  asleep_hours: 8,
  need_hours: null,
  light_hours: 5,
  deep_hours: 1,
  rem_hours: 2,
  awake_hours: 1,
  performance: 78,
  efficiency: null,
  consistency: null,
  respiratory_rate: null,
  score_delay_minutes: null,
  course: null,
} as const

test("a night in which clocks change is drawn in its whole length, and named by the clocks of its ends", () => {
  const { night } = nightChart(DISPLAY, { date: "2026-10-25", sleep: NIGHT })
  if (!night) throw new Error("no night")
  expect(night.end_minutes - night.start_minutes).toBe(9 * 60)
  expect([night.start_time, night.end_time]).toEqual(["23:00", "07:00"])
})

test.each([
  ["oura", null, "Readiness"],
  ["whoop", "%", "Recovery"],
])("a chart of scores has the unit and the name that %s gives them", (provider, unit, title) => {
  const source = { provider, status: "ok", last_synced_at: null } as const
  const { answer } = exampleTrend({ days: 30, answer: { metric: "recovery_score", unit: "%", source } })
  expect(trendChart(DISPLAY, answer).metric).toMatchObject({ unit, title })
})

test("a chart of one sport opens it, and one of a relation the dates that it is about", () => {
  const { answer } = exampleTrend({ days: 30, answer: { metric: "workout" } })
  const { start_date, end_date } = answer.period
  expect(trendChart(DISPLAY, answer, { sport: "running" }).url).toBe(
    `https://restwell.example/trends?metric=workout&start_date=${start_date}&end_date=${end_date}&sport=running`,
  )
  const period = { start_date: "2026-08-01", end_date: "2026-09-30", days: 61 }
  expect(relationChart(DISPLAY, { ...UNCLEAR.answer, period }, { source: "whoop" }).url).toMatch(
    /\/insights\?outcome=\w+.*&start_date=2026-08-01&end_date=2026-09-30&source=whoop$/,
  )
})

test("a chart of steps by day opens the dates and the source of the question, one of hours its newest date", () => {
  const period = { start_date: "2026-10-01", end_date: "2026-10-31" }
  const rows = [{ time: "2026-10-30", parts: [8000] }]
  const answer = { type: "steps", unit: "count", method: null, rows, notes: [], source: "oura", period } as const
  expect(seriesChart(DISPLAY, { ...answer, resolution: "1d" }, { source: "oura" })?.url).toBe(
    "https://restwell.example/trends?metric=steps&start_date=2026-10-01&end_date=2026-10-31&source=oura",
  )
  expect(seriesChart(DISPLAY, { ...answer, resolution: "1h" })?.url).toBe("https://restwell.example/?date=2026-10-30")
})
