// Rules that hold for every record WHOOP could send, not only for the fixtures.
import { CycleDataSchema, RecoveryDataSchema, SleepDataSchema, WorkoutDataSchema } from "@restwell/client"
import fc from "fast-check"
import { describe, expect, test } from "vitest"
import type { NormalizedRecord } from "../src/index.ts"
import { readWhoopRecords } from "../src/whoop/normalize.ts"
import { anyCycle, anyRecovery, anySleep, anyWorkout, type WireRecord } from "./any-whoop-record.ts"

const KINDS = {
  sleep: { records: anySleep, schema: SleepDataSchema },
  recovery: { records: anyRecovery, schema: RecoveryDataSchema.omit({ date: true }) },
  workout: { records: anyWorkout, schema: WorkoutDataSchema },
  cycle: { records: anyCycle, schema: CycleDataSchema.omit({ date: true }) },
} as const

describe.each(["sleep", "recovery", "workout", "cycle"] as const)("every %s", (kind) => {
  const { records, schema } = KINDS[kind]

  const everyRecord = (check: (record: NormalizedRecord, wire: WireRecord) => void) =>
    fc.assert(
      fc.property(records, (wire) => {
        const page = readWhoopRecords(kind, [wire])
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

  test("carries values only when it is scored", () =>
    everyRecord((record, wire) => {
      expect(record.scoreState).toBe(
        { SCORED: wire["score"] ? "scored" : "pending", PENDING_SCORE: "pending", UNSCORABLE: "unscorable" }[
          wire.score_state
        ],
      )
      if (record.scoreState === "scored") return
      for (const key of ["score", "strain", "stages", "metrics"]) expect(record.data).not.toHaveProperty(key)
      for (const key of ["zones", "consistencyPercent", "needMs", "needParts", "skinTempCelsius"])
        expect(record).not.toHaveProperty(key)
    }))

  test("keeps its payload as it was sent and its instants to the millisecond", () =>
    everyRecord((record, wire) => {
      expect(record.raw).toBe(wire)
      expect(record.updatedAt.getTime()).toBe(Date.parse(wire.updated_at))
      if (!("startedAt" in record)) return
      expect(record.data).toMatchObject({ start: record.startedAt.toISOString() })
      expect(record.startedAt.getTime()).toBe(Date.parse(String(wire["start"])))
      if (record.endedAt) expect(record.data).toMatchObject({ end: record.endedAt.toISOString() })
    }))

  test("is the same whatever page it comes on", () =>
    fc.assert(
      fc.property(fc.array(records, { maxLength: 6 }), fc.nat(6), (wires, cut) => {
        const apart = [wires.slice(0, cut), wires.slice(cut)]
          .toReversed()
          .map((page) => readWhoopRecords(kind, page).records)
        expect(apart.toReversed().flat()).toEqual(readWhoopRecords(kind, wires).records)
      }),
    ))

  test("is set aside and never thrown when a field turns into anything else", () =>
    fc.assert(
      fc.property(records, fc.nat(), fc.jsonValue(), (wire, which, value) => {
        const keys = Object.keys(wire)
        const strange = { ...wire, [keys[which % keys.length] ?? "id"]: JSON.parse(JSON.stringify(value)) }
        const page = readWhoopRecords(kind, [strange, wire])
        expect(page.records.length + page.rejected.length).toBe(2)
        expect(page.records.at(-1)?.raw).toBe(wire)
        for (const { reason } of page.rejected) expect(reason).toMatch(/^[a-z_.0-9]+: /)
      }),
    ))
})

test("energy is kilojoules over 4.184, whatever a person can burn in a day", () =>
  fc.assert(
    fc.property(anyCycle, fc.double({ min: 0, max: 80_000, noNaN: true }), (wire, kilojoule) => {
      const [cycle] = readWhoopRecords("cycle", [{ ...wire, score_state: "SCORED", score: { kilojoule } }]).records
      expect(cycle?.data).toMatchObject({ metrics: { calories: expect.closeTo(kilojoule / 4.184, 6) } })
    }),
  ))

function leavesOf(value: unknown): unknown[] {
  if (typeof value !== "object" || value === null || value instanceof Date) return [value]
  return Object.values(value).flatMap(leavesOf)
}
