import { describe, expect, test } from "vitest"
import { sportIn, topicIn, wordsOf } from "./search-words.ts"

describe("a topic of the journal", () => {
  test.each([
    ["when was I sick", "sick", true],
    ["when was I ill?", "sick", true],
    ["days with alcohol", "alcohol", true],
    ["when did I drink coffee", "caffeine", true],
    ["when did I drink", "alcohol", true],
    ["late meals", "late_meal", true],
    ["when was I stressed", "stress", true],
    ["days without alcohol", "alcohol", false],
    ["alcohol-free days", "alcohol", false],
    ["when did I not drink alcohol", "alcohol", false],
  ])("of “%s” is %s, answered %s", (question, factor, answer) => {
    expect(topicIn(question)).toEqual({ factor, answer })
  })

  test.each([
    "",
    "how did I sleep",
    "blood pressure",
    "sick friends of mine",
    "alcohol and recovery",
    "running",
    "water polo",
  ])("of “%s” is none", (question) => expect(topicIn(question)).toBeUndefined())
})

test.each<[string, string | null | undefined]>([
  ["longest run".replace("longest", ""), "running"],
  ["rides", "cycling"],
  ["I swam", "swimming"],
  ["tennis", "tennis"],
  ["workouts", null],
  ["training sessions", null],
  ["strength training", "strength"],
  ["sleep streak", undefined],
  ["strain", undefined],
  ["", undefined],
])("“%s” is about the sport %s", (question, sport) => expect(sportIn(question)).toBe(sport))

test("words of questions are those of titles, and words that say nothing are left out", () => {
  expect(wordsOf("How were my runs and nights?")).toEqual(["running", "sleep"])
  expect(wordsOf("how did I sleep badly")).toEqual(["sleep", "badly"])
})
