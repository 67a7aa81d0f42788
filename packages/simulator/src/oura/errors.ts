/** Oura's errors: JSON with status, title and detail. @see https://cloud.ouraring.com/docs/error-handling */
import { ReplyError } from "../http/reply-error.ts"

const TITLES: Readonly<Record<number, string>> = {
  400: "Bad Request",
  401: "Unauthorized",
  403: "Forbidden",
  404: "Not Found",
  409: "Conflict",
  422: "Unprocessable Entity",
  429: "Too Many Requests",
}

export function ouraError(status: number, detail: string, headers: Readonly<Record<string, string>> = {}): ReplyError {
  const body = JSON.stringify({ status, title: TITLES[status] ?? "Error", detail })
  return new ReplyError(status, body, { "content-type": "application/json", ...headers })
}

/** A body that is not valid has the form of FastAPI. */
export function invalidBody(field: string, message: string): ReplyError {
  const body = JSON.stringify({ detail: [{ loc: ["body", field], msg: message, type: "value_error" }] })
  return new ReplyError(422, body, { "content-type": "application/json" })
}
