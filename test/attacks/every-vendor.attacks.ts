// `npm run test:attacks`: hostile items in the lists of every vendor, from the vendor to the page and the connector. ATTACK_SEED repeats a run.
import { VENDORS, type VendorName } from "@restwell/providers"
import { expect, test } from "vitest"
import { attackLists } from "./hostile-lists.ts"

const SEED = Number(process.env["ATTACK_SEED"] ?? 1)
const PEOPLE = 3
const NAMES = Object.keys(VENDORS).filter((name): name is VendorName => name in VENDORS)

test.each(NAMES)("hostile items of %s cost themselves alone, and everything is answered", async (provider) => {
  let cases = 0
  for (let person = 0; person < PEOPLE; person += 1) cases += await attackLists(provider, SEED * 1_000 + person)
  process.stdout.write(`${cases} hostile items of ${provider}\n`)
  expect(cases).toBeGreaterThan(PEOPLE * 15)
})
