// `npm run test:attacks`: random histories of pushes, archives, time zones and removals. ATTACK_SEED repeats a run.
import { startTestService } from "@restwell/testing/service"
import fc from "fast-check"
import { expect, test } from "vitest"
import { anyHistory, expectTrueHistory } from "../pushes/histories.ts"

const SEED = Number(process.env["ATTACK_SEED"] ?? 1)
const HISTORIES = 20

test(`after ${HISTORIES} histories days have the sums of their series, and what was removed left nothing`, async () => {
  expect.hasAssertions()
  const service = await startTestService({ now: new Date("2026-11-20T12:30:00Z"), isStill: true })
  await fc.assert(
    fc.asyncProperty(anyHistory, (steps) => expectTrueHistory(service, steps)),
    { numRuns: HISTORIES, seed: SEED },
  )
  await service.close()
})
