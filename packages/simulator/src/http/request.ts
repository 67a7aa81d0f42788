/** Bodies of HTML forms and of OAuth's token requests: application/x-www-form-urlencoded. */
import type { FastifyInstance, FastifyRequest } from "fastify"

/** Lets an app read forms. */
export function acceptForms(app: FastifyInstance): void {
  app.addContentTypeParser("application/x-www-form-urlencoded", { parseAs: "string" }, (_request, body, done) => {
    done(null, new URLSearchParams(String(body)))
  })
}

/** Returns the form of a request; an empty one when it sent none. */
export function formOf(request: FastifyRequest): URLSearchParams {
  return request.body instanceof URLSearchParams ? request.body : new URLSearchParams()
}
