import { z } from "zod"

/** A JSON schema with nothing but types: what an assistant needs of a result before it has one. */
export interface TypesOnly {
  readonly type?: string | readonly string[]
  readonly properties?: Readonly<Record<string, TypesOnly>>
}

const NodeSchema = z.looseObject({
  type: z.union([z.string(), z.array(z.string())]).optional(),
  properties: z.record(z.string(), z.unknown()).optional(),
  anyOf: z.array(z.unknown()).optional(),
  oneOf: z.array(z.unknown()).optional(),
  $ref: z.string().optional(),
  $defs: z.record(z.string(), z.unknown()).optional(),
})

/**
 * The types of a JSON schema's properties, without references, alternatives and descriptions: not all assistants follow references, and
 * claude.ai calls no tool of a list that has `anyOf` in an output. What can be null or of several types has a list of types. Objects and
 * lists inside are not described, because assistants keep the list of tools in every conversation.
 * @see https://github.com/anthropics/claude-ai-mcp/issues/485
 */
export function typesOnly(schema: unknown): TypesOnly {
  const { $defs: definitions = {} } = NodeSchema.parse(schema)
  const alternatives = resolved(schema, definitions)
  const properties = alternatives.flatMap((one) => Object.entries(one.properties ?? {}))
  const byName = Map.groupBy(properties, ([name]) => name)
  return {
    ...typeOf(schema, definitions),
    properties: Object.fromEntries(
      [...byName].map(([name, all]) => [name, typeOf({ anyOf: all.map(([, property]) => property) }, definitions)]),
    ),
  }
}

type Definitions = Readonly<Record<string, unknown>>

/** What a value may be, without references: one schema, or several alternatives. */
function resolved(schema: unknown, definitions: Definitions): z.infer<typeof NodeSchema>[] {
  const node = NodeSchema.parse(schema)
  if (node.$ref !== undefined) return resolved(definitions[node.$ref.replace("#/$defs/", "")], definitions)
  const alternatives = node.anyOf ?? node.oneOf
  return alternatives ? alternatives.flatMap((one) => resolved(one, definitions)) : [node]
}

function typeOf(schema: unknown, definitions: Definitions): TypesOnly {
  const types = [...new Set(resolved(schema, definitions).flatMap(({ type }) => type ?? []))]
  const [first] = types
  if (first === undefined) return {}
  return { type: types.length === 1 ? first : types }
}
