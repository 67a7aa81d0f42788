import "./zod-without-eval.ts"
import { ErrorResponseSchema } from "@restwell/client"
import { z } from "zod"

const FailureSchema = ErrorResponseSchema.extend({ field: z.string().optional() })

/** What the service refused or failed with, in its own words; status 0 when it could not be reached. */
export class ServiceFailure extends Error {
  override readonly name = "ServiceFailure"
  readonly status: number
  readonly code: string
  readonly field: string | undefined
  /** When trying again makes sense, seconds. RFC 9110 10.2.3. */
  readonly retryAfterSeconds: number | undefined

  constructor(
    message: string,
    details: { status: number; code: string; field?: string; retryAfterSeconds?: number; cause?: unknown },
  ) {
    super(message, { cause: details.cause })
    this.status = details.status
    this.code = details.code
    this.field = details.field
    this.retryAfterSeconds = details.retryAfterSeconds
  }
}

interface SendOptions {
  readonly method?: "GET" | "POST" | "DELETE"
  readonly body?: object
}

/** Sends a request with the session's cookie and reads its answer by a schema. @throws {ServiceFailure} */
export async function send<Schema extends z.ZodType>(
  path: string,
  schema: Schema,
  { method = "GET", body }: SendOptions = {},
): Promise<z.infer<Schema>> {
  const answer = await reach(path, {
    method,
    headers: { accept: "application/json", ...(body && { "content-type": "application/json" }) },
    ...(body && { body: JSON.stringify(body) }),
  })
  const text = await answer.text()
  const value: unknown = text === "" ? undefined : parseJson(text)
  if (!answer.ok) throw failureOf(answer, value)
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  throw new ServiceFailure("this page is older than the service, reload it", {
    status: answer.status,
    code: "unexpected_answer",
    cause: parsed.error,
  })
}

/** The schema of an answer without a body. */
export const NOTHING = z.undefined()

async function reach(path: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(path, { credentials: "same-origin", cache: "no-cache", ...init })
  } catch (cause) {
    throw new ServiceFailure("Restwell cannot be reached, check the connection and try again", {
      status: 0,
      code: "unreachable",
      cause,
    })
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // A proxy in between answers with pages of its own; the status alone tells then.
    return undefined
  }
}

function failureOf(answer: Response, value: unknown): ServiceFailure {
  const parsed = FailureSchema.safeParse(value).data
  const retryAfter = Number(answer.headers.get("retry-after") ?? Number.NaN)
  return new ServiceFailure(parsed?.message ?? `the service answered ${answer.status}, try again in a moment`, {
    status: answer.status,
    code: parsed?.error ?? "unexpected_answer",
    ...(parsed?.field !== undefined && { field: parsed.field }),
    ...(Number.isFinite(retryAfter) && { retryAfterSeconds: retryAfter }),
  })
}
