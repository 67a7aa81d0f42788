import type { z } from "zod"
import { UnexpectedResponseError } from "../errors/unexpected-response-error.ts"
import type { HttpResponse } from "./send.ts"

type Body = Pick<HttpResponse, "status" | "text">

/** Returns the body, checked by the schema. Throws UnexpectedResponseError with the path of the first difference. */
export function parseBody<T>(schema: z.ZodType<T>, body: Body): T {
  const parsed = schema.safeParse(parseJson(body))
  if (parsed.success) return parsed.data
  const issue = parsed.error.issues[0]
  const path = issue?.path.join(".") ?? ""
  throw new UnexpectedResponseError(
    `the body of the ${body.status} response does not match the API${path === "" ? "" : ` at ${path}`}: ${issue?.message}`,
    { status: body.status, path },
    { cause: parsed.error },
  )
}

function parseJson({ status, text }: Body): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new UnexpectedResponseError(`the body of the ${status} response is not JSON`, { status, path: "" }, { cause })
  }
}
