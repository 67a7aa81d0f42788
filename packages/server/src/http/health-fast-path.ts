import { randomUUID } from "node:crypto"
import type { IncomingMessage, Server, ServerResponse } from "node:http"
import type { HealthQuery } from "@restwell/client"
import { type Clock, type HealthBytes, type HealthReader, InvalidRequest, parseApiKey } from "@restwell/core"
import { LRUCache } from "lru-cache"
import { entityTagsOf, headersOfReading, JSON_TYPE, quotaHeaders } from "./health-headers.ts"
import { HEALTH_PATH, tryParseHealthQuery } from "./health-query.ts"
import { errorAnswer } from "./plumbing/errors.ts"
import type { LogFailure } from "./plumbing/failure-log.ts"
import type { MeasureAnswer } from "./plumbing/metrics.ts"
import type { Readiness } from "./plumbing/readiness.ts"
import { requestIdOf } from "./plumbing/request-id.ts"

/** Longer ones are rare, and too long for what remembers queries. */
const LONGEST_URL = 256
const REMEMBERED_QUERIES = 4_096
const BEARER = "Bearer "

export interface FastPathOptions {
  readonly reader: HealthReader
  readonly clock: Clock
  readonly readiness: Readiness
  readonly measureAnswer: MeasureAnswer
  readonly logFailure: LogFailure
  /** What every answer carries: names and values in turn. */
  readonly headers: readonly string[]
}

/** A request for health data that is all in order. */
interface PlainRequest {
  readonly keyHash: string
  readonly query: HealthQuery
  readonly ifNoneMatch: readonly string[]
  readonly id: string
}

/**
 * Answers `GET /api/v1/health` with a whole key and a good query before the framework sees it, as the framework would, header by header.
 * Whatever is out of the ordinary is left to the framework; nothing has been counted then.
 */
export function takeFastPath(server: Server, options: FastPathOptions): void {
  const plainRequestOf = createRequestReader()
  const handlers = server.listeners("request")
  server.removeAllListeners("request")
  server.on("request", (request: IncomingMessage, response: ServerResponse) => {
    const plain = options.readiness.isDraining ? undefined : plainRequestOf(request)
    if (plain) void answer(plain, response, options)
    else for (const handler of handlers) handler.call(server, request, response)
  })
}

async function answer(
  { keyHash, query, ifNoneMatch, id }: PlainRequest,
  response: ServerResponse,
  options: FastPathOptions,
): Promise<void> {
  const startMs = performance.now()
  options.readiness.noteRequest()
  const { status, headers, body } = await options.reader
    .readBytes({ credential: { keyHash }, query, ifNoneMatch, charge: true })
    .then((reading) => answerOf(reading, id, options))
    .catch((error: unknown) => refusalOf(error, [], id, options))
  response.writeHead(status, [...options.headers, "x-request-id", id, ...headers])
  response.end(body)
  options.measureAnswer({
    method: "GET",
    route: HEALTH_PATH,
    status,
    durationMs: performance.now() - startMs,
    reqId: id,
  })
}

interface Answer {
  readonly status: number
  readonly headers: readonly string[]
  readonly body?: Buffer
}

function answerOf(reading: HealthBytes, id: string, options: FastPathOptions): Answer {
  const quota = reading.quota ? quotaHeaders(reading.quota) : []
  switch (reading.outcome) {
    case "answer":
      return {
        status: 200,
        headers: [...quota, ...headersOfReading(reading.etag), ...bodyHeaders(reading.bytes)],
        body: reading.bytes,
      }
    case "not_modified":
      return { status: 304, headers: [...quota, ...headersOfReading(reading.etag)] }
    case "refused":
      return refusalOf(reading.error, quota, id, options)
    case "peeked":
      throw new Error("a read with a query was answered as one without")
  }
}

function refusalOf(
  error: unknown,
  quota: readonly string[],
  id: string,
  { clock, logFailure }: FastPathOptions,
): Answer {
  const { status, headers, body } = errorAnswer(error, id, clock.now())
  if (status >= 500) logFailure(error, id)
  const bytes = Buffer.from(JSON.stringify(body))
  return {
    status,
    headers: [...quota, "cache-control", "no-store", ...Object.entries(headers).flat(), ...bodyHeaders(bytes)],
    body: bytes,
  }
}

const bodyHeaders = ({ length }: Buffer): string[] => ["content-type", JSON_TYPE, "content-length", String(length)]

/** Reads what is in order, and undefined of everything else. */
function createRequestReader(): (request: IncomingMessage) => PlainRequest | undefined {
  const queries = new LRUCache<string, HealthQuery>({ max: REMEMBERED_QUERIES })
  const remember = (url: string): HealthQuery | undefined => {
    const query = queryOf(url)
    if (query) queries.set(url, query)
    return query
  }
  return (request) => {
    const { method, url = "", httpVersion } = request
    if (method !== "GET" || httpVersion !== "1.1" || url.length > LONGEST_URL || !isHealthUrl(url)) return undefined
    const found = readHeaders(request.rawHeaders)
    const key = found?.authorization.startsWith(BEARER)
      ? parseApiKey(found.authorization.slice(BEARER.length))
      : undefined
    const query = key && (queries.get(url) ?? remember(url))
    if (!found || !key || !query) return undefined
    const id = found.isNamed ? requestIdOf(request) : randomUUID()
    return { keyHash: key.keyHash, query, ifNoneMatch: entityTagsOf(found.ifNoneMatch), id }
  }
}

const isHealthUrl = (url: string): boolean =>
  url.startsWith(HEALTH_PATH) && (url.length === HEALTH_PATH.length || url[HEALTH_PATH.length] === "?")

function queryOf(url: string): HealthQuery | undefined {
  const query = tryParseHealthQuery(url.slice(HEALTH_PATH.length + 1))
  return query instanceof InvalidRequest ? undefined : query
}

/** Headers that make a request more than a plain one. */
const UNUSUAL: ReadonlySet<string> = new Set(["content-length", "transfer-encoding", "expect", "upgrade"])

interface PlainHeaders {
  readonly authorization: string
  readonly ifNoneMatch: string | undefined
  /** Whether the request brings an id of its own. */
  readonly isNamed: boolean
}

/** One Host, one Authorization, at most one If-None-Match, no body: undefined where it is not so. */
function readHeaders(rawHeaders: readonly string[]): PlainHeaders | undefined {
  let hosts = 0
  let authorization: string | undefined
  let ifNoneMatch: string | undefined
  let isNamed = false
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]?.toLowerCase() ?? ""
    const value = rawHeaders[index + 1] ?? ""
    if (name === "host") hosts += 1
    else if (name === "authorization") {
      if (authorization !== undefined) return undefined
      authorization = value
    } else if (name === "if-none-match") {
      if (ifNoneMatch !== undefined) return undefined
      ifNoneMatch = value
    } else if (name === "x-request-id") isNamed = true
    else if (UNUSUAL.has(name)) return undefined
  }
  if (hosts !== 1 || authorization === undefined) return undefined
  return { authorization, ifNoneMatch, isNamed }
}
