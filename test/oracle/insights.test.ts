import { expect, test } from "vitest"
import { compareAnswers, comparePeople } from "./insights/compare-people.ts"
import type { Question } from "./insights/question.ts"

// The short form. `npm run test:insights-oracle` asks about 500 people, and demands that every case was met.
const PEOPLE = 8

test("statistics of random people over random dates equal those that are computed independently", async () => {
  const { differences } = await comparePeople(1, PEOPLE)
  expect(differences).toEqual([])
}, 300_000)

test.each<[string, number, Question]>([
  // A person in the east, with a measurement on the first date that the running median of a relation looks at.
  [
    "measurements of a question's first morning count, which is on the UTC day before it",
    44,
    { path: "relate", query: { outcome: "bedtime" } },
  ],
  [
    "a nap that is a part of the next date's night makes its own date one without a workout, also among all factors",
    180,
    { path: "relate", query: { outcome: "awake", days: "585" } },
  ],
  [
    "steps that one device counts by the minute are not mixed with those of the days of another",
    375,
    { path: "relate", query: { outcome: "wake_time", lag: "1" } },
  ],
  [
    "weekends and working days that are all equal have no verdict",
    396,
    { path: "trend", query: { metric: "workout_count", days: "30", source: "oura", by: "weekend" } },
  ],
])("%s", async (_, seed, question) => {
  expect(await compareAnswers(seed, [question])).toEqual([])
})
