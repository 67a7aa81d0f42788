import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js"
import formats from "ajv-formats"
import { expect } from "vitest"
import { z } from "zod"

const DocumentSchema = z.looseObject({
  paths: z.record(z.string(), z.record(z.string(), z.unknown())),
})
const ObjectSchema = z.record(z.string(), z.unknown())
const OperationSchema = z.object({ responses: z.record(z.string(), z.unknown()) })
const ResponseSchema = z.object({ content: z.record(z.string(), z.unknown()).optional() })

const described = new Map<string, Promise<Description>>()

/** Expects that the service's own /openapi.json describes a response: its path, method, status, media type and body. */
export async function expectDescribed(base: string, method: string, path: string, response: Response): Promise<void> {
  const description = described.get(base) ?? Description.of(base)
  described.set(base, description)
  const fault = (await description).faultOf(method, path, response, await response.clone().text())
  expect(fault, `${method} ${path} answered ${response.status}`).toBeUndefined()
}

class Description {
  readonly #document: z.infer<typeof DocumentSchema>
  readonly #ajv: Ajv2020
  readonly #validators = new Map<string, ValidateFunction>()

  constructor(document: unknown) {
    this.#document = DocumentSchema.parse(document)
    this.#ajv = formats.default(new Ajv2020({ strict: false }))
    this.#ajv.addSchema(this.#document, "openapi")
  }

  static async of(base: string): Promise<Description> {
    return new Description(await (await fetch(`${base}/openapi.json`)).json())
  }

  faultOf(method: string, path: string, response: Response, body: string): string | undefined {
    const [plainPath = ""] = path.split("?")
    // A literal path wins over a template with a parameter that matches it.
    const templates = Object.keys(this.#document.paths).filter((name) => patternOf(name).test(plainPath))
    const template = templates.find((name) => name === plainPath) ?? templates[0]
    const operation = template && OperationSchema.safeParse(this.#document.paths[template]?.[method.toLowerCase()]).data
    if (!template || !operation) return `${method} ${plainPath} is not described`
    const expected = ResponseSchema.safeParse(this.#resolve(operation.responses[String(response.status)])).data
    if (!expected) return `status ${response.status} is not described`
    if (!expected.content) return body === "" ? undefined : "a body is not described"
    const mediaType = response.headers.get("content-type")?.split(";")[0] ?? ""
    if (!(mediaType in expected.content)) return `media type ${mediaType} is not described`
    if (mediaType !== "application/json") return undefined
    return this.#faultOfBody(expected.content[mediaType], JSON.parse(body))
  }

  #faultOfBody(media: unknown, body: unknown): string | undefined {
    const { schema } = z.object({ schema: z.unknown() }).parse(media)
    const text = absolute(schema)
    const validate = this.#validators.get(text) ?? this.#ajv.compile(ObjectSchema.parse(JSON.parse(text)))
    this.#validators.set(text, validate)
    return validate(body) ? undefined : this.#ajv.errorsText(validate.errors)
  }

  #resolve(node: unknown): unknown {
    const reference = z.object({ $ref: z.string() }).safeParse(node).data
    if (!reference) return node
    return reference.$ref
      .split("/")
      .slice(1)
      .reduce<unknown>((value, key) => ObjectSchema.parse(value)[key], this.#document)
  }
}

/** Makes references inside a part of the document start at the document. */
const absolute = (schema: unknown): string => JSON.stringify(schema).replaceAll('"#/', '"openapi#/')

const patternOf = (template: string): RegExp =>
  new RegExp(`^${template.replaceAll(/\{\w+\}/g, "[^/]+").replaceAll(".", "\\.")}$`)
