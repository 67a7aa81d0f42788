import { InvalidRequest } from "@restwell/core"
import type { FastifyRequest } from "fastify"
import { z } from "zod"
import { editDistance, nearest } from "../../text/edit-distance.ts"

/** A name that takes more edits is not a misspelling of another. */
const MOST_EDITS = 4

/** Parses a request's query. A parameter must be known, and is given once. @throws {InvalidRequest} that names the parameter */
export function parseSearch<Schema extends z.ZodObject>(request: FastifyRequest, schema: Schema): z.infer<Schema> {
  return parseParameters(queryStringOf(request), schema)
}

/** The same for the text after the question mark. */
export function parseParameters<Schema extends z.ZodObject>(search: string, schema: Schema): z.infer<Schema> {
  const parameters = new URLSearchParams(search)
  const known = Object.keys(schema.shape)
  for (const name of new Set(parameters.keys())) {
    if (!known.includes(name)) throw new InvalidRequest(describeUnknown(name, known), shorten(name))
    if (parameters.getAll(name).length > 1) throw new InvalidRequest(`${name} is given more than once`, name)
  }
  const parsed = schema.safeParse(Object.fromEntries(parameters))
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  const field = String(issue?.path[0] ?? "query")
  throw new InvalidRequest(`${field} ${issue?.message ?? "is not valid"}`, field)
}

function describeUnknown(name: string, known: readonly string[]): string {
  const plain = name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
  const meant = nearest(plain, known)
  const hint = editDistance(plain, meant) <= MOST_EDITS ? `did you mean ${meant}` : `there are ${known.join(", ")}`
  return `unknown parameter ${shorten(name)}, ${hint}`
}

/** A name as plain and short text, safe to repeat to its sender. */
export const shorten = (name: string): string => name.replaceAll(/[^\w.[\]-]/g, "?").slice(0, 40)

const PathSchema = z.record(z.string(), z.unknown())

/** The part of the path that the route names, like `:provider`. */
export const pathParameter = ({ params }: FastifyRequest, name: string): string =>
  z.string().parse(PathSchema.parse(params)[name])

export const searchOf = (request: FastifyRequest): URLSearchParams => new URLSearchParams(queryStringOf(request))

/** The text after the question mark. */
export function queryStringOf({ raw: { url = "" } }: FastifyRequest): string {
  const start = url.indexOf("?")
  return start < 0 ? "" : url.slice(start + 1)
}
