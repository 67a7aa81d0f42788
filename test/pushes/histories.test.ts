import { startTestService, type TestService } from "@restwell/testing/service"
import fc from "fast-check"
import { afterAll, beforeAll, expect, test } from "vitest"
import { anyHistory, expectTrueHistory } from "./histories.ts"

/** Histories of the short form. `npm run test:attacks` runs 200. */
const HISTORIES = 2

let service: TestService
beforeAll(async () => {
  service = await startTestService({ now: new Date("2026-11-20T12:30:00Z"), isStill: true })
})
afterAll(() => service.close())

test("after any pushes, archives, moves and removals, days have the sums of their series, and what was removed left nothing", async () => {
  expect.hasAssertions()
  await fc.assert(
    fc.asyncProperty(anyHistory, (steps) => expectTrueHistory(service, steps)),
    { numRuns: HISTORIES, seed: 39, endOnFailure: true },
  )
})
