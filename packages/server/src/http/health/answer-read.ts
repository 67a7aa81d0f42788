import { Negotiator } from "@fastify/accept-negotiator"
import { READER_HEADER, ReaderSchema } from "@restwell/client"
import {
  type AnyQuery,
  type Credential,
  type HealthReader,
  type HealthReadRequest,
  type InsightLimits,
  InvalidRequest,
  METRIC_GROUPS,
  type Quota,
} from "@restwell/core"
import type { FastifyReply, FastifyRequest } from "fastify"
import { z } from "zod"
import { encode, encodedTag, encodingOf, entityTagsOf, plainTag } from "../plumbing/encodings.ts"
import type { Call, Handler, SessionHandler } from "../plumbing/endpoint.ts"
import { queryStringOf } from "../plumbing/requests.ts"
import { readBearer } from "./health-query.ts"
import { LONGEST_WAIT_SECONDS, type WaitServices, waitAsPreferred } from "./prefer.ts"

/** Clients are advised to cache for 15 to 30 minutes. */
const CACHE_CONTROL = "private, max-age=900"

/** The month's quota. */
export const quotaHeaders = ({ limit, remaining, reset }: Quota) => ({
  "x-ratelimit-limit": String(limit),
  "x-ratelimit-remaining": String(remaining),
  "x-ratelimit-reset": reset.toISOString(),
})

const JSON_TYPE = "application/json"
const CSV_TYPE = "text/csv"
const mediaTypes = new Negotiator({ supportedValues: [JSON_TYPE, CSV_TYPE] })

/** Whether Accept names CSV, and not JSON before it. RFC 9110 12.5.1 */
const prefersCsv = ({ headers: { accept = "" } }: FastifyRequest): boolean =>
  accept.includes(CSV_TYPE) && mediaTypes.negotiate(accept.replaceAll(/;\s*(?!q=)[^;,]*/g, "")) === CSV_TYPE

/** The query with the format of its answer. The parameter wins over the header. */
const withFormat = <Query extends AnyQuery>(query: Query, request: FastifyRequest): Query =>
  formatOf(query) === undefined && prefersCsv(request) ? { ...query, format: "csv" } : query

const formatOf = (query: AnyQuery): string | undefined => ("format" in query ? query.format : undefined)

/** The headers of an answer with data, and of one that is unchanged. */
const readingHeaders = ({ hasCsv, canWait = false }: ReadQuestion, etag: string, cacheControl = CACHE_CONTROL) => ({
  "cache-control": cacheControl,
  etag,
  vary: `Authorization, Accept-Encoding, ${READER_HEADER}${hasCsv ? ", Accept" : ""}${canWait ? ", Prefer" : ""}`,
})

/** What an endpoint of reads parses, and answers with. */
interface ReadQuestion {
  parse(search: string): AnyQuery
  /** Whether the answer may be CSV. */
  readonly hasCsv: boolean
  /** Whether a read with a key may wait for the score of today. */
  readonly canWait?: boolean
  /** Whether a session gets it compressed too. Only for answers that repeat nothing of the query but what they know. */
  readonly isLarge?: boolean
}

export interface ReadServices extends WaitServices {
  readonly reader: HealthReader
}

/** GET and HEAD with an API key: the key, the query, one read, the answer. HEAD returns no data and is not counted. */
export const readByKey =
  (question: ReadQuestion): Handler<ReadServices> =>
  (services, { request, reply }) =>
    answerRead(services, { keyHash: readBearer(request.raw) }, question, { request, reply })

/** GET and HEAD of the person who is signed in. Not counted. */
export const readBySession =
  (question: ReadQuestion): SessionHandler<ReadServices> =>
  (services, { session: { userId }, request, reply }) =>
    answerRead(services, { userId }, { ...question, canWait: false }, { request, reply })

async function answerRead(
  services: ReadServices,
  credential: Credential,
  question: ReadQuestion,
  { request, reply }: Call,
): Promise<FastifyReply> {
  const { reader } = services
  const isByKey = "keyHash" in credential
  const isHead = request.method === "HEAD"
  const tags = entityTagsOf(request.headers["if-none-match"])
  // An answer to a session may contain what a link wrote into the query: compressed, its length would tell what stands beside that.
  const encoding = isByKey || question.isLarge ? encodingOf(request) : undefined
  const asked = await parseRead(request, question, async () => {
    reply.headers(quotaHeaders(await reader.readQuota(credential)))
  })
  const { query } = asked
  const read = { credential, ...asked, ifNoneMatch: tags.map(plainTag), isCounted: isByKey, isHead }
  const isThere = question.canWait && !isHead ? await waitAsPreferred(services, read, { request, reply }) : true
  // Who left while the read waited gets no answer, so it is not counted.
  if (!isThere) return reply.send()
  const reading = await reader.read(read)
  // The browser must not keep what a session read: the next person at this browser could see it.
  const cacheControl = isByKey ? undefined : "no-store"
  reply.headers(quotaHeaders(reading.quota))
  if (reading.outcome === "refused") throw reading.error
  if (reading.outcome === "not_modified") {
    const tag = tags.find((each) => plainTag(each) === reading.etag) ?? encodedTag(reading.etag, encoding)
    return reply
      .headers(readingHeaders(question, tag, cacheControl))
      .code(304)
      .send()
  }
  const etag = reading.outcome === "answer" ? reading.response.etag : reading.etag
  reply.headers(readingHeaders(question, encodedTag(etag, encoding), cacheControl)).type(contentTypeOf(query))
  if (encoding !== undefined) reply.header("content-encoding", encoding)
  if (reading.outcome !== "answer") return reply.send()
  const { bytes } = reading.response
  return reply.send(encoding === undefined ? bytes : await encode(bytes, encoding))
}

const contentTypeOf = (query: AnyQuery): string => `${formatOf(query) === "csv" ? CSV_TYPE : JSON_TYPE}; charset=utf-8`

/** A request header of reads with a key, as the OpenAPI document has it. */
export const ReadHeaders = z.object({ [READER_HEADER]: ReaderSchema.optional() })

/** Those of reads that may wait for the score of today. */
export const WaitHeaders = ReadHeaders.extend({
  Prefer: z
    .string()
    .optional()
    .meta({
      description:
        `\`wait=N\` (RFC 7240): where the answer has today, and its night or recovery is still to come, wait up to N seconds for the ` +
        `score, ${LONGEST_WAIT_SECONDS} at most. \`Preference-Applied\` says that the read waited. What is not understood is ignored`,
      example: "wait=60",
    }),
})

/** An assistant may read everything of the person but what vendors' terms keep from it. */
const OF_ASSISTANTS: InsightLimits = { isForAssistant: true, groups: METRIC_GROUPS, from: null }

/** @throws {InvalidRequest} for an unknown reader */
function limitsOf({ headers }: FastifyRequest): Pick<HealthReadRequest, "limits"> {
  const parsed = ReaderSchema.optional().safeParse(headers[READER_HEADER.toLowerCase()])
  if (!parsed.success) throw new InvalidRequest(parsed.error.issues[0]?.message ?? "", READER_HEADER)
  return parsed.data === undefined ? {} : { limits: OF_ASSISTANTS }
}

/** @param onFault adds the quota to the response: a valid key gets it with 400 as well */
async function parseRead(
  request: FastifyRequest,
  { parse, hasCsv }: ReadQuestion,
  onFault: () => Promise<void>,
): Promise<Pick<HealthReadRequest, "query" | "limits">> {
  try {
    const query = parse(queryStringOf(request))
    return { query: hasCsv ? withFormat(query, request) : query, ...limitsOf(request) }
  } catch (error) {
    await onFault()
    throw error
  }
}
