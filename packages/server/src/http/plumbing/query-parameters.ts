import { InvalidRequest } from "@restwell/core"
import type { FastifyRequest } from "fastify"
import type { z } from "zod"

/** A request's query by its schema, each parameter once. @throws {InvalidRequest} that names the parameter */
export function parseSearch<Schema extends z.ZodType>(request: FastifyRequest, schema: Schema): z.infer<Schema> {
  const start = request.url.indexOf("?")
  const parameters = new URLSearchParams(start < 0 ? "" : request.url.slice(start + 1))
  for (const name of new Set(parameters.keys()))
    if (parameters.getAll(name).length > 1)
      throw new InvalidRequest(`${shorten(name)} is given more than once`, shorten(name))
  const parsed = schema.safeParse(Object.fromEntries(parameters))
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  if (issue?.code === "unrecognized_keys") {
    const name = shorten(issue.keys[0] ?? "")
    throw new InvalidRequest(`unknown parameter ${name}`, name)
  }
  const field = String(issue?.path[0] ?? "query")
  throw new InvalidRequest(`${field} ${issue?.message ?? "is not valid"}`, field)
}

/** What is repeated to the sender is short, and plain text. */
export const shorten = (name: string): string => name.replaceAll(/[^\w.[\]-]/g, "?").slice(0, 40)
