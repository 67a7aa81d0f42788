import { expect, test } from "vitest"
import { nearestMetric } from "./query.ts"
import {
  answerRelationText,
  comparisonVerdictText,
  numberRelationText,
  trendVerdictText,
  weekdayVerdictText,
} from "./verdict-text.ts"

const period = { start_date: "2026-08-23", end_date: "2026-11-20", days: 90 }
const side = (n: number) => ({ ...period, n, missing: 0, mean: 1, median: 1, sd: 1 })

test.each([
  ["number", "rising", 80, "rising"],
  ["clock", "rising", 80, "getting later"],
  ["clock", "falling", 80, "getting earlier"],
  ["yes_no", "rising", 80, "yes more and more often"],
  ["number", "no_clear_change", 80, "no clear change"],
  ["number", "not_enough_data", 13, "too few values to judge a trend (13, 14 needed); mean and range are valid"],
  [
    "number",
    "not_enough_data",
    20,
    "values on too few dates to judge a trend (20 of 90, half needed); mean and range are valid",
  ],
  ["number", "not_enough_data", 0, "too few values to judge a trend (0, 14 needed)"],
] as const)("a trend of a %s that is %s over %d values: %s", (kind, verdict, n, text) => {
  expect(trendVerdictText(kind, { verdict, n, period })).toBe(text)
})

test.each([
  ["number", "higher", 28, "higher than in the other period"],
  ["clock", "lower", 28, "earlier than in the other period"],
  ["yes_no", "higher", 28, "yes more often than in the other period"],
  ["number", "no_clear_difference", 28, "no clear difference between the periods"],
  ["number", "not_enough_data", 4, "too few values to compare the periods (4 and 30, 5 of each needed)"],
] as const)("a comparison of a %s that is %s: %s", (kind, verdict, n, text) => {
  expect(comparisonVerdictText(kind, { verdict, period: side(n), with: side(30) })).toBe(text)
})

const RECOVERY = { title: "Recovery", kind: "number" } as const
const BEDTIME = { title: "Bedtime", kind: "clock" } as const

test("relations say which way the two go, and never that one causes the other", () => {
  expect(
    numberRelationText(RECOVERY, { title: "Strain", kind: "number" }, { verdict: "negative", n: 90, lag: 1 }),
  ).toBe("more strain goes with a lower recovery, the next day")
  expect(numberRelationText(BEDTIME, BEDTIME, { verdict: "positive", n: 90, lag: 0 })).toBe(
    "a later bedtime goes with a later bedtime",
  )
  expect(numberRelationText(RECOVERY, BEDTIME, { verdict: "not_enough_data", n: 9, lag: 0 })).toBe(
    "too few dates with both figures to judge (9, 20 needed)",
  )
})

test("answers say which dates differ, or which are too few", () => {
  const counts = { yes: { n: 20, mean: 1 }, no: { n: 40, mean: 1 } }
  expect(answerRelationText(RECOVERY, { ...counts, verdict: "lower" })).toBe("lower on dates with yes")
  expect(answerRelationText(BEDTIME, { ...counts, verdict: "higher" })).toBe("later on dates with yes")
  expect(answerRelationText(RECOVERY, { ...counts, verdict: "not_enough_data" })).toContain("follows from the weekday")
  expect(answerRelationText(RECOVERY, { ...counts, yes: { n: 3 }, verdict: "not_enough_data" })).toBe(
    "too few dates with one of the answers to judge (3 yes, 40 no, 8 of each needed)",
  )
})

test("a weekday is named only where it clearly differs", () => {
  expect(weekdayVerdictText("clock", { verdict: "higher" })).toBe("later than on other days")
  expect(weekdayVerdictText("number", { verdict: "no_clear_difference" })).toBeUndefined()
})

test.each([
  ["hvr", "hrv"],
  ["HRV", "hrv"],
  ["bed_time", "bedtime"],
  ["Resting heart rate", "resting_heart_rate"],
  ["alcohol", "journal:alcohol"],
  ["journal:alchohol", "journal:alcohol"],
  ["strian", "strain"],
  ["happiness", undefined],
])("%s may stand for %s", (name, meant) => {
  expect(nearestMetric(name)).toBe(meant)
})
