import { z } from "zod"
import { html, type Markup } from "../text/markup.ts"

const LONGEST_CHOICES = 36

/** One line of a table of fields. */
interface Field {
  readonly name: string
  readonly type: string
  readonly description: string
}

const SchemaSchema = z.looseObject({
  $ref: z.string().optional(),
  type: z.union([z.string(), z.array(z.string())]).optional(),
  description: z.string().optional(),
  enum: z.array(z.unknown()).optional(),
  get properties() {
    return z.record(z.string(), SchemaSchema).optional()
  },
  get items() {
    return SchemaSchema.optional()
  },
  get anyOf() {
    return z.array(SchemaSchema).optional()
  },
})
type Schema = z.infer<typeof SchemaSchema>

/** Named schemas of the OpenAPI document. */
export type Schemas = Readonly<Record<string, unknown>>

/** A table of all fields of a named schema. Nested fields have their path as name. */
export function fieldTable(schemas: Schemas, name: string): Markup {
  const rows = fieldsOf(schemas, resolve(schemas, SchemaSchema.parse(schemas[name])), "")
  return html`<div class="scroll" tabindex="0" role="region" aria-label="Fields of ${name}"><table>
<thead><tr><th scope="col">Field</th><th scope="col">Type</th><th scope="col">Meaning</th></tr></thead>
<tbody>${rows.map(
    (
      field,
    ) => html`<tr><th scope="row"><code>${field.name}</code></th><td class="type">${field.type}</td><td>${field.description}</td></tr>
`,
  )}</tbody></table></div>
`
}

function fieldsOf(schemas: Schemas, schema: Schema, prefix: string): Field[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, property]) => {
    const path = `${prefix}${name}`
    const { value, isNullable } = unwrap(schemas, property)
    const description = property.description ?? value.description ?? ""
    // The same in every response, and explained once.
    if (name === "source" && prefix === "") return [{ name, type: "object", description }]
    const own: Field = { name: path, type: typeOf(value, isNullable), description }
    if (value.properties) return [...(description ? [own] : []), ...fieldsOf(schemas, value, `${path}.`)]
    const items = value.items && resolve(schemas, value.items)
    return items?.properties ? [own, ...fieldsOf(schemas, items, `${path}[].`)] : [own]
  })
}

/** A schema without its null. */
function unwrap(schemas: Schemas, schema: Schema): { value: Schema; isNullable: boolean } {
  const kinds = schema.anyOf ?? []
  const isNullable = kinds.some(({ type }) => type === "null") || [schema.type].flat().includes("null")
  const value = kinds.find(({ type }) => type !== "null") ?? schema
  return { value: resolve(schemas, value), isNullable }
}

function resolve(schemas: Schemas, schema: Schema): Schema {
  const name = schema.$ref?.split("/").at(-1)
  return name === undefined ? schema : SchemaSchema.parse(schemas[name])
}

function typeOf({ type, enum: values }: Schema, isNullable: boolean): string {
  const names = [type ?? []].flat().filter((name) => name !== "null")
  const choices = (values ?? []).filter((value) => value !== null).join(" | ")
  // The description explains long lists of choices.
  const name = choices !== "" && choices.length <= LONGEST_CHOICES ? choices : names.join(" | ") || "string"
  return isNullable ? `${name} | null` : name
}
