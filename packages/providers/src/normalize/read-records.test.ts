import fc from "fast-check"
import { expect, test } from "vitest"
import { fixturesOf } from "../../test/fixtures.ts"
import type { Json } from "../contract/records.ts"
import { readWhoopRecords } from "../whoop/normalize.ts"
import { WhoopPageSchema } from "../whoop/wire.ts"
import { unstorablePath } from "./storable-text.ts"

const { readFixture } = fixturesOf("whoop")

const KINDS = ["sleep", "recovery", "workout", "cycle"] as const
const fixture = (kind: (typeof KINDS)[number]): Json[] => WhoopPageSchema.parse(readFixture(`${kind}-page`)).records
const first = (kind: (typeof KINDS)[number]): object => Object(fixture(kind)[0])

test.each(KINDS)("one %s with a NUL in an unused field is set aside with its id, and the others are read", (kind) => {
  const [good, ...others] = fixture(kind)
  const bad: Json = { ...Object(good), note: "a\0b" }
  const { records, rejected } = readWhoopRecords(kind, [bad, ...others])
  expect(records).toEqual(readWhoopRecords(kind, others).records)
  const providerId = readWhoopRecords(kind, [good ?? null]).records[0]?.providerId
  expect(rejected).toEqual([
    {
      kind,
      providerId,
      occurred: expect.anything(),
      reason: "note: a NUL, half a character or too many levels, which cannot be stored",
      raw: { ...Object(good), note: "a\uFFFDb" },
    },
  ])
})

test.each([
  ["a NUL", "\0"],
  ["half a character", "\uD800"],
  ["a text with a space", "night 1"],
  ["a path", "../../user/access"],
  ["5,000 characters", "x".repeat(5_000)],
  ["nothing", ""],
  ["a number", 7],
  ["an object", { id: 1 }],
  ["null", null],
])("a sleep with %s for its id is set aside without an id", (_case, id) => {
  const { records, rejected } = readWhoopRecords("sleep", [{ ...first("sleep"), id }])
  expect(records).toEqual([])
  expect(rejected).toMatchObject([{ providerId: null, reason: expect.stringMatching(/^id: /) }])
})

test("a record is read by its own fields only", () => {
  const polluted: Json = JSON.parse(JSON.stringify(first("cycle")).replace("{", '{"__proto__":{"score_state":"none"},'))
  expect(readWhoopRecords("cycle", [polluted]).records).toMatchObject([{ kind: "cycle", raw: polluted }])
  const { score, ...rest } = Object(first("cycle"))
  const hidden: Json = JSON.parse(JSON.stringify({ ...rest, proto: { score } }).replace('"proto"', '"__proto__"'))
  expect(readWhoopRecords("cycle", [hidden]).records).toMatchObject([{ scoreState: "pending" }])
})

test("a number without bounds is left out, and levels without end set the record aside", () => {
  const infinite: Json = JSON.parse('{"strain":1e400}')
  const deep: Json = JSON.parse(`${"[".repeat(100_000)}${"]".repeat(100_000)}`)
  const { records, rejected } = readWhoopRecords("cycle", [
    { ...first("cycle"), score: infinite },
    { ...first("cycle"), more: deep },
  ])
  expect(records).toMatchObject([{ scoreState: "scored", leftOut: [{ field: "score.strain" }] }])
  expect(rejected.map(({ reason }) => reason.split(":")[0]?.slice(0, 12))).toEqual(["more.0.0.0.0"])
})

test("whatever a page contains, each record is read or set aside as something that can be stored", () => {
  const text = fc.oneof(fc.string({ unit: "binary" }), fc.constantFrom("\0", "\uD800", "__proto__", "x".repeat(9_000)))
  const anything = fc.oneof(
    fc.json({ stringUnit: "binary" }).map((json): Json => JSON.parse(json)),
    fc
      .tuple(fc.constantFrom(...KINDS), text, fc.json({ stringUnit: "binary" }))
      .map(([kind, key, json]): Json => ({ ...first(kind), [key]: JSON.parse(json) })),
  )
  fc.assert(
    fc.property(fc.constantFrom(...KINDS), fc.array(anything, { maxLength: 5 }), (kind, raws) => {
      const { records, rejected } = readWhoopRecords(kind, raws)
      expect(records.length + rejected.length).toBe(raws.length)
      for (const { raw } of records) expect(unstorablePath(raw)).toBeUndefined()
      for (const { raw, reason, providerId } of rejected) {
        expect(unstorablePath([raw, reason, providerId])).toBeUndefined()
        expect(reason.length).toBeLessThan(500)
      }
    }),
  )
})
