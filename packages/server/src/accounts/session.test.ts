import { expect, test } from "vitest"
import { isFreshSession } from "./session.ts"

const NOW = new Date("2026-11-20T12:00:00Z")

test.each([
  ["a moment ago", -1_000, true],
  ["59 minutes ago", -59 * 60_000, true],
  ["an hour ago", -60 * 60_000, false],
  ["by a replica whose clock is half a minute ahead", 30_000, true],
  ["by a clock that was a year ahead", 366 * 86_400_000, false],
])("a sign-in %s", (_when, sinceMs, isFresh) => {
  const signedInAt = new Date(NOW.getTime() + sinceMs)
  expect(isFreshSession({ now: () => NOW }, { signedInAt })).toBe(isFresh)
})
