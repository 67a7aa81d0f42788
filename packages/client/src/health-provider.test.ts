/** Checks the schemas against the table of the specification's section 2.2, field by field. */
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import type { z } from "zod"
import {
  CycleDataSchema,
  ProfileDataSchema,
  RecoveryDataSchema,
  SleepDataSchema,
  SleepStagesSchema,
  WorkoutDataSchema,
} from "./health-provider.ts"

type JsonType = "string" | "number" | "boolean"

/** Paths of the fields with their JSON type. A trailing `?` marks an optional field. */
type FieldTable = Readonly<Record<string, keyof typeof JSON_TYPE_OF>>

const STAGES = { lightMs: "number", deepMs: "number", remMs: "number", awakeMs: "number" } as const

const TYPES: readonly { name: string; schema: z.ZodType; fields: FieldTable; groups: readonly string[] }[] = [
  {
    name: "SleepData",
    schema: SleepDataSchema,
    fields: {
      id: "string",
      providerId: "string",
      start: "string",
      end: "string",
      durationMs: "number",
      isNap: "boolean",
      score: "number?",
      "stages.lightMs": "number",
      "stages.deepMs": "number",
      "stages.remMs": "number",
      "stages.awakeMs": "number",
      "metrics.efficiency": "number?",
      "metrics.respiratoryRate": "number?",
    },
    groups: ["stages", "metrics"],
  },
  { name: "SleepStages", schema: SleepStagesSchema, fields: STAGES, groups: [] },
  {
    name: "RecoveryData",
    schema: RecoveryDataSchema,
    fields: {
      id: "string",
      providerId: "string",
      date: "string",
      score: "number?",
      "metrics.hrv": "number?",
      "metrics.restingHeartRate": "number?",
      "metrics.spo2": "number?",
      "metrics.skinTemp": "number?",
    },
    groups: ["metrics"],
  },
  {
    name: "WorkoutData",
    schema: WorkoutDataSchema,
    fields: {
      id: "string",
      providerId: "string",
      start: "string",
      end: "string",
      durationMs: "number",
      sportType: "string",
      strain: "number?",
      "metrics.averageHeartRate": "number?",
      "metrics.maxHeartRate": "number?",
      "metrics.calories": "number?",
      "metrics.distance": "number?",
    },
    groups: ["metrics"],
  },
  {
    name: "CycleData",
    schema: CycleDataSchema,
    fields: {
      id: "string",
      providerId: "string",
      date: "string",
      start: "string",
      end: "string?",
      strain: "number?",
      "metrics.averageHeartRate": "number?",
      "metrics.maxHeartRate": "number?",
      "metrics.calories": "number?",
    },
    groups: ["metrics"],
  },
  {
    name: "ProfileData",
    schema: ProfileDataSchema,
    fields: {
      id: "string",
      providerId: "string",
      firstName: "string?",
      lastName: "string?",
      email: "string?",
      "body.heightMeters": "number?",
      "body.weightKilograms": "number?",
      "body.maxHeartRate": "number?",
    },
    groups: ["body"],
  },
]

/** Dates are any string: the specification enforces no format. */
const ARBITRARY: Readonly<Record<JsonType, fc.Arbitrary<unknown>>> = {
  string: fc.string(),
  number: fc.double({ noNaN: true, noDefaultInfinity: true }),
  boolean: fc.boolean(),
}
const JSON_TYPE_OF = {
  string: "string",
  "string?": "string",
  number: "number",
  "number?": "number",
  boolean: "boolean",
} as const
const wrongValuesFor = (type: JsonType) =>
  [null, "text", "7", 7, true, [], {}, [7], Number.NaN].filter((value) => typeof value !== type || Number.isNaN(value))

type Json = Record<string, unknown>

/** Returns a copy of `record` with the value at `path`. Undefined removes the field. */
function withField(record: Json, path: string, value: unknown): Json {
  const [head = "", ...tail] = path.split(".")
  const { [head]: child, ...others } = record
  if (tail.length > 0)
    return { ...others, [head]: withField({ ...(child instanceof Object ? child : {}) }, tail.join("."), value) }
  return value === undefined ? others : { ...others, [head]: value }
}

describe.each(TYPES)("$name", ({ schema, fields, groups }) => {
  const entries = Object.entries(fields).map(([path, type]) => ({
    path,
    type: JSON_TYPE_OF[type],
    optional: type.endsWith("?"),
  }))
  const record: fc.Arbitrary<Json> = fc
    .tuple(...entries.map(({ type }) => ARBITRARY[type]))
    .map((values) => entries.reduce<Json>((built, { path }, index) => withField(built, path, values[index]), {}))
  const check = (predicate: (record: Json) => boolean) => fc.assert(fc.property(record, predicate), { numRuns: 30 })
  const accepts = (value: unknown) => schema.safeParse(value).success

  it("accepts every record with the right types, and returns it unchanged", () => {
    fc.assert(
      fc.property(record, (value) => {
        expect(schema.parse(value)).toEqual(value)
      }),
      { numRuns: 100 },
    )
  })

  it.each(entries)("checks that $path is a $type", ({ path, type }) => {
    check((value) => wrongValuesFor(type).every((wrong) => !accepts(withField(value, path, wrong))))
  })

  it.each(entries.filter(({ optional }) => optional))("accepts a record without $path", ({ path }) => {
    check((value) => accepts(withField(value, path, undefined)))
  })

  it.each(entries.filter(({ optional }) => !optional))("rejects a record without $path", ({ path }) => {
    check((value) => !accepts(withField(value, path, undefined)))
  })

  if (groups.length > 0) {
    it.each(groups)("accepts a record without %s, and rejects any other value there", (group) => {
      check((value) => accepts(withField(value, group, undefined)))
      check((value) => [null, "text", 7, true, []].every((wrong) => !accepts(withField(value, group, wrong))))
    })
  }

  it.each([null, undefined, "text", 7, true, []])("rejects %j", (value) => {
    expect(accepts(value)).toBe(false)
  })
})
