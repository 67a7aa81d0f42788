import type { NormalizedRecovery } from "@restwell/providers"
import { expect, test } from "vitest"
import { withoutFuture } from "./record-dates.ts"

const recoveryOf = (date: string): NormalizedRecovery => ({
  kind: "recovery",
  providerId: date,
  updatedMs: 0,
  scoreState: "scored",
  raw: {},
  createdMs: Date.parse(`${date}T12:00:00Z`),
  hrvMs: 62,
})

const keptOf = (date: string, fetchedAt: string): number =>
  withoutFuture({ records: [recoveryOf(date)], rejected: [] }, new Date(fetchedAt)).records.length

test("a recovery of a date alone is none of the future as soon as its date has begun anywhere", () => {
  // 00:10 in Auckland, and 00:00 on the first islands of the date.
  expect(keptOf("2026-11-21", "2026-11-20T11:10:00Z")).toBe(1)
  expect(keptOf("2026-11-21", "2026-11-20T10:00:00Z")).toBe(1)
  expect(keptOf("2026-11-22", "2026-11-20T11:10:00Z")).toBe(0)
})
