/* Tests of the oracle itself: which dates a query selects, and where today is. */
import type { WireRecords } from "@restwell/simulator"
import { expect, test } from "vitest"
import type { OracleQuery } from "./days.ts"
import { answerTo, night, workout } from "./example-records.ts"

test("today is the date at the offset of the record that started last, and a night's offset wins over its cycle's", () => {
  const lastDateAt = (now: string, records: Partial<WireRecords>) =>
    answerTo({ type: "summary", days: 1 }, records, now)
  const kiritimati = { ...workout, start: "2026-11-19T11:00:00.000Z", timezone_offset: "+14:00" }
  expect(lastDateAt("2026-11-19T11:59:00Z", { workouts: [kiritimati], sleeps: [night] })).toMatchObject({
    period: { start: "2026-11-19T10:00:00.000Z", end: "2026-11-20T10:00:00.000Z" },
  })
  const woken = { ...night, timezone_offset: "-05:00" }
  expect(lastDateAt("2026-11-19T04:59:00Z", { workouts: [], sleeps: [woken] })).toMatchObject({
    period: { start: "2026-11-18T05:00:00.000Z" },
  })
})

test.each<readonly [string, OracleQuery, { start: string; days: number } | null]>([
  [
    "only a start: through today",
    { type: "summary", start_date: "2026-11-18" },
    { start: "2026-11-17T23:00:00.000Z", days: 2 },
  ],
  ["only an end: 7 dates", { type: "summary", end_date: "2026-11-10" }, { start: "2026-11-03T23:00:00.000Z", days: 7 }],
  [
    "an end and days",
    { type: "summary", end_date: "2026-11-10", days: 2 },
    { start: "2026-11-08T23:00:00.000Z", days: 2 },
  ],
  [
    "dates win over days",
    { type: "summary", start_date: "2026-11-01", end_date: "2026-11-01", days: 9 },
    { start: "2026-10-31T23:00:00.000Z", days: 1 },
  ],
  ["90 dates", { type: "summary", start_date: "2026-08-22" }, { start: "2026-08-21T23:00:00.000Z", days: 90 }],
  ["91 dates", { type: "summary", start_date: "2026-08-21" }, null],
  ["a start after today", { type: "summary", start_date: "2026-11-20" }, null],
])("%s", (_, query, period) => {
  const answer = answerTo(query)
  if (period) expect(answer).toMatchObject({ period })
  else expect(answer).toBeNull()
})
