import { DAY_MS, HOUR_MS, MINUTE_MS } from "@restwell/client/time-units"
import { expect, test } from "vitest"
import { isFreshSession } from "./session.ts"

const NOW = new Date("2026-11-20T12:00:00Z")

test.each([
  ["a moment ago", -1_000, true],
  ["59 minutes ago", -59 * MINUTE_MS, true],
  ["an hour ago", -HOUR_MS, false],
  ["by a replica whose clock is half a minute ahead", 30_000, true],
  ["by a clock that was a year ahead", 366 * DAY_MS, false],
])("a sign-in %s", (_when, sinceMs, isFresh) => {
  const signedInAt = new Date(NOW.getTime() + sinceMs)
  expect(isFreshSession({ now: () => NOW }, { signedInAt })).toBe(isFresh)
})
