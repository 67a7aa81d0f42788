import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js"
import formats from "ajv-formats"
import { expect } from "vitest"
import { z } from "zod"

const DocumentSchema = z.object({
  paths: z.record(z.string(), z.record(z.string(), z.unknown())),
})
const OperationSchema = z.object({ responses: z.record(z.string(), z.unknown()) })
const ResponseSchema = z.object({ content: z.record(z.string(), z.unknown()).optional() })

const descriptions = new Map<string, Promise<Referee>>()

/** Expects an answer to be one that the service's own /openapi.json describes: path, method, status, media type, body. */
export async function expectDescribed(base: string, method: string, path: string, answer: Response): Promise<void> {
  const known = descriptions.get(base) ?? Referee.of(base)
  descriptions.set(base, known)
  const fault = (await known).faultOf(method, path, answer, await answer.clone().text())
  expect(fault, `${method} ${path} answered ${answer.status}`).toBeUndefined()
}

class Referee {
  readonly #document: z.infer<typeof DocumentSchema>
  readonly #ajv: Ajv2020
  readonly #validators = new Map<string, ValidateFunction>()

  constructor(document: unknown) {
    this.#document = DocumentSchema.parse(document)
    this.#ajv = formats.default(new Ajv2020({ strict: false }))
    this.#ajv.addSchema(Object(document), "openapi")
  }

  static async of(base: string): Promise<Referee> {
    return new Referee(await (await fetch(`${base}/openapi.json`)).json())
  }

  faultOf(method: string, path: string, answer: Response, body: string): string | undefined {
    const [plainPath = ""] = path.split("?")
    // A path that is described as it is goes before one with a parameter that would fit.
    const templates = Object.keys(this.#document.paths).filter((name) => patternOf(name).test(plainPath))
    const template = templates.find((name) => name === plainPath) ?? templates[0]
    const operation = template && OperationSchema.safeParse(this.#document.paths[template]?.[method.toLowerCase()]).data
    if (!template || !operation) return `${method} ${plainPath} is not described`
    const described = ResponseSchema.safeParse(this.#resolve(operation.responses[String(answer.status)])).data
    if (!described) return `status ${answer.status} is not described`
    if (!described.content) return body === "" ? undefined : "a body is not described"
    const mediaType = answer.headers.get("content-type")?.split(";")[0] ?? ""
    if (!(mediaType in described.content)) return `media type ${mediaType} is not described`
    if (mediaType !== "application/json") return undefined
    return this.#faultOfBody(described.content[mediaType], JSON.parse(body))
  }

  #faultOfBody(media: unknown, body: unknown): string | undefined {
    const { schema } = z.object({ schema: z.unknown() }).parse(media)
    const text = absolute(schema)
    const validate = this.#validators.get(text) ?? this.#ajv.compile(Object(JSON.parse(text)))
    this.#validators.set(text, validate)
    return validate(body) ? undefined : this.#ajv.errorsText(validate.errors)
  }

  #resolve(node: unknown): unknown {
    const reference = z.object({ $ref: z.string() }).safeParse(node).data
    if (!reference) return node
    return reference.$ref
      .split("/")
      .slice(1)
      .reduce<unknown>((value, key) => Object(value)[key], this.#document)
  }
}

/** References inside a part of the document, made to begin at the document. */
const absolute = (schema: unknown): string => JSON.stringify(schema).replaceAll('"#/', '"openapi#/')

const patternOf = (template: string): RegExp =>
  new RegExp(`^${template.replaceAll(/\{\w+\}/g, "[^/]+").replaceAll(".", "\\.")}$`)
