import type { FastifyInstance, FastifyRequest } from "fastify"

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

/** The part of the HTTP server that differs between vendors. */
export interface VendorApi {
  addRoutes(app: FastifyInstance): void
  /** Returns the user id behind a token or code, valid or not. */
  ownerOf(token: string): number | undefined
  /** Returns the vendor's reply to a request over the rate limit. */
  rateLimitExceeded(): ReplyError
}

/** Lets an app read application/x-www-form-urlencoded, the form of HTML forms and of OAuth token requests. */
export function acceptForms(app: FastifyInstance): void {
  app.addContentTypeParser("application/x-www-form-urlencoded", { parseAs: "string" }, (_request, body, done) => {
    done(null, new URLSearchParams(String(body)))
  })
}

/** Returns the form of a request; an empty one when it sent none. */
export function formOf(request: FastifyRequest): URLSearchParams {
  return request.body instanceof URLSearchParams ? request.body : new URLSearchParams()
}

/** Returns the query of a request. */
export function queryOf(request: FastifyRequest): URLSearchParams {
  return new URL(request.url, "http://localhost").searchParams
}

/** Returns the token of an `Authorization: Bearer` header, or the password of a `Basic` one. */
export function credentialOf(request: FastifyRequest): string | undefined {
  const [, encoded] = /^Basic ([A-Za-z0-9+/=]+)$/i.exec(request.headers.authorization ?? "") ?? []
  // Some vendors' header is the token alone.
  if (encoded === undefined) return bearerToken(request) ?? /^\S+$/.exec(request.headers.authorization ?? "")?.[0]
  return /^[^:]*:(.*)$/s.exec(Buffer.from(encoded, "base64").toString("utf8"))?.[1]
}

/** Returns the token of an `Authorization: Bearer` header. */
export function bearerToken(request: FastifyRequest): string | undefined {
  return /^Bearer ([^\s]+)$/i.exec(request.headers.authorization ?? "")?.[1]
}
