import { expect, test } from "vitest"
import { DAY_MS } from "../../model/calendar.ts"
import { People } from "../../world/people.ts"
import { createMemberRecords } from "./person-records.ts"

const NOW_MS = Date.parse("2026-11-20T12:00:00Z")
const DAYS = 300

/** The most days in a row without a night, over twenty drawn people. */
function longestGap(wearsAlways: boolean): number {
  const people = new People({ seed: "gaps", nowMs: () => NOW_MS, days: DAYS, fromMs: undefined, wearsAlways })
  const recordsOf = createMemberRecords(people, () => NOW_MS)
  const gaps = people.addMany(20).flatMap((person) => {
    const ends = recordsOf(person)
      .sleeps.visibleAt(NOW_MS)
      .flatMap(({ body }) => (body.nap ? [] : [Date.parse(body.end)]))
      .toReversed()
    return ends.slice(1).map((end, index) => (end - (ends[index] ?? end)) / DAY_MS)
  })
  return Math.max(...gaps)
}

test("drawn people have gaps of days without a night, unless wearsAlways is set", () => {
  expect(longestGap(false)).toBeGreaterThan(7)
  expect(longestGap(true)).toBeLessThan(3)
})
