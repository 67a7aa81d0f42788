import { expect, test } from "vitest"
import { missingRuns } from "./missing-runs.ts"

const entry = (date: string, kind: "sleep" | "workout", reason = `WHOOP does not allow ${kind}`) => ({
  date,
  kind,
  reason,
  source: "whoop",
})

test("dates that follow each other with one reason are one sentence, and nothing is no sentence", () => {
  expect(missingRuns([])).toEqual([])
  expect(
    missingRuns([
      entry("2026-03-02", "sleep"),
      entry("2026-03-02", "workout"),
      entry("2026-03-01", "sleep"),
      entry("2026-02-28", "sleep"),
      entry("2026-02-26", "sleep"),
      entry("2026-02-25", "sleep", "another reason"),
    ]),
  ).toEqual([
    "sleep of 2026-02-28 to 2026-03-02: WHOOP does not allow sleep",
    "sleep of 2026-02-26: WHOOP does not allow sleep",
    "workout of 2026-03-02: WHOOP does not allow workout",
    "sleep of 2026-02-25: another reason",
  ])
})
