import { expect, test } from "vitest"
import { z } from "zod"
import { typesOnly } from "./tool-protocol.ts"

const typesOf = (schema: z.ZodType) => typesOnly(z.toJSONSchema(schema))

test("a nullable value has a list of types, also one with a description or of fixed words", () => {
  const schema = z.object({
    number: z.number().describe("a number").nullable(),
    described: z.number().nullable().describe("a number"),
    word: z.enum(["a", "b"]).nullable(),
    mixed: z.union([z.number(), z.string()]).nullable(),
    inner: z.object({ value: z.int() }).nullable(),
    pair: z.tuple([z.number(), z.number()]).nullable(),
  })
  expect(typesOf(schema)).toEqual({
    type: "object",
    properties: {
      number: { type: ["number", "null"] },
      described: { type: ["number", "null"] },
      word: { type: ["string", "null"] },
      mixed: { type: ["number", "string", "null"] },
      inner: { type: ["object", "null"] },
      pair: { type: ["array", "null"] },
    },
  })
})

test("alternatives are one object with the properties of each", () => {
  const schema = z.union([z.object({ n: z.int(), rho: z.number() }), z.object({ n: z.int(), yes: z.object({}) })])
  expect(typesOf(schema)).toEqual({
    type: "object",
    properties: { n: { type: "integer" }, rho: { type: "number" }, yes: { type: "object" } },
  })
})

test("references are followed", () => {
  const named = z.object({ at: z.string() }).meta({ id: "NamedInThisTest" })
  expect(typesOf(z.object({ one: named, other: named.nullable() }))).toEqual({
    type: "object",
    properties: { one: { type: "object" }, other: { type: ["object", "null"] } },
  })
})
