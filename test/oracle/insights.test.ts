import { expect, test } from "vitest"
import { comparePeople } from "./insights/compare-people.ts"

// The short form. `npm run test:insights-oracle` asks about 500 people, and demands that every case was met.
const PEOPLE = 8

test("statistics of random people over random dates equal those that are computed independently", async () => {
  const { differences } = await comparePeople(1, PEOPLE)
  expect(differences).toEqual([])
}, 300_000)

test("measurements of a question's first morning count, which is on the UTC day before it", async () => {
  // A person in the east, with a measurement on the first date that the running median of a relation looks at.
  const { differences } = await comparePeople(44, 1)
  expect(differences).toEqual([])
})

test("a nap that is a part of the next date's night makes its own date one without a workout, also among all factors", async () => {
  const { differences } = await comparePeople(180, 1)
  expect(differences).toEqual([])
})

test("steps that one device counts by the minute are not mixed with those of the days of another", async () => {
  const { differences } = await comparePeople(375, 1)
  expect(differences).toEqual([])
})

test("weekends and working days that are all equal have no verdict", async () => {
  const { differences } = await comparePeople(396, 1)
  expect(differences).toEqual([])
})
