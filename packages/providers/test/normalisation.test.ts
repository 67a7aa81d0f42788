// Rules that hold for every record WHOOP could send, not only for the fixtures.
import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { type NormalizedRecord, RECORD_SCHEMAS } from "../src/index.ts"
import { readWhoopRecords } from "../src/whoop/normalize.ts"
import { anyCycle, anyRecovery, anySleep, anyWorkout, type WireRecord } from "./any-whoop-record.ts"

const KINDS = {
  sleep: anySleep,
  recovery: anyRecovery,
  workout: anyWorkout,
  cycle: anyCycle,
} as const

/** What a record without a score has. */
const WITHOUT_SCORE = [
  ...["kind", "providerId", "updatedMs", "scoreState", "startMs", "endMs", "createdMs", "utcOffsetMinutes"],
  ...["cycleProviderId", "sleepProviderId", "isNap", "durationMs", "sportType", "countsAsWorkout"],
]

describe.each(["sleep", "recovery", "workout", "cycle"] as const)("every %s", (kind) => {
  const records = KINDS[kind]

  const everyRecord = (check: (record: NormalizedRecord, wire: WireRecord) => void) =>
    fc.assert(
      fc.property(records, (wire) => {
        const page = readWhoopRecords(kind, [wire])
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

  test("carries values only when it is scored", () =>
    everyRecord((record, wire) => {
      expect(record.scoreState).toBe(
        { SCORED: wire["score"] ? "scored" : "pending", PENDING_SCORE: "pending", UNSCORABLE: "unscorable" }[
          wire.score_state
        ],
      )
      if (record.scoreState === "scored") return
      const { raw: _, ...fields } = record
      expect(Object.keys(fields).filter((field) => !WITHOUT_SCORE.includes(field))).toEqual([])
    }))

  test("keeps its payload as it was sent and its instants to the millisecond", () =>
    everyRecord((record, wire) => {
      expect(record.raw).toBe(wire)
      expect(record.updatedMs).toBe(Date.parse(wire.updated_at))
      if (!("startMs" in record)) return
      expect(record.startMs).toBe(Date.parse(String(wire["start"])))
      if (record.endMs !== null) expect(record.endMs).toBe(Date.parse(String(wire["end"])))
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
      expect(cycle).toMatchObject({ energyKcal: expect.closeTo(kilojoule / 4.184, 6) })
    }),
  ))

function leavesOf(value: unknown): unknown[] {
  if (typeof value !== "object" || value === null || value instanceof Date) return [value]
  return Object.values(value).flatMap(leavesOf)
}
