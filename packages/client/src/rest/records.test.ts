import { expect, test } from "vitest"
import { newestNightOf } from "./records.ts"

const night = (start: string, hours: number, more: { date?: string; is_nap?: boolean } = {}) => ({
  date: "2026-11-20",
  is_nap: false,
  start,
  duration_hours: hours,
  ...more,
})

test("the night of a date is its longest sleep, of equal ones the earlier, and never a nap", () => {
  const [early, late] = [night("2026-11-19T20:00:00.000Z", 4), night("2026-11-20T04:00:00.000Z", 4)]
  expect(newestNightOf([late, early])?.start).toBe(early.start)
  expect(newestNightOf([early, { ...late, duration_hours: 4.01 }])?.start).toBe(late.start)
  expect(newestNightOf([early, night("2026-11-20T10:00:00.000Z", 9, { is_nap: true })])?.start).toBe(early.start)
})

test("the newest date with a night counts, whatever the order and the length of its nights", () => {
  const newest = night("2026-11-20T22:00:00.000Z", 3, { date: "2026-11-21" })
  const older = night("2026-11-19T22:00:00.000Z", 9)
  expect([newestNightOf([older, newest])?.date, newestNightOf([newest, older])?.date]).toEqual([
    newest.date,
    newest.date,
  ])
  expect(newestNightOf([night("2026-11-20T10:00:00.000Z", 1, { is_nap: true })])).toBeUndefined()
})
