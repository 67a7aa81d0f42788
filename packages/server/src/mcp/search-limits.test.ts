import { describe, expect, test } from "vitest"
import { isBeyond, limitedMetric, namedLimit } from "./search-limits.ts"

describe("a limit in a question", () => {
  test.each<[string, string, number, string | undefined, boolean]>([
    ["nights under 7 hours", "below", 7, "h", false],
    ["slept less than 6", "below", 6, undefined, false],
    ["nights of at least 8 h", "above", 8, "h", true],
    ["recovery above 80 %", "above", 80, "%", false],
    ["HRV no more than 40 ms", "below", 40, "ms", true],
    ["days over 10,000 steps", "above", 10_000, "steps", false],
    ["days with more than 12k steps", "above", 12_000, "steps", false],
    ["runs longer than 10.5 km", "above", 10_500, "m", false],
    ["workouts under 30 minutes", "below", 0.5, "h", false],
    ["went to bed after 23:30", "above", 23 * 60 + 30, "clock", false],
    ["to bed after midnight", "above", 0, "clock", false],
    ["woke up before 6 am", "below", 360, "clock", false],
    ["asleep later than 11:15 pm", "above", 23 * 60 + 15, "clock", false],
  ])("“%s” is %s %d %s", (question, side, value, unit, isInclusive) => {
    expect(namedLimit(question)).toMatchObject({ side, value, unit, isInclusive })
  })

  test.each(["", "worst nights", "more than 3 days ago", "running in 2026", "over the moon", "nights under the stars"])(
    "“%s” has none",
    (question) => expect(namedLimit(question)).toBeUndefined(),
  )
})

describe("the metric of a limit", () => {
  const metricIn = (question: string) => {
    const limit = namedLimit(question)
    return limit && limitedMetric(limit)?.metric
  }
  test.each([
    ["nights under 7 hours", "asleep"],
    ["nights below 70 %", "sleep_performance"],
    ["nights with less than 60 minutes of deep sleep", "deep"],
    ["days over 10000 steps", "steps"],
    ["days with recovery under 33", "recovery_score"],
    ["resting heart rate over 60 bpm", "resting_heart_rate"],
    ["went to bed after midnight", "bedtime"],
    ["strain above 15", "strain"],
  ])("of “%s” is %s", (question, metric) => expect(metricIn(question)).toBe(metric))

  test.each(["nights under 40 ms", "days under 7 hours", "mood over 80", "heart rate over 150 bpm on days with rain"])(
    "of “%s” is none",
    (question) => expect(metricIn(question)).toBeUndefined(),
  )
})

test("a limit is strict, unless it says otherwise, and bedtimes go on after midnight", () => {
  const beyond = (question: string, metric: string, value: number | string) => {
    const limit = namedLimit(question)
    return limit && isBeyond(limit, metric, value)
  }
  expect([6.99, 7, 7.01].map((value) => beyond("under 7 hours", "asleep", value))).toEqual([true, false, false])
  expect([6.99, 7, 7.01].map((value) => beyond("at least 7 hours", "asleep", value))).toEqual([false, true, true])
  const late = ["22:50", "23:10", "00:40", "03:00"].map((time) => beyond("after 23:00", "bedtime", time))
  expect(late).toEqual([false, true, true, true])
  expect(["05:59", "06:00"].map((time) => beyond("before 06:00", "wake_time", time))).toEqual([true, false])
})
