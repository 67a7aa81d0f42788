/** A refusal of a vendor's API. WHOOP documents status codes but no bodies, so clients cannot parse the body. */
export class ReplyError extends Error {
  readonly status: number
  /** Plain text, or empty. */
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
export function notFound(): never {
  throw new ReplyError(404, "")
}
