import { InvalidRequest } from "@restwell/core"
import type { FastifyRequest } from "fastify"
import type { z } from "zod"

/** Parses a JSON body. A missing body is an empty object. @throws {InvalidRequest} that names the field */
export function parseBody<Schema extends z.ZodType>(request: FastifyRequest, schema: Schema): z.infer<Schema> {
  const parsed = schema.safeParse(request.body ?? {})
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  const field = issue?.path.join(".") || "body"
  throw new InvalidRequest(`${field} ${issue?.message ?? "is not valid"}`, field)
}
