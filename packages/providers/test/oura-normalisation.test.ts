// Rules that hold for every record Oura could send, not only for the fixtures.
import { CycleDataSchema, RecoveryDataSchema, SleepDataSchema, WorkoutDataSchema } from "@restwell/client"
import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { isStorableText, type Json, type NormalizedRecord } from "../src/index.ts"
import { readOuraRecords } from "../src/oura/normalize.ts"
import { anyOuraCycle, anyOuraRecovery, anyOuraSleep, anyOuraWorkout } from "./any-oura-record.ts"

const NOW = new Date("2026-11-19T12:00:00Z")
const KINDS = {
  sleep: { records: anyOuraSleep, schema: SleepDataSchema },
  recovery: { records: anyOuraRecovery, schema: RecoveryDataSchema.omit({ date: true }) },
  workout: { records: anyOuraWorkout, schema: WorkoutDataSchema },
  cycle: { records: anyOuraCycle, schema: CycleDataSchema.omit({ date: true }) },
} as const

describe.each(["sleep", "recovery", "workout", "cycle"] as const)("every %s of Oura", (kind) => {
  const { schema } = KINDS[kind]
  const records = KINDS[kind].records.filter((wire) => isStorable(wire))

  const everyRecord = (check: (record: NormalizedRecord, wire: Json) => void) =>
    fc.assert(
      fc.property(records, (wire) => {
        const page = readOuraRecords(kind, [wire], NOW)
        expect(page.rejected).toEqual([])
        for (const record of page.records) check(record, wire)
        return page.records.length === 1
      }),
    )

  test("normalises to data of the client's schema, and nothing beside it", () =>
    everyRecord((record) => expect(schema.strict().parse(record.data)).toEqual(record.data)))

  test("has no undefined and no null value, and no empty metrics", () =>
    everyRecord((record) => {
      const { raw: _raw, ...normalized } = record
      const leaves = leavesOf(normalized.kind === "cycle" ? { ...normalized, endedAt: "open or not" } : normalized)
      expect(leaves).not.toContain(undefined)
      expect(leaves).not.toContain(null)
      expect(record.data).not.toHaveProperty("metrics", {})
    }))

  test("keeps its payload as it was sent", () => everyRecord((record, wire) => expect(record.raw).toBe(wire)))

  test("is never pending when it is of the past", () =>
    everyRecord((record) => {
      // A recovery with a sleep is as old as its sleep, which these records take from any time.
      const createdAt = record.kind === "recovery" && record.sleepProviderId === undefined ? record.createdAt : NOW
      const end = record.kind === "recovery" ? createdAt : (record.endedAt ?? NOW)
      if (end.getTime() < NOW.getTime() - 2 * 86_400_000) expect(record.scoreState).not.toBe("pending")
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
