/** A refusal of a vendor's API. Its body is plain text unless the headers say otherwise. */
export class ReplyError extends Error {
  readonly status: number
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
