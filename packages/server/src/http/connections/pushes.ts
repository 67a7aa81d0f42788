import { Readable } from "node:stream"
import {
  HealthAutoExportBodySchema,
  IngestTokenRequestSchema,
  IngestTokenResponseSchema,
  IngestTokensResponseSchema,
  PushBodySchema,
  type PushResponse,
  PushResponseSchema,
  type PushStartedResponse,
  PushStartedResponseSchema,
  type PushStatusResponse,
  PushStatusResponseSchema,
} from "@restwell/client"
import {
  acknowledgePush,
  type Context,
  createIngestToken,
  endIngestToken,
  InvalidRequest,
  LARGEST_PUSH,
  listIngestTokens,
  openIngestToken,
  type Pusher,
  type PushOutcome,
  type PushThread,
  type PushTurns,
  readPush,
  receivePush,
  TooManyRequests,
  takeAttempt,
  tokenEnded,
  Unauthorized,
} from "@restwell/core"
import { PUSH_FORMATS } from "@restwell/providers"
import { errorCodes, type FastifyRequest } from "fastify"
import { z } from "zod"
import type { Accounts } from "../../accounts/accounts.ts"
import { networkOf } from "../../network/addresses.ts"
import { jsonBody, success } from "../../openapi/responses.ts"
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
  readonly pushes: Pick<PushThread, "store">
  readonly pushTurns: PushTurns
  readonly accounts: Accounts
}

/** A program that sends its whole history cuts it into hundreds of pushes. */
const PUSHES_A_MINUTE = { attempts: 120, windowSeconds: 60 }
/** A push that takes longer is answered with its id. Programs wait for about a minute. */
const ANSWERED_WITHIN_MS = 10_000

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

/** Names of codings are written in any case, and x-gzip is gzip. RFC 9110 8.4.1.3 */
const GZIP = ["gzip", "x-gzip"]
/** Health Auto Export says in it what its counts are added up by. */
const AGGREGATION = "automation-aggregation"
const LONGEST_AGGREGATION = 40

/** The body of a push while it arrives, as it is coded. @throws {InvalidRequest} */
function bodyOf({ body, headers, raw }: FastifyRequest) {
  if (!(body instanceof Readable)) throw new InvalidRequest("the push has no body", "body")
  const encoding = (headers["content-encoding"] ?? "").trim().toLowerCase()
  const isGzip = GZIP.includes(encoding)
  if (!isGzip && encoding !== "" && encoding !== "identity")
    throw new InvalidRequest("the only content codings are gzip and identity", "content-encoding")
  // Destroyed, it could not be answered.
  const content = limited(arrivingPieces<Buffer>(raw, body.iterator({ destroyOnReturn: false })))
  return { isGzip, aggregation: headers[AGGREGATION]?.toString().slice(0, LONGEST_AGGREGATION), content }
}

/** What is larger before it is inflated is larger afterwards too. @throws when it is too large */
async function* limited(pieces: AsyncIterable<Buffer>): AsyncGenerator<Buffer, void> {
  let size = 0
  for await (const piece of pieces) {
    size += piece.length
    if (size > LARGEST_PUSH) throw new errorCodes.FST_ERR_CTP_BODY_TOO_LARGE()
    yield piece
  }
}

type PushFormat = (typeof PUSH_FORMATS)[keyof typeof PUSH_FORMATS]

/** Takes one push: the token first, then its body. It is stored in a thread. */
const takePush =
  ({ provider }: PushFormat): Handler<PushServices> =>
  async ({ context, pushes, pushTurns }, { request, reply }) => {
    try {
      const pusher = await pusherOf(context, request)
      await countPush(context, pusher)
      const body = bodyOf(request)
      const end = await pushTurns.begin(pusher.userId)
      const received = await receivePush(context, pusher, { provider, ...body }).catch((error: unknown) => {
        end()
        throw error
      })
      // Its turn lasts until it is stored, also if its sender has an answer before.
      const stored = pushes.store(received).finally(end)
      const soon = await Promise.race([stored, context.wait(ANSWERED_WITHIN_MS)])
      if (soon === undefined && (await acknowledgePush(context, received))) {
        stored.catch(() => {
          // The thread has logged it, and the report says it.
        })
        const started: PushStartedResponse = { id: received.id }
        return await reply.code(202).send(started)
      }
      return await reply.send(answerOf(context, soon ?? (await stored)))
    } catch (error) {
      // A client that still sends would not read the refusal, and its connection could not be used again.
      request.raw.unpipe()
      request.raw.resume()
      throw error
    }
  }

/** @throws the refusal of a push that was not stored */
function answerOf({ clock }: Pick<Context, "clock">, outcome: PushOutcome): PushResponse {
  if (outcome.kind === "stored")
    return { ...outcome.report, ignored: outcome.report.ignored.map(({ reason, count }) => ({ reason, count })) }
  if (outcome.kind === "refused" && outcome.reason === "invalid") throw new InvalidRequest(outcome.message, "body")
  if (outcome.kind === "refused" || outcome.kind === "larger") throw new errorCodes.FST_ERR_CTP_BODY_TOO_LARGE()
  if (outcome.kind === "gone") throw tokenEnded()
  const { message, limit, resetMs } = outcome
  const retryAfterSeconds = Math.max(1, Math.ceil((resetMs - clock.now().getTime()) / 1_000))
  throw new TooManyRequests(message, { limit, retryAfterSeconds, reset: new Date(resetMs) })
}

const PUSHED = {
  method: "POST",
  access: "push",
  fromAnySite: true,
  bodyType: "stream",
  responses: {
    "200": success("What was stored", PushResponseSchema),
    "202": success("It takes longer than 10 seconds, and is stored in any case", PushStartedResponseSchema),
  },
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
      handle: takePush(PUSH_FORMATS.rows),
    },
    {
      ...PUSHED,
      path: HEALTH_AUTO_EXPORT_PATH,
      id: "pushHealthAutoExport",
      summary: "Push from Health Auto Export",
      description:
        "Takes what the iPhone app Health Auto Export posts as JSON: metrics, with sleep in parts or in sums, and workouts of both versions. " +
        `The provider is \`${PUSH_FORMATS.health_auto_export.provider}\`. A repeat changes nothing, and batches may come in any order.`,
      requestBody: jsonBody(HealthAutoExportBodySchema),
      handle: takePush(PUSH_FORMATS.health_auto_export),
    },
    {
      method: "GET",
      path: "/api/ingest/:id",
      access: "push",
      id: "getPush",
      summary: "Read the report of a slow push",
      description:
        "What a push that was answered with 202 has stored so far, for seven days and with the token that sent it.",
      params: TOKEN_ID,
      responses: { "200": success("The report", PushStatusResponseSchema) },
      failures: ["noPush"],
      handle: async ({ context }, { request }) => {
        const pusher = await pusherOf(context, request)
        const push = await readPush(context, pusher, pathParameter(request, "id"))
        return async (): Promise<PushStatusResponse> => ({
          ...push,
          ignored: push.ignored.map(({ reason, count }) => ({ reason, count })),
        })
      },
    },
  ]),
]
