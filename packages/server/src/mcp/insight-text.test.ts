import type { AnswerRelationResponse } from "@restwell/client"
import { expect, test } from "vitest"
import { relateText } from "./insight-text.ts"

const SOURCE = { provider: "whoop", status: "ok", last_synced_at: null } as const

test("the relation of the same morning has its own counts", () => {
  const answer: AnswerRelationResponse = {
    outcome: "hrv",
    factor: "journal:alcohol",
    lag: 1,
    period: { start_date: "2026-08-13", end_date: "2026-11-20", days: 100 },
    n: 60,
    unanswered: 40,
    yes: { n: 9, mean: 50, sd: 8 },
    no: { n: 51, mean: 60, sd: 8 },
    difference: -9.5,
    interval: [-14, -5],
    verdict: "lower",
    lag_0: { yes_n: 7, no_n: 50, difference: -20, interval: null, verdict: "not_enough_data" },
    part_of_outcome: false,
    source: SOURCE,
    notes: [],
    sources: [SOURCE],
  }
  const text = relateText(answer, { units: "metric", clock: "24h", first_weekday: "monday" })
  expect(text).toContain(
    "Lag 0, the morning after: too few dates with one of the answers to judge (7 yes, 50 no, 8 of each needed)",
  )
})
