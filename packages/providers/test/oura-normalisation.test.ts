// Rules that hold for every record Oura could send, not only for the fixtures.
import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { isStorableText, type Json, type NormalizedRecord, RECORD_SCHEMAS } from "../src/index.ts"
import { readOuraRecords } from "../src/oura/normalize.ts"
import { anyOuraCycle, anyOuraRecovery, anyOuraSleep, anyOuraWorkout } from "./any-oura-record.ts"

const NOW = new Date("2026-11-19T12:00:00Z")
const KINDS = {
  sleep: anyOuraSleep,
  recovery: anyOuraRecovery,
  workout: anyOuraWorkout,
  cycle: anyOuraCycle,
} as const

describe.each(["sleep", "recovery", "workout", "cycle"] as const)("every %s of Oura", (kind) => {
  const records = KINDS[kind].filter((wire) => isStorable(wire))

  const everyRecord = (check: (record: NormalizedRecord, wire: Json) => void) =>
    fc.assert(
      fc.property(records, (wire) => {
        const page = readOuraRecords(kind, [wire], NOW)
        expect(page.rejected).toEqual([])
        for (const record of page.records) check(record, wire)
        return page.records.length === 1
      }),
    )

  test("normalises to a record of its kind's schema, and nothing beside it", () =>
    everyRecord(({ raw: _, ...record }) => {
      const { samples: __, ...fields } = { samples: [], ...record }
      expect(RECORD_SCHEMAS[kind].strict().parse(fields)).toEqual(fields)
    }))

  test("has no undefined and no null value", () =>
    everyRecord((record) => {
      const { raw: _raw, ...normalized } = record
      const leaves = leavesOf(normalized.kind === "cycle" ? { ...normalized, endMs: "open or not" } : normalized)
      expect(leaves).not.toContain(undefined)
      expect(leaves).not.toContain(null)
    }))

  test("keeps its payload as it was sent", () => everyRecord((record, wire) => expect(record.raw).toBe(wire)))

  test("is never pending when it is of the past", () =>
    everyRecord((record) => {
      // A recovery with a sleep is as old as its sleep, which these records take from any time.
      const nowMs = NOW.getTime()
      const createdMs = record.kind === "recovery" && record.sleepProviderId === undefined ? record.createdMs : nowMs
      const endMs = record.kind === "recovery" ? createdMs : (record.endMs ?? nowMs)
      if (endMs < nowMs - 2 * 86_400_000) expect(record.scoreState).not.toBe("pending")
    }))

  test("is set aside and never thrown when a document turns into anything else", () =>
    fc.assert(
      fc.property(records, fc.nat(), fc.jsonValue(), (wire, which, value) => {
        const keys = Object.keys(wire)
        const strange = { ...wire, [keys[which % keys.length] ?? "sleep"]: JSON.parse(JSON.stringify(value)) }
        const page = readOuraRecords(kind, [strange, wire], NOW)
        expect(page.records.length + page.rejected.length).toBe(2)
        expect(page.records.at(-1)?.raw).toBe(wire)
        for (const { reason } of page.rejected) expect(reason).toMatch(/^[a-z_.0-9]+: /)
      }),
    ))
})

/** Records with other texts are set aside before they are read. */
function isStorable(value: unknown): boolean {
  if (typeof value === "string") return isStorableText(value)
  if (typeof value !== "object" || value === null) return true
  return Object.entries(value).every(([key, inner]) => isStorableText(key) && isStorable(inner))
}

function leavesOf(value: unknown): unknown[] {
  if (typeof value !== "object" || value === null || value instanceof Date) return [value]
  return Object.values(value).flatMap(leavesOf)
}
