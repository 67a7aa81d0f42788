import { expect, test } from "vitest"
import { comparePeople } from "./insights/compare-people.ts"

const { INSIGHTS_SEED = "1", INSIGHTS_PEOPLE = "500" } = process.env

test("statistics of random people over random dates equal those that are computed independently", async () => {
  const { differences, unmet } = await comparePeople(Number(INSIGHTS_SEED), Number(INSIGHTS_PEOPLE))
  expect(differences).toEqual([])
  expect(unmet).toEqual([])
})
