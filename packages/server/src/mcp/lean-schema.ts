import type { StandardSchemaWithJSON } from "@modelcontextprotocol/server"
import { z } from "zod"

/** Keywords that a reader of the schema does not need. */
const NOT_NEEDED = ["$schema", "example", "id", "pattern"]

/** The schemas never change, but a server is made for each request. */
const CACHE = {
  input: new WeakMap<z.ZodType, Record<string, unknown>>(),
  output: new WeakMap<z.ZodType, Record<string, unknown>>(),
} as const

/**
 * A schema with a shorter JSON form than zod's own, because assistants keep the list of tools in every conversation. Validation is the same.
 * Shared definitions are inlined, because not all assistants follow references.
 */
export function leanSchema<Schema extends z.ZodType>(
  schema: Schema,
): StandardSchemaWithJSON<z.input<Schema>, z.output<Schema>> {
  const cached = (io: "input" | "output") => () => CACHE[io].getOrInsertComputed(schema, () => leanJson(schema, io))
  const { validate, vendor, version } = schema["~standard"]
  return {
    "~standard": { validate, vendor, version, jsonSchema: { input: cached("input"), output: cached("output") } },
  }
}

function leanJson(schema: z.ZodType, io: "input" | "output"): Record<string, unknown> {
  const json = z.toJSONSchema(schema, {
    io,
    reused: "inline",
    override({ jsonSchema }) {
      for (const name of NOT_NEEDED) delete jsonSchema[name]
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum
    },
  })
  delete json.$schema
  return json
}
