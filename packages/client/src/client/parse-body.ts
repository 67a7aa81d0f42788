import type { z } from "zod"
import { UnexpectedResponseError } from "../errors/unexpected-response-error.ts"
import type { HttpAnswer } from "./send.ts"

type Body = Pick<HttpAnswer, "status" | "text">

/** Returns the body as the schema describes it. Throws UnexpectedResponseError with the path of the first difference. */
export function parseAnswer<T>(schema: z.ZodType<T>, { status, text }: Body): T {
  const parsed = schema.safeParse(parseJson({ status, text }))
  if (parsed.success) return parsed.data
  const issue = parsed.error.issues[0]
  const path = issue?.path.join(".") ?? ""
  const place = path === "" ? "" : ` at ${path}`
  throw new UnexpectedResponseError(
    `the body of the ${status} answer is not as the API describes it${place}: ${issue?.message}`,
    { status, path },
    { cause: parsed.error },
  )
}

function parseJson({ status, text }: Body): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new UnexpectedResponseError(`the body of the ${status} answer is not JSON`, { status, path: "" }, { cause })
  }
}
