import multipart from "@fastify/multipart"
import type { FastifyInstance } from "fastify"
import { unstorableForm, unstorableJson } from "./storable-requests.ts"

/** Bodies are JSON. Many programs announce a JSON body and send none. */
export function readJson(app: FastifyInstance): void {
  app.removeContentTypeParser("text/plain")
  const parseJson = app.getDefaultJsonParser("error", "error")
  app.addContentTypeParser("application/json", { parseAs: "string" }, (request, body, done) => {
    if (body.length === 0) done(null, undefined)
    else parseJson(request, body.toString(), (error, parsed) => done(error ?? unstorableJson(parsed) ?? null, parsed))
  })
}

/** Bodies are forms too. The handler gets their text. */
export const readForms = (app: FastifyInstance): void =>
  void app.addContentTypeParser("application/x-www-form-urlencoded", { parseAs: "string" }, (_request, body, done) => {
    const form = body.toString()
    done(unstorableForm(form) ?? null, form)
  })

/** Bodies are bytes, whatever their type says: a signature covers them. */
export function readBytes(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser("*", { parseAs: "buffer" }, (_request, body, done) => done(null, body))
}

/** Bodies are forms with one file, which the handler reads while it arrives, with its own limit of the size. */
export async function readFile(app: FastifyInstance): Promise<void> {
  app.removeAllContentTypeParsers()
  await app.register(multipart)
  // The handler says what to send instead.
  app.addContentTypeParser("*", (_request, payload, done) => {
    payload.resume()
    done(null)
  })
}
