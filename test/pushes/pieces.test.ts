// A push that is stored in several pieces stores what it would store in one.
import { startTestService, type TestService } from "@restwell/testing/service"
import { afterAll, beforeAll, expect, test } from "vitest"
import { countingPerson } from "./counted-days.ts"
import { pushed } from "./pusher.ts"

let service: TestService
beforeAll(async () => {
  service = await startTestService({ now: new Date("2026-11-20T12:30:00Z"), isStill: true })
})
afterAll(() => service.close())

const MIDNIGHT = Date.parse("2026-11-17T00:00:00Z")
const DAY_MS = 86_400_000

/** Steps of a moment. */
const steps = (ms: number, value: number, id?: string) => ({
  type: "steps",
  start: new Date(ms).toISOString(),
  value,
  source: "Watch",
  ...(id !== undefined && { id }),
})

test("counts that begin together are all added up in a day that is stored in several pieces, and a repeat adds nothing", async () => {
  const { token, sums } = await countingPerson(service)
  const moments = Array.from({ length: 7_001 }, (_, index) => MIDNIGHT + index * 10_000)
  const records = [1, 2, 3].flatMap((value) => moments.map((ms) => steps(ms, value)))
  expect(await pushed(service, { records }, { token, isZipped: true })).toEqual({
    stored: 21_003,
    unchanged: 0,
    ignored: [],
  })
  expect(await sums()).toEqual({ "2026-11-17": 42_006 })
  expect(await pushed(service, { records: records.toReversed() }, { token, isZipped: true })).toEqual({
    stored: 0,
    unchanged: 21_003,
    ignored: [],
  })
  expect(await sums()).toEqual({ "2026-11-17": 42_006 })
})

test("of a row with an id that comes twice the last one is stored, however far apart its versions are", async () => {
  const { token, sums } = await countingPerson(service)
  const between = Array.from({ length: 20_001 }, (_, index) => steps(MIDNIGHT - DAY_MS + index * 3_000, 1))
  const records = [
    steps(MIDNIGHT + 3_600_000, 500, "a"),
    ...between,
    steps(MIDNIGHT - 2 * DAY_MS + 36_000_000, 70, "a"),
  ]
  expect(await pushed(service, { records }, { token, isZipped: true })).toMatchObject({ ignored: [] })
  expect(await sums()).toEqual({ "2026-11-15": 70, "2026-11-16": 20_001 })
})
