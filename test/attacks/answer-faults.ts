import { z } from "zod"
import type { Answer, RawRequest } from "./send-request.ts"

/** Our errors. A 400 names the field. */
const ErrorSchema = z
  .looseObject({ error: z.string(), message: z.string(), field: z.string().optional() })
  .refine(({ error, field }) => error !== "invalid_request" || field !== undefined)
/** RFC 6749 5.2, RFC 7591 3.2.2 */
const OauthErrorSchema = z.looseObject({ error: z.string(), error_description: z.string().optional() })
/** JSON-RPC 2.0, 5.1 */
const RpcErrorSchema = z.looseObject({
  jsonrpc: z.literal("2.0"),
  error: z.looseObject({ code: z.int(), message: z.string() }),
})

/** Paths whose errors are pages, or OAuth's. */
const OAUTH = /^(?:https?:\/\/[^/]*)?\/oauth\//

/** Returns what is wrong with an answer to a hostile request. Undefined without a fault. */
export function answerFault(request: Pick<RawRequest, "method" | "target">, answer: Answer): string | undefined {
  const { status, body } = answer
  if (status >= 500) return `status ${status}: ${body.slice(0, 200)}`
  if (/\n\s+at .+:\d+:\d+/.test(body)) return "the body has a stack trace"
  if (request.method === "HEAD") return body === "" ? undefined : `HEAD with a body: ${body.slice(0, 200)}`
  if (status < 400) return undefined
  return errorBodyFault(request.target, answer)
}

function errorBodyFault(target: string, { status, headers, body }: Answer): string | undefined {
  const type = headers["content-type"] ?? ""
  const isOauth = OAUTH.test(target)
  if (type.startsWith("text/html")) return isOauth ? undefined : `status ${status} with a page`
  if (!type.startsWith("application/json")) return `status ${status} with the media type “${type}”`
  const schemas = [ErrorSchema, ...(isOauth ? [OauthErrorSchema] : []), RpcErrorSchema]
  const parsed: unknown = JSON.parse(body)
  return schemas.some((schema) => schema.safeParse(parsed).success) ? undefined : `status ${status} with ${body}`
}
