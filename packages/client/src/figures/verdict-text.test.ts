import { expect, test } from "vitest"
import { nearestMetric } from "../rest/query.ts"
import { metricNamed } from "./metric-table.ts"
import {
  answerRelationText,
  comparisonVerdictText,
  numberRelationText,
  sourcesVerdictText,
  trendVerdictText,
  weekdayVerdictText,
} from "./verdict-text.ts"

const period = { start_date: "2026-08-23", end_date: "2026-11-20", days: 90 }
const side = (n: number) => ({ ...period, n, missing: 0, mean: 1, median: 1, sd: 1 })

test.each([
  ["hrv", "rising", 80, "rising"],
  ["bedtime", "rising", 80, "getting later"],
  ["wake_time", "falling", 80, "getting earlier"],
  ["journal:alcohol", "rising", 80, "yes more and more often"],
  ["strain", "no_clear_change", 80, "no clear change"],
  ["hrv", "not_enough_data", 13, "too few values to judge a trend (13, 14 needed); mean and range are valid"],
  [
    "hrv",
    "not_enough_data",
    20,
    "values on too few dates to judge a trend (20 of 50, half needed); mean and range are valid",
  ],
  ["hrv", "not_enough_data", 0, "too few values to judge a trend (0, 14 needed)"],
] as const)("a trend of a %s that is %s over %d values: %s", (id, verdict, n, text) => {
  expect(trendVerdictText(metricNamed(id), { verdict, n, missing: 30 })).toBe(text)
})

test.each([
  ["recovery_score", "higher", 28, "higher than in the other period"],
  ["asleep", "higher", 28, "more than in the other period"],
  ["steps", "lower", 28, "less than in the other period"],
  ["weight", "higher", 28, "higher than in the other period"],
  ["midsleep", "lower", 28, "earlier than in the other period"],
  ["journal:late_meal", "higher", 28, "yes more often than in the other period"],
  ["strain", "no_clear_difference", 28, "no clear difference between the periods"],
  ["spo2", "not_enough_data", 30, "values that are always the same, so nothing says how much they vary"],
  ["hrv", "not_enough_data", 4, "too few values to compare the periods (4 and 30, 5 of each needed)"],
] as const)("a comparison of a %s that is %s: %s", (id, verdict, n, text) => {
  expect(comparisonVerdictText(metricNamed(id), { verdict, period: side(n), with: side(30) })).toBe(text)
})

test.each([
  ["hrv", "higher", 30, "garmin is higher than whoop"],
  ["bedtime", "lower", 30, "garmin is earlier than whoop"],
  ["hrv", "no_clear_difference", 30, "no clear difference between garmin and whoop"],
  ["hrv", "not_enough_data", 3, "too few dates with a value of both garmin and whoop (3, 5 needed)"],
  [
    "hrv",
    "not_enough_data",
    30,
    "garmin minus whoop: values that are always the same, so nothing says how much they vary",
  ],
] as const)("two sources of a %s that are %s on %i dates: %s", (id, verdict, n, text) => {
  const compared = { verdict, comparable: true, period: side(n), with: side(n) }
  expect(sourcesVerdictText(metricNamed(id), compared, ["garmin", "whoop"])).toBe(text)
})

test.each([0, 3, 30])("two sources on different scales have no difference, also on %i dates", (n) => {
  const compared = { verdict: "not_enough_data", comparable: false, period: side(n), with: side(n) } as const
  expect(sourcesVerdictText(metricNamed("hrv"), compared, ["garmin", "whoop"])).toBe(
    "garmin and whoop are not on one scale, so they have no difference",
  )
})

const RECOVERY = metricNamed("recovery_score")
const BEDTIME = metricNamed("bedtime")

test("relations say which way the two go, and never that one causes the other", () => {
  expect(numberRelationText(RECOVERY, metricNamed("strain"), { verdict: "negative", n: 90, lag: 1 })).toBe(
    "more strain goes with a lower recovery, the next day",
  )
  expect(numberRelationText(BEDTIME, BEDTIME, { verdict: "positive", n: 90, lag: 0 })).toBe(
    "a later bedtime goes with a later bedtime",
  )
  const [asleep, pulse] = [metricNamed("asleep"), metricNamed("resting_heart_rate")]
  expect(numberRelationText(asleep, pulse, { verdict: "negative", n: 90, lag: 0 })).toBe(
    "a higher resting heart rate goes with less time asleep",
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
  expect(weekdayVerdictText(BEDTIME, { verdict: "higher" })).toBe("later than on other days")
  expect(weekdayVerdictText(RECOVERY, { verdict: "no_clear_difference" })).toBeUndefined()
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
