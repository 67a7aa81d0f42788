/**
 * Refusals of the data API. WHOOP documents the status codes and no body, so a body here is never something to parse:
 * it is empty or a few words.
 * @see https://developer.whoop.com/api
 */

export class ReplyError extends Error {
  readonly status: number
  /** Plain text; empty where WHOOP sends nothing. */
  readonly body: string
  readonly headers: Readonly<Record<string, string>>

  constructor(status: number, body: string, headers: Readonly<Record<string, string>> = {}) {
    super(`${status} ${body}`)
    this.name = "ReplyError"
    this.status = status
    this.body = body
    this.headers = headers
  }
}

export const badRequest = (reason: string) => new ReplyError(400, reason)
export const invalidAuthorization = () => new ReplyError(401, "")
export const notFound = () => new ReplyError(404, "")
