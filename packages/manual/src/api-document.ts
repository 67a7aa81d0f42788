/** The parts of an OpenAPI 3.1 document that the reference is made of. */
import { z } from "zod"

export const SchemaSchema = z.object({
  $ref: z.string().optional(),
  type: z.union([z.string(), z.array(z.string())]).optional(),
  format: z.string().optional(),
  description: z.string().optional(),
  enum: z.array(z.unknown()).optional(),
  const: z.unknown().optional(),
  example: z.unknown().optional(),
  default: z.unknown().optional(),
  minimum: z.number().optional(),
  maximum: z.number().optional(),
  required: z.array(z.string()).default([]),
  get properties() {
    return z.record(z.string(), SchemaSchema).optional()
  },
  get items() {
    return SchemaSchema.optional()
  },
  get prefixItems() {
    return z.array(SchemaSchema).optional()
  },
  get anyOf() {
    return z.array(SchemaSchema).optional()
  },
})
export type Schema = z.infer<typeof SchemaSchema>

const ContentSchema = z.record(
  z.string(),
  z.object({
    schema: SchemaSchema,
    example: z.unknown().optional(),
    examples: z.record(z.string(), z.object({ summary: z.string().optional(), value: z.unknown() })).optional(),
  }),
)
export type Content = z.infer<typeof ContentSchema>

const ParameterSchema = z.object({
  name: z.string(),
  in: z.string(),
  required: z.boolean().default(false),
  description: z.string().optional(),
  schema: SchemaSchema,
})
export type Parameter = z.infer<typeof ParameterSchema>

const OperationSchema = z.object({
  operationId: z.string(),
  summary: z.string(),
  description: z.string(),
  tags: z.array(z.string()),
  security: z.array(z.record(z.string(), z.unknown())),
  parameters: z.array(ParameterSchema).default([]),
  requestBody: z.object({ content: ContentSchema }).optional(),
  responses: z.record(z.string(), z.object({ description: z.string(), content: ContentSchema.default({}) })),
})

export const DocumentSchema = z.object({
  tags: z.array(z.object({ name: z.string(), description: z.string() })),
  paths: z.record(z.string(), z.record(z.string(), OperationSchema)),
  components: z.object({ schemas: z.record(z.string(), SchemaSchema) }),
})
export type ApiDocument = z.infer<typeof DocumentSchema>

/** An operation with its method and path. */
export type Operation = z.infer<typeof OperationSchema> & { readonly method: string; readonly path: string }

/** Named schemas of the document. */
export type Schemas = ApiDocument["components"]["schemas"]

/** The name of the schema that a reference points to. */
export const nameOf = ({ $ref }: Schema): string | undefined => $ref?.split("/").at(-1)

/** An example of a value: the one that the schema names, or one made of the examples of its parts. */
export function exampleOf(schemas: Schemas, schema: Schema): unknown {
  const named = schemas[nameOf(schema) ?? ""]
  if (named) return exampleOf(schemas, named)
  const { example, const: only, enum: choices, anyOf, properties, items, prefixItems, type } = schema
  const given = example ?? only ?? choices?.[0]
  if (given !== undefined) return given
  if (anyOf?.[0]) return exampleOf(schemas, anyOf[0])
  if (prefixItems) return prefixItems.map((item) => exampleOf(schemas, item))
  if (items) return [exampleOf(schemas, items)]
  const entries = Object.entries(properties ?? {}).map(([name, property]) => [name, exampleOf(schemas, property)])
  return PLAIN_EXAMPLES[[type].flat()[0] ?? "object"] ?? Object.fromEntries(entries)
}

const PLAIN_EXAMPLES: Readonly<Record<string, unknown>> = { string: "...", integer: 1, number: 1.5, boolean: true }
