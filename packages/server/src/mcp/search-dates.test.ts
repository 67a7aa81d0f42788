import { describe, expect, test } from "vitest"
import { namedDates } from "./search-phrases.ts"

/** A Sunday. */
const TODAY = "2026-11-22"

const rangeOf = (question: string) => {
  const { range } = namedDates(question, TODAY)
  return range && [range.from, range.to]
}

describe("a question about one date", () => {
  test.each([
    ["what was on 2026-11-03?", "2026-11-03"],
    ["how did I sleep on 3 November?", "2026-11-03"],
    ["3rd of November", "2026-11-03"],
    ["November 3rd", "2026-11-03"],
    ["Nov 3, 2025 please", "2025-11-03"],
    ["was 25 December good", "2025-12-25"],
    ["may 5", "2026-05-05"],
    ["29 February", "2024-02-29"],
    ["yesterday", "2026-11-21"],
    ["the day before yesterday", "2026-11-20"],
    ["how was last night", "2026-11-22"],
    ["how am I today?", "2026-11-22"],
    ["10 days ago", "2026-11-12"],
    ["last Friday", "2026-11-20"],
    ["last Sunday", "2026-11-15"],
  ])("“%s” names %s", (question, date) => {
    expect(rangeOf(question)).toEqual([date, date])
  })
})

describe("a question about a period", () => {
  test.each([
    ["sleep in October", "2026-10-01", "2026-10-31"],
    ["December", "2025-12-01", "2025-12-31"],
    ["in March 2024", "2024-03-01", "2024-03-31"],
    ["March", "2026-03-01", "2026-03-31"],
    ["march", "2026-03-01", "2026-03-31"],
    ["may?", "2026-05-01", "2026-05-31"],
    ["last March", "2026-03-01", "2026-03-31"],
    ["last november", "2025-11-01", "2025-11-30"],
    ["last December", "2025-12-01", "2025-12-31"],
    ["how was my March", "2026-03-01", "2026-03-31"],
    ["how was my may", "2026-05-01", "2026-05-31"],
    ["my March nights", "2026-03-01", "2026-03-31"],
    ["March last year", "2025-03-01", "2025-03-31"],
    ["last year's May", "2025-05-01", "2025-05-31"],
    ["since March", "2026-03-01", "2026-11-22"],
    ["2026-02", "2026-02-01", "2026-02-28"],
    ["last week", "2026-11-09", "2026-11-15"],
    ["this week", "2026-11-16", "2026-11-22"],
    ["last month", "2026-10-01", "2026-10-31"],
    ["this month", "2026-11-01", "2026-11-22"],
    ["this year", "2026-01-01", "2026-11-22"],
    ["last year", "2025-01-01", "2025-12-31"],
    ["the last 10 nights", "2026-11-13", "2026-11-22"],
    ["past 2 weeks", "2026-11-09", "2026-11-22"],
    ["from 2026-11-01 to 2026-11-05", "2026-11-01", "2026-11-05"],
  ])("“%s” names %s to %s", (question, from, to) => {
    expect(rangeOf(question)).toEqual([from, to])
  })
})

test.each(["", "???", "how may I help", "May I ask", "did I march along", "running 5 km", "order 12345-67"])(
  "“%s” names no period",
  (question) => {
    expect(namedDates(question, TODAY)).not.toHaveProperty("impossible")
    expect(rangeOf(question)).toBeUndefined()
  },
)

test.each(["30 February", "2026-02-30", "2025-02-29", "31 April 2026"])("no calendar has %s", (question) => {
  expect(namedDates(question, TODAY)).toMatchObject({ range: undefined, impossible: question })
})

test.each<[string, number[]]>([
  ["how are my Mondays", [1]],
  ["friday and saturday nights", [5, 6]],
  ["weekends", [6, 7]],
  ["sleep on weekdays in October", [1, 2, 3, 4, 5]],
  ["monday-ish mondayish sunk", [1]],
])("“%s” names the weekdays %j", (question, weekdays) => {
  expect(namedDates(question, TODAY).weekdays).toEqual(weekdays)
})

test("the words for dates are no words to look for", () => {
  expect(namedDates("running on Mondays in October", TODAY).rest.trim().split(/\s+/)).toEqual(["running", "on"])
})
