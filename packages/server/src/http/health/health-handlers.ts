import { type Credential, type HealthReader, InvalidRequest } from "@restwell/core"
import type { FastifyReply, FastifyRequest } from "fastify"
import type { Session } from "../../accounts/session.ts"
import { readBearer } from "./bearer.ts"
import { entityTagsOf, JSON_TYPE, quotaHeaders, readingHeaders } from "./health-headers.ts"
import { parseHealthQuery } from "./health-query.ts"

/** GET and HEAD /api/v1/health: the key, the query, one read, the answer. HEAD returns no data and is not counted. */
export const healthHandler = (reader: HealthReader) => (request: FastifyRequest, reply: FastifyReply) =>
  answerHealth(reader, { keyHash: readBearer(request.raw) }, request, reply)

/** GET /api/account/health: the same for the signed-in person, not counted. */
export const ownHealthHandler =
  (reader: HealthReader) =>
  ({ userId }: Session, reply: FastifyReply, request: FastifyRequest) =>
    answerHealth(reader, { userId }, request, reply)

async function answerHealth(
  reader: HealthReader,
  credential: Credential,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const isByKey = "keyHash" in credential
  const query = parseHealthQuery(searchOf(request))
  if (query instanceof InvalidRequest) {
    await setQuota(reader, credential, reply)
    throw query
  }
  const reading = await reader.read({
    credential,
    query,
    ifNoneMatch: entityTagsOf(request.headers["if-none-match"]),
    isCounted: isByKey && request.method === "GET",
  })
  if (reading.quota) reply.headers(quotaHeaders(reading.quota))
  if (reading.outcome === "refused") throw reading.error
  // The browser must not keep what a session read: the next person at this browser could see it.
  reply.headers(readingHeaders(reading.etag, isByKey ? undefined : "no-store"))
  return reading.outcome === "not_modified" ? reply.code(304).send() : reply.type(JSON_TYPE).send(reading.bytes)
}

/** Adds a valid credential's quota to a response without data, such as 400 or 405. @throws the refusal of an unknown credential */
export async function setQuota(reader: HealthReader, credential: Credential, reply: FastifyReply): Promise<void> {
  const reading = await reader.readQuota(credential)
  if (reading.outcome === "refused") throw reading.error
  reply.headers(quotaHeaders(reading.quota))
}

const searchOf = ({ raw: { url = "" } }: FastifyRequest): string => {
  const start = url.indexOf("?")
  return start < 0 ? "" : url.slice(start + 1)
}
