import { expect, test } from "vitest"
import { comparePeople } from "./insights/compare-people.ts"

// The short form. `npm run test:insights-oracle` asks about 500 people, and demands that every case was met.
const PEOPLE = 15

test("statistics of random people over random dates equal those that are computed independently", async () => {
  const { differences } = await comparePeople(1, PEOPLE)
  expect(differences).toEqual([])
})
