import { InvalidRequest } from "@restwell/core"
import type { FastifyRequest } from "fastify"
import type { z } from "zod"

/** Parses a request's query. A parameter may be given once. @throws {InvalidRequest} that names the parameter */
export function parseSearch<Schema extends z.ZodType>(request: FastifyRequest, schema: Schema): z.infer<Schema> {
  const parameters = searchOf(request)
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

/** A name as plain and short text, safe to repeat to its sender. */
export const shorten = (name: string): string => name.replaceAll(/[^\w.[\]-]/g, "?").slice(0, 40)

export function searchOf({ url }: FastifyRequest): URLSearchParams {
  const start = url.indexOf("?")
  return new URLSearchParams(start < 0 ? "" : url.slice(start + 1))
}
