import { expect, test } from "vitest"
import { namedExtreme } from "./search-phrases.ts"

test.each([
  ["worst nights", "sleep_performance", "lowest"],
  ["my best sleep this year", "sleep_performance", "highest"],
  ["best recovery", "recovery_score", "highest"],
  ["lowest HRV", "hrv", "lowest"],
  ["best resting heart rate", "resting_heart_rate", "lowest"],
  ["worst resting heart rate ever", "resting_heart_rate", "highest"],
  ["longest night", "asleep", "highest"],
  ["when did I sleep the least sleep", "asleep", "lowest"],
  ["hardest day by strain", "strain", "highest"],
  ["latest bedtime", "bedtime", "highest"],
  ["most deep sleep", "deep", "highest"],
  ["worst days", "recovery_score", "lowest"],
])("“%s” wants the days by %s, %s", (question, metric, side) => {
  const extreme = namedExtreme(question)
  expect([extreme?.metrics[0], extreme?.side]).toEqual([metric, side])
})

test("what was not understood is left", () => {
  expect(namedExtreme("longest streak of nights")?.rest.trim().split(/\s+/)).toEqual(["streak", "of"])
  expect(namedExtreme("worst nights")?.rest.trim()).toBe("")
})

test.each(["", "how did I sleep", "running", "best", "the worst of it", "almost no sleep", "remember the bestiary"])(
  "“%s” wants no extreme",
  (question) => {
    expect(namedExtreme(question)).toBeUndefined()
  },
)
