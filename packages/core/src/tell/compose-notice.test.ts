import { expect, test } from "vitest"
import { type ArrivedHistory, composeSummary } from "./compose-notice.ts"

const whoop: ArrivedHistory = { provider: "whoop", count: 900, first: "2024-01-02", last: "2026-11-20", isLive: true }
const garmin: ArrivedHistory = { ...whoop, provider: "garmin", count: 1, first: null, last: null, isLive: false }
const withings: ArrivedHistory = { ...garmin, provider: "withings", count: 0, isLive: true }

const NIGHTS = "900 nights from WHOOP, from January 2, 2024 to November 20, 2026."

test.each([
  [[whoop], "WHOOP", [NIGHTS, "From now on you are told of each new night."]],
  [[garmin], "Garmin", ["1 night from Garmin."]],
  [[withings], "Withings", ["The records from Withings have no nights."]],
  [
    [garmin, whoop, withings],
    "Garmin, WHOOP, and Withings",
    [
      "1 night from Garmin.",
      NIGHTS,
      "The records from Withings have no nights.",
      "From now on you are told of each new night from WHOOP.",
    ],
  ],
] as const)("what has arrived is told in one message: %j", (histories, names, lines) => {
  expect(composeSummary(histories)).toMatchObject({ title: `Your history from ${names} is here`, lines })
})
