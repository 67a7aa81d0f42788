import {
  type Credential,
  type HealthReader,
  type InsightQuery,
  type InsightType,
  type Quota,
  type ReadQuery,
  ServiceError,
} from "@restwell/core"
import type { FastifyReply, FastifyRequest } from "fastify"
import type { Session } from "../../accounts/session.ts"
import { queryStringOf } from "../plumbing/query-parameters.ts"
import { readBearer } from "./bearer.ts"
import { parseHealthQuery, parseJournalQuery } from "./health-query.ts"
import { parseInsightQuery } from "./insight-query.ts"

const JSON_TYPE = "application/json; charset=utf-8"

/** Clients are advised to cache for 15 to 30 minutes. Spec 8. */
const CACHE_CONTROL = "private, max-age=900"

/** The month's quota. Spec 8. */
export const quotaHeaders = ({ limit, remaining, reset }: Quota) => ({
  "x-ratelimit-limit": String(limit),
  "x-ratelimit-remaining": String(remaining),
  "x-ratelimit-reset": reset.toISOString(),
})

/** The headers of an answer with data, and of one that is unchanged. */
const readingHeaders = (etag: string, cacheControl = CACHE_CONTROL) => ({
  "cache-control": cacheControl,
  etag,
  vary: "Authorization",
})

/** The tags of If-None-Match, compared weakly. RFC 9110 13.1.2. */
const entityTagsOf = (header: string | undefined): string[] =>
  header === undefined ? [] : header.trim() === "*" ? ["*"] : [...header.matchAll(/"[^"]*"/g)].map(([tag]) => tag)

/** GET and HEAD /api/v1/health: the key, the query, one read, the answer. HEAD returns no data and is not counted. */
export const healthHandler = (reader: HealthReader) => (request: FastifyRequest, reply: FastifyReply) =>
  answerRead(reader, { keyHash: readBearer(request.raw) }, parseHealthQuery, { request, reply })

/** GET /api/account/health: the same for the signed-in person, not counted. */
export const ownHealthHandler =
  (reader: HealthReader) =>
  ({ userId }: Session, reply: FastifyReply, request: FastifyRequest) =>
    answerRead(reader, { userId }, parseHealthQuery, { request, reply })

/** GET and HEAD /api/v1/journal: the same for the journal. */
export const journalHandler = (reader: HealthReader) => (request: FastifyRequest, reply: FastifyReply) =>
  answerRead(reader, { keyHash: readBearer(request.raw) }, parseJournalQuery, { request, reply })

/** GET and HEAD /api/v1/metrics, trend, compare and relate: the same for the statistics. */
export const insightHandler =
  (reader: HealthReader, type: InsightType) => (request: FastifyRequest, reply: FastifyReply) =>
    answerRead(reader, { keyHash: readBearer(request.raw) }, parseInsightQuery(type), { request, reply })

/** GET /api/account/metrics, trend, compare and relate: the same for the signed-in person, not counted. */
export const ownInsightHandler =
  (reader: HealthReader, type: InsightType) =>
  ({ userId }: Session, reply: FastifyReply, request: FastifyRequest) =>
    answerRead(reader, { userId }, parseInsightQuery(type), { request, reply })

type ParseQuery = (search: string) => ReadQuery | InsightQuery

async function answerRead(
  reader: HealthReader,
  credential: Credential,
  parseQuery: ParseQuery,
  { request, reply }: { readonly request: FastifyRequest; readonly reply: FastifyReply },
): Promise<FastifyReply> {
  const isByKey = "keyHash" in credential
  const isCounted = isByKey && request.method === "GET"
  const ifNoneMatch = entityTagsOf(request.headers["if-none-match"])
  const query = await queryOf(request, parseQuery, async () => {
    reply.headers(quotaHeaders(await reader.readQuota(credential)))
  })
  const reading = await reader.read({ credential, query, ifNoneMatch, isCounted }).catch((error: unknown) => {
    if (error instanceof ServiceError && error.quota) reply.headers(quotaHeaders(error.quota))
    throw error
  })
  // The browser must not keep what a session read: the next person at this browser could see it.
  const cacheControl = isByKey ? undefined : "no-store"
  const etag = reading.outcome === "answer" ? reading.response.etag : reading.etag
  reply.headers({ ...quotaHeaders(reading.quota), ...readingHeaders(etag, cacheControl) })
  return reading.outcome === "answer" ? reply.type(JSON_TYPE).send(reading.response.bytes) : reply.code(304).send()
}

/** @param onFault adds the quota to the response: a valid key gets it with 400 as well */
async function queryOf(
  request: FastifyRequest,
  parseQuery: ParseQuery,
  onFault: () => Promise<void>,
): Promise<ReadQuery | InsightQuery> {
  try {
    return parseQuery(queryStringOf(request))
  } catch (error) {
    await onFault()
    throw error
  }
}
