import type { StandardSchemaWithJSON } from "@modelcontextprotocol/server"
import { z } from "zod"
import { typesOnly } from "./types-only.ts"

/** Keywords that a reader of an input does not need. */
const NOT_NEEDED = ["$schema", "example", "id", "pattern"]

/** The schemas never change, but a server is made for each request. */
const CACHE = {
  input: new WeakMap<z.ZodType, Record<string, unknown>>(),
  output: new WeakMap<z.ZodType, Record<string, unknown>>(),
} as const

/**
 * A schema with a shorter JSON form than zod's own, because assistants keep the list of tools in every conversation. Validation is the same.
 * The form of an output has only types, see types-only.ts.
 */
export function leanSchema<Schema extends z.ZodType>(
  schema: Schema,
): StandardSchemaWithJSON<z.input<Schema>, z.output<Schema>> {
  const { validate, vendor, version } = schema["~standard"]
  const input = () => CACHE.input.getOrInsertComputed(schema, inputJson)
  const output = () => CACHE.output.getOrInsertComputed(schema, outputJson)
  return { "~standard": { validate, vendor, version, jsonSchema: { input, output } } }
}

/** Results of tools that were found valid. A result that is sent again is not validated again. */
const VALID = new WeakSet<object>()

/** The same for the output of a tool. */
export function leanOutput(schema: z.ZodType): StandardSchemaWithJSON {
  const { validate, ...lean } = leanSchema(schema)["~standard"]
  const validateOnce = async (value: unknown) => {
    if (typeof value !== "object" || value === null) return validate(value)
    if (VALID.has(value)) return { value }
    const result = await validate(value)
    if (result.issues === undefined) VALID.add(value)
    return result
  }
  return { "~standard": { ...lean, validate: validateOnce } }
}

const outputJson = (schema: z.ZodType): Record<string, unknown> => ({
  ...typesOnly(z.toJSONSchema(schema, { io: "output", reused: "inline" })),
})

function inputJson(schema: z.ZodType): Record<string, unknown> {
  const json = z.toJSONSchema(schema, {
    io: "input",
    reused: "inline",
    override({ jsonSchema }) {
      for (const name of NOT_NEEDED) delete jsonSchema[name]
      if (jsonSchema.description === "") delete jsonSchema.description
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum
    },
  })
  delete json.$schema
  return json
}
