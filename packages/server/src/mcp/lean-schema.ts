import type { StandardSchemaWithJSON } from "@modelcontextprotocol/server"
import { z } from "zod"

/** What a reader of the schema can do without: examples, formats of JavaScript, and what follows from the rest. */
const NOT_NEEDED = ["$schema", "example", "id", "pattern"]

/** What was told before: a server is made for each request, and the schemas are always the same. */
const TOLD = {
  input: new WeakMap<z.ZodType, Record<string, unknown>>(),
  output: new WeakMap<z.ZodType, Record<string, unknown>>(),
} as const

/**
 * A schema that is told in fewer words than zod's own: assistants keep the list of tools in every conversation. It validates as before.
 * Definitions that are shared stand where they are used, which not all assistants' readers follow by reference.
 */
export function leanSchema<Schema extends z.ZodType>(
  schema: Schema,
): StandardSchemaWithJSON<z.input<Schema>, z.output<Schema>> {
  const told = (io: "input" | "output") => () => TOLD[io].getOrInsertComputed(schema, () => leanJson(schema, io))
  const { validate, vendor, version } = schema["~standard"]
  return { "~standard": { validate, vendor, version, jsonSchema: { input: told("input"), output: told("output") } } }
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
