/** The pages of the API reference as Markdown, made from the OpenAPI document of the service. */
import { z } from "zod"

/** Returns the text of each page of the reference by its path. */
export function referencePages(openApi: unknown): Readonly<Record<string, string>> {
  const document = DocumentSchema.parse(openApi)
  const operations = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ ...operation, method: method.toUpperCase(), path })),
  )
  const { schemas } = document.components
  const pageOf = (tag: string, ...end: readonly string[]): string =>
    textOf([
      `# ${tag} API`,
      `${document.tags.find(({ name }) => name === tag)?.description}. [openapi.json](/openapi.json){target="_self"} has the same for programs.`,
      ...operations.filter(({ tags }) => tags.includes(tag)).map((operation) => operationText(schemas, operation)),
      ...end,
    ])
  return {
    reference: pageOf("Health", errorsText(operations)),
    "reference-account": pageOf("Account"),
    "reference-connections": pageOf("Connections"),
    "reference-service": pageOf("Service"),
    "reference-fields": fieldsPage(schemas),
  }
}

const textOf = (blocks: readonly (string | false)[]): string => blocks.filter(Boolean).join("\n\n")

/** Text within a table or paragraph. Vue would take `<` for an element. */
const plain = (text = ""): string => text.replaceAll("<", "&lt;").replaceAll("|", "\\|").replaceAll("\n", " ")

const table = (head: readonly string[], rows: readonly (readonly string[])[]): string | false =>
  rows.length > 0 && [head, head.map(() => "---"), ...rows].map((row) => `| ${row.join(" | ")} |`).join("\n")

const fence = (language: string, text: string): string => `\`\`\`${language}\n${text}\n\`\`\``

const CREDENTIALS: Readonly<Record<string, string>> = {
  apiKey: "an API key",
  session: "the session of the dashboard",
}

function operationText(schemas: Schemas, operation: Operation): string {
  const { operationId, summary, description, method, path, security, parameters, requestBody, responses } = operation
  const [credential = ""] = Object.keys(security[0] ?? {})
  return textOf([
    `## ${summary} {#${operationId}}`,
    `\`${method} ${path}\` needs ${CREDENTIALS[credential] ?? "no sign-in"}.`,
    plain(description),
    table(
      ["Parameter", "In", "Type", "Meaning"],
      parameters.map((parameter) => [
        `\`${parameter.name}\``,
        parameter.required ? `${parameter.in}, required` : parameter.in,
        typeOf(parameter.schema),
        meaningOf(parameter.description ?? parameter.schema.description, parameter.schema),
      ]),
    ),
    requestBody !== undefined && `Body: ${bodyOf(requestBody.content)}.`,
    table(
      ["Status", "Meaning"],
      Object.entries(responses).map(([status, { description: meaning, content }]) => [
        status === "default" ? "other" : status,
        [plain(meaning), bodyOf(content)].filter(Boolean).join(". Body: "),
      ]),
    ),
    "Example:",
    fence("http", requestOf(schemas, operation)),
    ...Object.entries(responses)
      .filter(([status]) => status.startsWith("2"))
      .flatMap(([, { content }]) => examplesIn(schemas, content)),
  ])
}

const meaningOf = (description: string | undefined, { default: otherwise }: Schema): string =>
  [plain(description), ...(otherwise === undefined ? [] : [`Without it: \`${otherwise}\``])].filter(Boolean).join(". ")

const bodyOf = (content: Content): string =>
  Object.entries(content)
    .map(([type, { schema }]) => (nameOf(schema) === undefined ? `\`${type}\`` : typeOf(schema)))
    .join(" or ")

/** The request line, the headers and the body, with what the request cannot do without. */
function requestOf(schemas: Schemas, { method, path, parameters, requestBody, security }: Operation): string {
  const textFor = ({ schema }: Parameter): string => String(schema.default ?? exampleOf(schemas, schema))
  const used = parameters.filter(({ required, schema }) => required || schema.default !== undefined)
  const valuesIn = (place: string) =>
    used.filter((parameter) => parameter.in === place).map((parameter) => [parameter.name, textFor(parameter)] as const)
  const filled = valuesIn("path").reduce((text, [name, value]) => text.replace(`{${name}}`, value), path)
  const query = valuesIn("query").map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
  const headers = valuesIn("header").map(([name, value]) => `${name}: ${value}`)
  const [json] = Object.entries(requestBody?.content ?? {}).filter(([type]) => type === "application/json")
  return [
    `${method} ${[filled, query.join("&")].filter(Boolean).join("?")}`,
    ...(security.some(({ apiKey }) => apiKey) ? ["Authorization: Bearer rw_..."] : []),
    ...headers,
    ...(json
      ? ["Content-Type: application/json", "", jsonOf(json[1].example ?? exampleOf(schemas, json[1].schema))]
      : []),
  ].join("\n")
}

const jsonOf = (value: unknown): string => JSON.stringify(value, null, 2)

/** The examples of a JSON body: those of the document, or one made of the examples of its fields. */
function examplesIn(schemas: Schemas, { "application/json": json }: Content): string[] {
  if (!json) return []
  const given = Object.values(json.examples ?? { one: { value: json.example ?? exampleOf(schemas, json.schema) } })
  return given.map(({ summary, value }) =>
    textOf([summary !== undefined && `${summary}:`, fence("json", jsonOf(value))]),
  )
}

/** Every error code once, with its first meaning. */
function errorsText(operations: readonly Operation[]): string {
  const meanings = new Map<string, readonly [string, string]>()
  for (const { responses } of operations)
    for (const [status, { description, content }] of Object.entries(responses)) {
      const { example, examples = {} } = content["application/json"] ?? {}
      for (const value of [example, ...Object.values(examples).map((each) => each.value)])
        if (typeof value === "object" && value !== null && "error" in value && !meanings.has(String(value.error)))
          meanings.set(String(value.error), [status === "default" ? "other" : status, plain(description)])
    }
  const rows = [...meanings].map(([code, [status, meaning]]) => [`\`${code}\``, status, meaning])
  return textOf([
    "## Errors {#errors}",
    "Every error is JSON with `error`, a stable code, and `message`, which says what to do.",
    table(
      ["Code", "Status", "When"],
      rows.toSorted(([, one = ""], [, other = ""]) => one.localeCompare(other)),
    ),
  ])
}

const fieldsPage = (schemas: Schemas): string =>
  textOf([
    "# Fields",
    "Every body of a request or a response with its fields. A missing value is `null`, never zero and never another day's.",
    ...Object.entries(schemas).map(([name, schema]) =>
      textOf([
        `## ${name} {#${name}}`,
        plain(schema.description),
        choicesOf(schema) !== undefined && `One of ${choicesOf(schema)?.map(typeOf).join(", ")}.`,
        schema.enum !== undefined && `${typeOf(schema)}.`,
        table(["Field", "Type", "Meaning"], fieldRows(schema, "")),
      ]),
    ),
  ])

/** A row for each field. Fields of an object within have their path as name. */
function fieldRows({ properties = {}, required }: Schema, prefix: string): string[][] {
  return Object.entries(properties).flatMap(([name, property]) => {
    const path = `${prefix}${name}`
    const type = typeOf(property)
    const inner = choicesOf(property)?.find(({ properties, items }) => properties ?? items) ?? property
    return [
      [`\`${path}\``, required.includes(name) ? type : `${type}, optional`, meaningOf(property.description, property)],
      ...fieldRows(inner, `${path}.`),
      ...(inner.items ? fieldRows(inner.items, `${path}[].`) : []),
    ]
  })
}

/** The type in words, with a link to a schema that has a name. */
function typeOf(schema: Schema): string {
  const { type, format, enum: choices, const: only, items, prefixItems } = schema
  const name = nameOf(schema)
  if (name !== undefined) return `[${name}](./reference-fields.md#${name})`
  if (only !== undefined) return `\`${only}\``
  if (choices) return choices.map((choice) => `\`${choice}\``).join(", ")
  const alternatives = choicesOf(schema)
  if (alternatives) return [...new Set(alternatives.map(typeOf))].join(" or ")
  if (prefixItems) return `list of ${prefixItems.map(typeOf).join(" and ")}`
  if (items) return `list of ${typeOf(items)}`
  const types = [type ?? "any"].flat()
  return [(format ?? types[0]) + rangeOf(schema), ...types.slice(1)].join(" or ")
}

/** Bounds of integers that only say that they are exact are left out. */
const rangeOf = ({ minimum, maximum = Number.MAX_SAFE_INTEGER }: Schema): string =>
  minimum === undefined || maximum >= Number.MAX_SAFE_INTEGER ? "" : `, ${minimum} to ${maximum}`

/** The parts of an OpenAPI 3.1 document that the reference is made of. */
const SchemaSchema = z.object({
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
  get oneOf() {
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
type ApiDocument = z.infer<typeof DocumentSchema>

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
  const { example, const: only, enum: choices, properties, items, prefixItems, type } = schema
  const given = example ?? only ?? choices?.[0]
  if (given !== undefined) return given
  const [first] = choicesOf(schema) ?? []
  if (first) return exampleOf(schemas, first)
  if (prefixItems) return prefixItems.map((item) => exampleOf(schemas, item))
  if (items) return [exampleOf(schemas, items)]
  const entries = Object.entries(properties ?? {}).map(([name, property]) => [name, exampleOf(schemas, property)])
  return PLAIN_EXAMPLES[[type].flat()[0] ?? "object"] ?? Object.fromEntries(entries)
}

const choicesOf = ({ anyOf, oneOf }: Schema): readonly Schema[] | undefined => anyOf ?? oneOf

const PLAIN_EXAMPLES: Readonly<Record<string, unknown>> = { string: "...", integer: 1, number: 1.5, boolean: true }
