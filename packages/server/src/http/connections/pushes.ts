import { Readable } from "node:stream"
import { pipeline } from "node:stream/promises"
import { createGunzip } from "node:zlib"
import {
  HealthAutoExportBodySchema,
  IngestTokenRequestSchema,
  IngestTokenResponseSchema,
  IngestTokensResponseSchema,
  PushBodySchema,
  type PushResponse,
  PushResponseSchema,
} from "@restwell/client"
import {
  type Context,
  createIngestToken,
  endIngestToken,
  InvalidRequest,
  type LimitAtATime,
  listIngestTokens,
  openIngestToken,
  type Pusher,
  storePush,
  TooManyRequests,
  takeAttempt,
  Unauthorized,
} from "@restwell/core"
import {
  InvalidPush,
  type Json,
  type PushedRows,
  readHealthAutoExport,
  readPushedRows,
  toStorableJson,
} from "@restwell/providers"
import { errorCodes, type FastifyRequest } from "fastify"
import { z } from "zod"
import type { Accounts } from "../../accounts/accounts.ts"
import { networkOf } from "../../network/addresses.ts"
import { jsonBody, success } from "../../openapi/responses.ts"
import { giveTurn } from "../../process/wait.ts"
import { BEARER } from "../health/health-query.ts"
import { arrivingPieces } from "../plumbing/arriving-body.ts"
import { defineEndpoints, type Endpoint, type Handler } from "../plumbing/endpoint.ts"
import { parseBody, pathParameter } from "../plumbing/requests.ts"

const TOKENS_PATH = "/api/account/ingest-tokens"
const RECORDS_PATH = "/api/ingest/records"
const HEALTH_AUTO_EXPORT_PATH = "/api/ingest/health-auto-export"
export const PUSH_PATHS = [RECORDS_PATH, HEALTH_AUTO_EXPORT_PATH]

export interface PushServices {
  readonly context: Context
  readonly pushesAtATime: LimitAtATime
  readonly accounts: Accounts
}

/** After inflating. */
const LARGEST_PUSH = 50 * 1_048_576
/** A program that sends its whole history cuts it into hundreds of pushes. */
const PUSHES_A_MINUTE = { attempts: 120, windowSeconds: 60 }
/** Each is in memory as a whole. */
export const PUSHES_AT_A_TIME = { what: "pushes", most: 2, retryAfterSeconds: 5 }
/** Objects and lists take many times the room of their text, so a push that holds hardly anything else is refused before it is parsed. */
const MOST_PARTS = 2_000_000
const MOST_VALUES = 8_000_000

const WHERE = "send the header Authorization: Bearer <token>, made on the page Connections"

/** Who pushes. @throws {Unauthorized} */
function pusherOf(context: Context, { headers }: FastifyRequest): Promise<Pusher> {
  const { authorization } = headers
  if (authorization === undefined) throw new Unauthorized(`missing token: ${WHERE}`)
  const token = BEARER.exec(authorization)?.[1]
  if (token === undefined) throw new Unauthorized(`invalid token: ${WHERE}`)
  return openIngestToken(context, token)
}

/** @throws {TooManyRequests} */
async function countPush(context: Context, { userId }: Pusher): Promise<void> {
  const waitSeconds = await takeAttempt(context, `push/${userId}`, PUSHES_A_MINUTE)
  if (waitSeconds === 0) return
  const { attempts: limit } = PUSHES_A_MINUTE
  throw new TooManyRequests(`at most ${limit} pushes a minute, try again in ${waitSeconds} seconds`, {
    limit,
    retryAfterSeconds: waitSeconds,
    reset: new Date(context.clock.now().getTime() + waitSeconds * 1_000),
  })
}

/** Reads a push while it arrives. @throws {InvalidRequest} @throws when it is too large */
const UNSTORABLE = /\\u(?:d[89a-f]|0000)/i

/** Names of codings are written in any case, and x-gzip is gzip. RFC 9110 8.4.1.3 */
const GZIP = ["gzip", "x-gzip"]

async function readPush(request: FastifyRequest): Promise<unknown> {
  if (!(request.body instanceof Readable)) throw new InvalidRequest("the push has no body", "body")
  // Destroyed, it could not be answered.
  const content = arrivingPieces<Buffer>(request.raw, request.body.iterator({ destroyOnReturn: false }))
  const encoding = (request.headers["content-encoding"] ?? "").trim().toLowerCase()
  const isZipped = GZIP.includes(encoding)
  if (!isZipped && encoding !== "" && encoding !== "identity")
    throw new InvalidRequest("the only content codings are gzip and identity", "content-encoding")
  const bytes = await bytesOf(isZipped ? inflated(content) : content)
  if (isDense(bytes)) throw new errorCodes.FST_ERR_CTP_BODY_TOO_LARGE()
  try {
    const text = bytes.toString("utf8")
    const pushed: Json = JSON.parse(text)
    // Only an escape sequence can have half of a character or U+0000. A broken name costs no row.
    return UNSTORABLE.test(text) ? toStorableJson(pushed) : pushed
  } catch (cause) {
    throw new InvalidRequest("the body is not valid JSON", "body", { cause })
  }
}

async function bytesOf(content: AsyncIterable<Buffer>): Promise<Buffer> {
  const pieces: Buffer[] = []
  let size = 0
  for await (const piece of content) {
    size += piece.length
    if (size > LARGEST_PUSH) throw new errorCodes.FST_ERR_CTP_BODY_TOO_LARGE()
    pieces.push(piece)
  }
  return Buffer.concat(pieces)
}

async function* inflated(content: AsyncIterable<Buffer>): AsyncGenerator<Buffer, void> {
  const gunzip = createGunzip()
  const written = pipeline(content, gunzip)
  try {
    yield* gunzip
    await written
  } catch (cause) {
    throw new InvalidRequest("the body is not gzip, or it ended early", "body", { cause })
  } finally {
    gunzip.destroy()
    await written.catch(() => undefined)
  }
}

/** True if it has more objects, lists or values than a push of its size would. */
function isDense(bytes: Buffer): boolean {
  let [parts, values] = [0, 0]
  for (const byte of bytes)
    if (byte === OBJECT || byte === LIST) parts += 1
    else if (byte === COMMA) values += 1
  return parts > MOST_PARTS || values > MOST_VALUES
}

const [OBJECT, LIST, COMMA] = [0x7b, 0x5b, 0x2c]

interface PushFormat {
  readonly provider: string
  /** @throws {InvalidPush} when it has no form that is known */
  readonly read: (body: unknown, giveTurn: () => Promise<void>, aggregation?: string) => Promise<PushedRows>
}

function refuseInvalid(error: unknown): never {
  if (error instanceof InvalidPush) throw new InvalidRequest(error.message, "body", { cause: error })
  throw error
}

/** Health Auto Export says in it what its counts are added up by. */
const AGGREGATION = "automation-aggregation"

const PLAIN: PushFormat = { provider: "phone", read: readPushedRows }
const HEALTH_AUTO_EXPORT: PushFormat = { provider: "apple_health", read: readHealthAutoExport }

/** Takes one push: the token first, then its body. */
const takePush =
  ({ provider, read }: PushFormat): Handler<PushServices> =>
  async ({ context, pushesAtATime }, { request, reply }) => {
    try {
      const pusher = await pusherOf(context, request)
      await countPush(context, pusher)
      const end = pushesAtATime.begin(pusher.userId)
      try {
        const aggregation = request.headers[AGGREGATION]
        const body = await readPush(request)
        const pushed = await read(body, giveTurn, aggregation?.toString()).catch(refuseInvalid)
        const answer: PushResponse = await storePush(context, pusher, { provider, pushed })
        return await reply.send(answer)
      } finally {
        end()
      }
    } catch (error) {
      // A client that still sends would not read the refusal, and its connection could not be used again.
      request.raw.unpipe()
      request.raw.resume()
      throw error
    }
  }

const PUSHED = {
  method: "POST",
  access: "push",
  fromAnySite: true,
  bodyType: "stream",
  responses: { "200": success("What was stored", PushResponseSchema) },
  failures: ["tooManyPushes"],
} as const satisfies Partial<Endpoint<PushServices>>

const TOKEN_ID = z.object({ id: z.string().meta({ example: "5f0c2c0e-4b7e-4a57-9a75-0d8b7f1f2a11" }) })

/** Tokens of the person's devices. */
const tokenEndpoints = defineEndpoints<PushServices>("Account", [
  {
    method: "GET",
    path: TOKENS_PATH,
    access: "session",
    id: "listIngestTokens",
    summary: "List tokens for pushes",
    description: "One for each device that pushes, with its last use. The tokens themselves are not stored.",
    responses: { "200": success("The tokens", IngestTokensResponseSchema) },
    handle:
      async ({ context }, { session: { userId } }) =>
      async () => ({
        tokens: (await listIngestTokens(context, userId)).map(({ createdAt, lastUsedAt, ...token }) => ({
          ...token,
          created_at: createdAt.toISOString(),
          last_used_at: lastUsedAt?.toISOString() ?? null,
        })),
      }),
  },
  {
    method: "POST",
    path: TOKENS_PATH,
    access: "session",
    id: "createIngestToken",
    summary: "Make a token for pushes",
    description: "The token is in this response only. It can push, and read nothing. Make one for each device.",
    requestBody: jsonBody(IngestTokenRequestSchema),
    responses: { "201": success("The token", IngestTokenResponseSchema) },
    failures: ["tooManyTokens"],
    handle: async ({ context }, { session: { userId }, reply, request }) => {
      const { name } = parseBody(request, IngestTokenRequestSchema)
      const made = await createIngestToken(context, { userId, name, network: networkOf(request.ip) })
      return reply.code(201).send(made)
    },
  },
  {
    method: "DELETE",
    path: `${TOKENS_PATH}/:id`,
    access: "session",
    id: "endIngestToken",
    summary: "End a token for pushes",
    description: "No push with it is taken any more. What it pushed stays.",
    params: TOKEN_ID,
    responses: { "204": { description: "Ended" } },
    failures: ["noIngestToken"],
    handle: async ({ context }, { session: { userId }, reply, request }) => {
      const id = pathParameter(request, "id")
      await endIngestToken(context, { userId, id, network: networkOf(request.ip) })
      return reply.code(204).send()
    },
  },
])

/** Tokens, and the pushes that they are for. */
export const pushEndpoints: readonly Endpoint<PushServices>[] = [
  ...tokenEndpoints,
  ...defineEndpoints<PushServices>("Connections", [
    {
      ...PUSHED,
      path: RECORDS_PATH,
      id: "pushRecords",
      summary: "Push rows",
      description:
        "Takes rows from any program on a phone, gzip too, at most 50 MB after inflating. The provider is `phone`, and `source` is the " +
        "record's `device`. A repeat changes nothing, and rows may come in any order. Unknown types and units are ignored and counted.",
      requestBody: jsonBody(PushBodySchema),
      handle: takePush(PLAIN),
    },
    {
      ...PUSHED,
      path: HEALTH_AUTO_EXPORT_PATH,
      id: "pushHealthAutoExport",
      summary: "Push from Health Auto Export",
      description:
        "Takes what the iPhone app Health Auto Export posts as JSON: metrics, with sleep in parts or in sums, and workouts of both versions. " +
        "The provider is `apple_health`. A repeat changes nothing, and batches may come in any order.",
      requestBody: jsonBody(HealthAutoExportBodySchema),
      handle: takePush(HEALTH_AUTO_EXPORT),
    },
  ]),
]
