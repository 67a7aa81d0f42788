import { expect, test } from "vitest"
import { fixturesOf } from "../../test/fixtures.ts"
import { FIELDS } from "./api.ts"
import { OURA_COVERAGE, OURA_SERIES } from "./coverage.ts"
import { normalizeProfile, readOuraRecords } from "./normalize.ts"
import { OuraPersonalInfoSchema } from "./wire.ts"

const { readFixture } = fixturesOf("oura")

const NOW = new Date("2026-11-22T12:00:00Z")
const next = { id: "next", timestamp: "2026-11-22T04:00:00.000+01:00" }

/** A record of each kind with everything Oura can send. */
function fullRecord(kind: (typeof OURA_COVERAGE)[number]["kind"]) {
  if (kind === "profile") return normalizeProfile(OuraPersonalInfoSchema.parse(readFixture("personal_info")), null)
  const parts = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, readFixture(name)]))
  const raw = {
    sleep: parts(["sleep", "daily_sleep", "daily_activity"]),
    recovery: parts(["daily_readiness", "sleep", "daily_spo2", "daily_activity"]),
    workout: parts(["workout"]),
    cycle: { ...parts(["daily_activity"]), next_activity: next },
  }[kind]
  return readOuraRecords(kind, [raw], NOW).records[0]
}

test.each(OURA_COVERAGE)("delivers $kind $field", ({ kind, field }) => {
  expect(fullRecord(kind)).toHaveProperty(field)
})

test.each(["sleep", "recovery", "workout", "cycle", "profile"] as const)(
  "declares every field of %s it delivers",
  (kind) => {
    const declared = OURA_COVERAGE.filter((entry) => entry.kind === kind).map(({ field }) => field)
    const apart = new Set([
      "kind",
      "providerId",
      "raw",
      "updatedMs",
      "partIds",
      "scoreState",
      "createdMs",
      // `OURA_SERIES` declares them.
      "samples",
    ])
    const implied = new Set([...apart, "utcOffsetMinutes", "countsAsWorkout", "data.id", "data.providerId"])
    const delivered = pathsOf(fullRecord(kind)).filter((path) => !implied.has(path))
    expect(delivered.toSorted()).toEqual(declared.toSorted())
  },
)

test("asks Oura for every field of its own that a figure is made of", () => {
  const asksFor = new Map<string, readonly string[]>(Object.entries(FIELDS))
  const declared = OURA_COVERAGE.flatMap(({ source }) => [...source.matchAll(/(\w+)\.(\w+)/g)])
  const unasked = declared.filter(([, collection = "", field = ""]) => {
    const asked = asksFor.get(collection)
    return asked !== undefined && !asked.includes(field)
  })
  expect(unasked.map(([name]) => name)).toEqual([])
})

test("declares every type of samples it delivers", () => {
  const sleep = fullRecord("sleep")
  const sets = sleep && "samples" in sleep ? (sleep.samples ?? []) : []
  expect(sets.map(({ type, method }) => [type, method])).toEqual(OURA_SERIES.map(({ type, method }) => [type, method]))
})

function pathsOf(value: unknown, path = ""): string[] {
  const isLeaf =
    typeof value !== "object" ||
    value === null ||
    value instanceof Date ||
    ["raw", "course", "partIds", "samples", "contributors"].includes(path)
  if (isLeaf) return [path]
  return Object.entries(value).flatMap(([key, inner]) => pathsOf(inner, path === "" ? key : `${path}.${key}`))
}
