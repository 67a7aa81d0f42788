import type { HealthReader, HealthReading, HealthReadRequest, Quota } from "@restwell/core"
import { InvalidRequest } from "@restwell/core"
import type { FastifyReply, FastifyRequest } from "fastify"
import type { Session } from "../accounts/accounts.ts"
import { readBearer } from "./bearer.ts"
import { parseHealthQuery } from "./health-query.ts"

/** Clients are advised to cache for 15 to 30 minutes. Spec 8. */
const CACHE_CONTROL = "private, max-age=900"

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
  const query = tryParse(searchOf(request))
  const isInvalid = query instanceof InvalidRequest
  const reading = await reader.read({
    credential,
    query: isInvalid ? null : query,
    ifNoneMatch: entityTagsOf(request.headers["if-none-match"]),
    charge,
  })
  if (reading.quota) setQuota(reply, reading.quota)
  if (reading.outcome === "peeked" && isInvalid) throw query
  return sendReading(reply, reading, "keyHash" in credential ? CACHE_CONTROL : "no-store")
}

/** The quota of a valid key on an answer that has nothing else to say about it, as 405. */
export async function quotaOf(reader: HealthReader, request: FastifyRequest): Promise<Quota | undefined> {
  if (request.headers.authorization === undefined) return undefined
  const credential = { keyHash: readBearer(request.raw) }
  const reading = await reader.read({ credential, query: null, ifNoneMatch: [], charge: false })
  return reading.quota
}

/** Spec 8. */
export const setQuota = (reply: FastifyReply, { limit, remaining, reset }: Quota): FastifyReply =>
  reply.headers({
    "x-ratelimit-limit": String(limit),
    "x-ratelimit-remaining": String(remaining),
    "x-ratelimit-reset": reset.toISOString(),
  })

/** @param cacheControl what a session reads is not kept: the browser's next person must not be shown it */
function sendReading(reply: FastifyReply, reading: HealthReading, cacheControl: string): FastifyReply {
  if (reading.outcome === "refused") throw reading.error
  if (reading.outcome === "peeked") throw new Error("a read with a query was answered as one without")
  reply.headers({ "cache-control": cacheControl, etag: reading.etag, vary: "Authorization" })
  return reading.outcome === "not_modified" ? reply.code(304).send() : reply.send(reading.body)
}

function tryParse(search: string) {
  try {
    return parseHealthQuery(search)
  } catch (error) {
    if (error instanceof InvalidRequest) return error
    throw error
  }
}

const searchOf = ({ raw: { url = "" } }: FastifyRequest): string => {
  const start = url.indexOf("?")
  return start < 0 ? "" : url.slice(start + 1)
}

/** The tags of If-None-Match, compared weakly. RFC 9110 13.1.2. */
const entityTagsOf = (header: string | undefined): string[] =>
  header === undefined ? [] : header.trim() === "*" ? ["*"] : [...header.matchAll(/"[^"]*"/g)].map(([tag]) => tag)
