import { describe, expect, test } from "vitest"
import { readQuery } from "./search-query.ts"

/** A Sunday. */
const TODAY = "2026-11-22"

const meaningOf = (query: string) => {
  const meaning = readQuery(query, TODAY)
  if (!meaning || "impossible" in meaning) throw new Error(`“${query}” was not understood`)
  return meaning
}

test.each([
  ["2026-11-03", "2026-11-03", "2026-11-03"],
  ["what was on 2026-11-03?", "2026-11-03", "2026-11-03"],
  ["2026-11-01 to 2026-11-05", "2026-11-01", "2026-11-05"],
  ["2026-02", "2026-02-01", "2026-02-28"],
  ["2025-11 until 2026-01", "2025-11-01", "2026-01-31"],
  ["sleep in 2025", "2025-01-01", "2025-12-31"],
  ["how was my March", "2026-03-01", "2026-03-31"],
  ["sleep from 2026-11-01 to 2026-11-07", "2026-11-01", "2026-11-07"],
  ["sleep between 2026-11-01 and 2026-11-07", "2026-11-01", "2026-11-07"],
  ["yesterday's sleep", "2026-11-21", "2026-11-21"],
  ["how did I sleep on November 3", "2026-11-03", "2026-11-03"],
  ["3rd of November 2025", "2025-11-03", "2025-11-03"],
  ["December 24th", "2025-12-24", "2025-12-24"],
  ["November 23", "2025-11-23", "2025-11-23"],
  ["December", "2025-12-01", "2025-12-31"],
  ["may?", "2026-05-01", "2026-05-31"],
  ["March 2024", "2024-03-01", "2024-03-31"],
  ["February 2024", "2024-02-01", "2024-02-29"],
  ["last night", "2026-11-22", "2026-11-22"],
  ["today", "2026-11-22", "2026-11-22"],
  ["how was I this morning", "2026-11-22", "2026-11-22"],
  ["how did I sleep yesterday?", "2026-11-21", "2026-11-21"],
  ["my sleep this week", "2026-11-16", "2026-11-22"],
  ["recovery this month", "2026-11-01", "2026-11-22"],
  ["this year", "2026-01-01", "2026-11-22"],
  ["the last 10 nights", "2026-11-13", "2026-11-22"],
  ["past 2 weeks", "2026-11-09", "2026-11-22"],
  ["last month", "2026-10-23", "2026-11-22"],
])("“%s” names %s to %s", (query, from, to) => {
  expect(meaningOf(query)).toMatchObject({ range: { from, to }, subject: { kind: "days" } })
})

test.each(["2026-02-30", "2025-02-29", "2026-13", "2026-00-10", "2026-11-00"])("no calendar has %s", (query) => {
  expect(readQuery(`sleep on ${query}`, TODAY)).toEqual({ impossible: query })
})

test.each<[string, number[]]>([
  ["how are my Mondays", [1]],
  ["friday and saturday nights", [5, 6]],
  ["weekends in October", [6, 7]],
])("“%s” names the weekdays %j", (query, weekdays) => {
  expect(meaningOf(query)).toMatchObject({ weekdays, subject: { kind: "days" } })
})

test.each([
  ["worst nights", "sleep_performance", "lowest"],
  ["best sleep score", "sleep_performance", "highest"],
  ["my best sleep in 2026", "sleep_performance", "highest"],
  ["best recovery", "recovery_score", "highest"],
  ["lowest HRV", "hrv", "lowest"],
  ["best resting heart rate", "resting_heart_rate", "lowest"],
  ["worst resting heart rate ever", "resting_heart_rate", "highest"],
  ["longest night", "asleep", "highest"],
  ["latest bedtime", "bedtime", "highest"],
  ["most deep sleep", "deep", "highest"],
  ["worst days", "recovery_score", "lowest"],
])("“%s” wants the days by %s, %s", (query, metric, side) => {
  expect(meaningOf(query).subject).toMatchObject({ kind: "extreme", metrics: expect.arrayContaining([metric]), side })
})

describe("workouts", () => {
  test.each<[string, string | null, boolean]>([
    ["running", "running", false],
    ["how were my running days?", "running", false],
    ["rides", "cycling", false],
    ["I swam", "swimming", false],
    ["tennis", "tennis", false],
    ["strength training in October", "strength", false],
    ["workouts", null, false],
    ["longest run", "running", true],
    ["longest workout ever", null, true],
    // The name of a property of every object is a word like others.
    ["constructor strain", "constructor-strain", false],
  ])("“%s” are of the sport %s, the longest: %s", (query, sport, isLongest) => {
    expect(meaningOf(query).subject).toEqual({ kind: "workouts", sport, isLongest })
  })
})

describe("topics of the journal", () => {
  test.each<[string, string, boolean]>([
    ["when was I sick", "sick", true],
    ["days with alcohol", "alcohol", true],
    ["when did I drink coffee", "caffeine", true],
    ["when did I drink", "alcohol", true],
    ["late meals", "late_meal", true],
    ["days without alcohol", "alcohol", false],
    ["alcohol-free days", "alcohol", false],
    ["when did I not drink alcohol", "alcohol", false],
  ])("“%s” is about %s, answered %s", (query, factor, answer) => {
    expect(meaningOf(query).subject).toEqual({ kind: "topic", factor, answer })
  })
})

test.each(["", "???", "the and for", "🦥"])("“%s” asks for nothing", (query) => {
  expect(readQuery(query, TODAY)).toBeUndefined()
})

test.each([
  ["latest workouts", null],
  ["latest workout", null],
  ["latest training", null],
  ["most recent workouts", null],
  ["my last run", "running"],
  ["newest rides", "cycling"],
])("“%s” are workouts, which are newest first anyway", (query, sport) => {
  expect(meaningOf(query).subject).toEqual({ kind: "workouts", sport, isLongest: false })
})

test.each(["last Monday", "the latest Mondays"])("“%s” is Mondays", (query) => {
  expect(meaningOf(query)).toEqual({ range: undefined, weekdays: [1], subject: { kind: "days", isNamed: true } })
})
