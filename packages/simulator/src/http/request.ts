import type { FastifyInstance, FastifyRequest } from "fastify"

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

/** Returns the token of an `Authorization: Bearer` header. */
export function bearerToken(request: FastifyRequest): string | undefined {
  return /^Bearer ([^\s]+)$/i.exec(request.headers.authorization ?? "")?.[1]
}
