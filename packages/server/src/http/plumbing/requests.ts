// Parses the query, path and body of a request, and refuses text that PostgreSQL cannot store. The rule itself is isStorableText.

import { randomUUID } from "node:crypto"
import type { IncomingMessage } from "node:http"
import multipart from "@fastify/multipart"
import { nearestName } from "@restwell/client"
import { InvalidRequest } from "@restwell/core"
import { isStorableText, unstorablePath } from "@restwell/providers"
import type { FastifyInstance, FastifyRequest } from "fastify"
import { z } from "zod"
import { parseFields } from "../../accounts/request-bodies.ts"

/** A name that takes more edits is not a misspelling of another. */
const MOST_EDITS = 4
/** Characters. What follows them in an unknown name is neither compared nor repeated. */
const LONGEST_NAME = 40

/** Parses a request's query. A parameter must be known, and is given once. @throws {InvalidRequest} that names the parameter */
export function parseSearch<Schema extends z.ZodObject>(request: FastifyRequest, schema: Schema): z.infer<Schema> {
  return parseParameters(queryStringOf(request), schema)
}

/** Parses the text after the question mark. A parameter must be known, and is given once. @throws {InvalidRequest} that names the parameter */
export function parseParameters<Schema extends z.ZodObject>(search: string, schema: Schema): z.infer<Schema> {
  const parameters = new URLSearchParams(search)
  const known = Object.keys(schema.shape)
  for (const name of new Set(parameters.keys())) {
    if (!known.includes(name)) throw new InvalidRequest(describeUnknown(name, known), shorten(name))
    if (parameters.getAll(name).length > 1) throw new InvalidRequest(`${name} is given more than once`, name)
  }
  const parsed = schema.safeParse(Object.fromEntries(parameters))
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  const field = String(issue?.path[0] ?? "query")
  throw new InvalidRequest(`${field} ${issue?.message ?? "is not valid"}`, field)
}

function describeUnknown(name: string, known: readonly string[]): string {
  const plain = name.slice(0, LONGEST_NAME).replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
  if (known.length === 0) return `unknown parameter ${shorten(name)}, this takes no parameters`
  const meant = nearestName(plain, known, MOST_EDITS)
  const hint = meant === undefined ? `there are ${known.join(", ")}` : `did you mean ${meant}`
  return `unknown parameter ${shorten(name)}, ${hint}`
}

/** A name as plain and short text, safe to repeat to its sender. */
const shorten = (name: string): string => name.slice(0, LONGEST_NAME).replaceAll(/[^\w.[\]-]/g, "?")

const PathSchema = z.record(z.string(), z.unknown())

/** The part of the path that the route names, like `:provider`. */
export const pathParameter = ({ params }: FastifyRequest, name: string): string =>
  z.string().parse(PathSchema.parse(params)[name])

export const searchOf = (request: FastifyRequest): URLSearchParams => new URLSearchParams(queryStringOf(request))

/** The text after the question mark. */
export function queryStringOf({ raw: { url = "" } }: FastifyRequest): string {
  const start = url.indexOf("?")
  return start < 0 ? "" : url.slice(start + 1)
}

const NOT_TEXT = "contains an invalid escape sequence, or characters that are not text"

/** Returns the error that names the path, or the first parameter, that cannot be stored. Undefined without one. */
function unstorableUrl(url: string): InvalidRequest | undefined {
  // Node's parser refuses control characters, so only escape sequences can hold them.
  if (!url.includes("%")) return undefined
  const start = url.indexOf("?")
  const path = start < 0 ? url : url.slice(0, start)
  if (!isStorableEncoding(path)) return new InvalidRequest(`the path ${NOT_TEXT}`, "path")
  return start < 0 ? undefined : unstorableParameter(url.slice(start + 1), "query")
}

/** Returns the error that names the first field of a form that cannot be stored. Undefined without one. */
const unstorableForm = (form: string): InvalidRequest | undefined => unstorableParameter(form, "form")

/** Returns the error that names the first field of a JSON body that cannot be stored. Undefined without one. */
function unstorableJson(body: Parameters<typeof unstorablePath>[0]): InvalidRequest | undefined {
  const path = unstorablePath(body)
  if (path === undefined) return undefined
  const field = shorten(path)
  return new InvalidRequest(`${field} contains characters that are not text, or is nested too deeply`, field)
}

/** @param whole the field to name where the parameter's name cannot be repeated */
function unstorableParameter(parameters: string, whole: string): InvalidRequest | undefined {
  if (!/[%\0]/.test(parameters)) return undefined
  const unstorable = parameters.split("&").find((parameter) => !isStorableEncoding(parameter))
  if (unstorable === undefined) return undefined
  const [name = ""] = unstorable.split("=")
  const field = /^[\w.[\]-]+$/.test(name) ? shorten(name) : whole
  return new InvalidRequest(`${field} ${NOT_TEXT}`, field)
}

/** Returns whether percent-encoded text is UTF-8 that can be stored. UTF-8 has no surrogates. RFC 3986 2.1, RFC 3629 3 */
function isStorableEncoding(encoded: string): boolean {
  try {
    return isStorableText(decodeURIComponent(encoded))
  } catch {
    return false
  }
}

/** Parses a JSON body. A missing body is an empty object. @throws {InvalidRequest} that names the field */
export const parseBody = <Schema extends z.ZodType>(request: FastifyRequest, schema: Schema): z.infer<Schema> =>
  parseFields(request.body ?? {}, schema)

const URL_BYTES = 8_192

/** Refuses requests that are invalid for any route, before anything else reads them. */
export function limitRequests(app: FastifyInstance): void {
  app.addHook("onRequest", ({ raw }, reply, done) => {
    if ((raw.url?.length ?? 0) > URL_BYTES)
      reply
        .code(414)
        .header("cache-control", "no-store")
        .send({ error: "uri_too_long", message: `a URL has at most ${URL_BYTES} bytes` })
    else done(faultOf(raw))
  })
}

function faultOf(raw: IncomingMessage): InvalidRequest | undefined {
  if (!hasValidHost(raw)) return new InvalidRequest("an HTTP/1.1 request must have one Host header", "host")
  return unstorableUrl(raw.url ?? "")
}

/** RFC 9112 3.2: exactly one. Before HTTP/1.1 none is needed. */
function hasValidHost({ rawHeaders, httpVersion }: IncomingMessage): boolean {
  const count = rawHeaders.filter((name, index) => index % 2 === 0 && name.toLowerCase() === "host").length
  return count === 1 || (count === 0 && httpVersion !== "1.1")
}

/** Short, and safe in a log, a terminal and a header. */
const GOOD_ID = /^[\w.:-]{1,64}$/

/** The request's id from the client or a proxy, so that their log and ours share it, or else a new one. */
export function requestIdOf({ headers }: Pick<IncomingMessage, "headers">): string {
  const given = headers["x-request-id"]
  return typeof given === "string" && GOOD_ID.test(given) ? given : randomUUID()
}

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

/** Bodies are JSON that the handler reads while it arrives, with its own limit of the size. */
export function readStream(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser("application/json", (_request, payload, done) => done(null, payload))
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
