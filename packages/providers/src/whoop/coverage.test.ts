import { expect, test } from "vitest"
import { fixturesOf } from "../../test/fixtures.ts"
import { WHOOP_COVERAGE } from "./coverage.ts"
import { normalizeProfile, readWhoopRecords } from "./normalize.ts"
import { WhoopBodySchema, WhoopPageSchema, WhoopProfileSchema } from "./wire.ts"

const { readFixture } = fixturesOf("whoop")

/** A record of each kind with everything WHOOP can send: a closed cycle, the first of the others. */
function fullRecord(kind: (typeof WHOOP_COVERAGE)[number]["kind"]) {
  if (kind === "profile") {
    const profile = WhoopProfileSchema.parse(readFixture("profile"))
    return normalizeProfile(profile, WhoopBodySchema.parse(readFixture("body")), null)
  }
  const { records } = readWhoopRecords(kind, WhoopPageSchema.parse(readFixture(`${kind}-page`)).records)
  return kind === "cycle" ? records[1] : records[0]
}

test.each(WHOOP_COVERAGE)("delivers $kind $field", ({ kind, field }) => {
  expect(fullRecord(kind)).toHaveProperty(field)
})

test.each(["sleep", "recovery", "workout", "cycle", "profile"] as const)(
  "declares every field of %s it delivers",
  (kind) => {
    const declared = WHOOP_COVERAGE.filter((entry) => entry.kind === kind).map(({ field }) => field)
    const apart = new Set(["kind", "providerId", "raw", "updatedMs", "scoreState", "createdMs"])
    const implied = new Set([...apart, "utcOffsetMinutes", "countsAsWorkout", "data.id", "data.providerId"])
    const delivered = pathsOf(fullRecord(kind)).filter((path) => !implied.has(path))
    expect(delivered.toSorted()).toEqual(declared.toSorted())
  },
)

function pathsOf(value: unknown, path = ""): string[] {
  const isLeaf =
    typeof value !== "object" || value === null || value instanceof Date || path === "raw" || path === "zones"
  if (isLeaf) return [path]
  return Object.entries(value).flatMap(([key, inner]) => pathsOf(inner, path === "" ? key : `${path}.${key}`))
}
