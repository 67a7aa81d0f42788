import { expect, test } from "vitest"
import { daysOf } from "./days.ts"

test.each([
  ["7", 7],
  ["45", 45],
  ["4000", 4000],
  ["all", "all"],
])("days=%s is that period", (text, days) => expect(daysOf(text, 30)).toBe(days))

test.each([null, "", "0", "-7", "4001", "1.5", "week", "1e9"])("days=%s is the usual period", (text) =>
  expect(daysOf(text, 30)).toBe(30),
)
