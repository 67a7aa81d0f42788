import type { HealthBytes, HealthReader, HealthReadRequest, Quota } from "@restwell/core"
import { InvalidRequest } from "@restwell/core"
import type { FastifyReply, FastifyRequest } from "fastify"
import type { Session } from "../accounts/session.ts"
import { readBearer } from "./health/bearer.ts"
import { entityTagsOf, headersOfReading, JSON_TYPE, quotaHeaders } from "./health-headers.ts"
import { tryParseHealthQuery } from "./health-query.ts"

/** GET and HEAD /api/v1/health: the key, the query, one read, the answer. HEAD carries no data away and is not counted. */
export const healthDoor = (reader: HealthReader) => (request: FastifyRequest, reply: FastifyReply) =>
  readFor({ keyHash: readBearer(request.raw) }, request.method === "GET", reader, request, reply)

/** GET /api/account/health: the same for the person who is signed in, not counted. */
export const ownHealthDoor =
  (reader: HealthReader) =>
  ({ userId }: Session, reply: FastifyReply, request: FastifyRequest) =>
    readFor({ userId }, false, reader, request, reply)

async function readFor(
  credential: HealthReadRequest["credential"],
  charge: boolean,
  reader: HealthReader,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const query = tryParseHealthQuery(searchOf(request))
  const isInvalid = query instanceof InvalidRequest
  const reading = await reader.readBytes({
    credential,
    query: isInvalid ? null : query,
    ifNoneMatch: entityTagsOf(request.headers["if-none-match"]),
    charge,
  })
  if (reading.quota) setQuota(reply, reading.quota)
  if (reading.outcome === "peeked" && isInvalid) throw query
  return sendReading(reply, reading, "keyHash" in credential)
}

/** The quota of a valid key on an answer that has nothing else to say about it, as 405. */
export async function quotaOf(reader: HealthReader, request: FastifyRequest): Promise<Quota | undefined> {
  if (request.headers.authorization === undefined) return undefined
  const credential = { keyHash: readBearer(request.raw) }
  const reading = await reader.read({ credential, query: null, ifNoneMatch: [], charge: false })
  return reading.quota
}

export const setQuota = (reply: FastifyReply, quota: Quota): FastifyReply => setHeaders(reply, quotaHeaders(quota))

function setHeaders(reply: FastifyReply, headers: readonly string[]): FastifyReply {
  for (let index = 0; index < headers.length; index += 2) reply.header(headers[index] ?? "", headers[index + 1])
  return reply
}

/** @param isByKey what a session reads is not kept: the browser's next person must not be shown it */
function sendReading(reply: FastifyReply, reading: HealthBytes, isByKey: boolean): FastifyReply {
  if (reading.outcome === "refused") throw reading.error
  if (reading.outcome === "peeked") throw new Error("a read with a query was answered as one without")
  setHeaders(reply, headersOfReading(reading.etag, isByKey ? undefined : "no-store"))
  return reading.outcome === "not_modified" ? reply.code(304).send() : reply.type(JSON_TYPE).send(reading.bytes)
}

const searchOf = ({ raw: { url = "" } }: FastifyRequest): string => {
  const start = url.indexOf("?")
  return start < 0 ? "" : url.slice(start + 1)
}
