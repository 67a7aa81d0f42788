// Links for others that open a report: to make, list and end them, and the report itself.
import {
  SharedReportSchema,
  ShareRequestSchema,
  ShareResponseSchema,
  type SharesResponse,
  SharesResponseSchema,
} from "@restwell/client"
import {
  createShare,
  endShare,
  type HealthReader,
  listShares,
  openShare,
  readSharedReport,
  Unauthorized,
} from "@restwell/core"
import type { FastifyRequest } from "fastify"
import { z } from "zod"
import { networkOf } from "../../network/addresses.ts"
import { jsonBody, success } from "../../openapi/responses.ts"
import { BEARER } from "../health/health-query.ts"
import { defineEndpoints, type Endpoint, type OpenEndpoint } from "../plumbing/endpoint.ts"
import { parseBody, pathParameter } from "../plumbing/requests.ts"
import type { AccountServices } from "./account.ts"

const PATH = "/api/account/shares"
const SHARE_ID = z.object({ id: z.string().meta({ example: "0192f5c1-7a44-7c10-9f6e-3f0c2b1a9d55" }) })

/** The person's own shares. */
const ownShareEndpoints = defineEndpoints<AccountServices>("Account", [
  {
    method: "GET",
    path: PATH,
    access: "session",
    id: "listShares",
    summary: "List shares",
    description:
      "Links that open a report, with what they open, their end and their last view. The links are not stored.",
    responses: { "200": success("The shares", SharesResponseSchema) },
    handle:
      async ({ context }, { session: { userId } }) =>
      async (): Promise<SharesResponse> => ({
        shares: (await listShares(context, userId)).map(({ expiresAt, createdAt, lastViewedAt, ...share }) => ({
          ...share,
          expires_at: expiresAt.toISOString(),
          created_at: createdAt.toISOString(),
          last_viewed_at: lastViewedAt?.toISOString() ?? null,
        })),
      }),
  },
  {
    method: "POST",
    path: PATH,
    access: "session",
    id: "createShare",
    summary: "Make a link that opens a report",
    description:
      "For a coach or a doctor: who has the link reads the report of these types and last dates, until it ends, without an account. The " +
      "link is in this response only. Each view is in the access log, and none counts against the quota. At most 20.",
    requestBody: jsonBody(ShareRequestSchema),
    responses: { "201": success("The link", ShareResponseSchema) },
    failures: ["tooManyShares"],
    handle: async ({ context, baseUrl }, { session: { userId }, reply, request }) => {
      const wanted = parseBody(request, ShareRequestSchema)
      const { id, token } = await createShare(context, { userId, network: networkOf(request.ip) }, wanted)
      return reply.code(201).send({ id, url: `${baseUrl}/shared#${token}` })
    },
  },
  {
    method: "DELETE",
    path: `${PATH}/:id`,
    access: "session",
    id: "endShare",
    summary: "End a share",
    description: "Its link opens nothing any more. The other shares stay.",
    params: SHARE_ID,
    responses: { "204": { description: "Ended" } },
    failures: ["noShare"],
    handle: async ({ context }, { session: { userId }, reply, request }) => {
      await endShare(context, { userId, id: pathParameter(request, "id"), network: networkOf(request.ip) })
      return reply.code(204).send()
    },
  },
])

const WHERE = "send the header Authorization: Bearer <token>, the part of the link after #"

/** @throws {Unauthorized} */
function tokenOf({ headers: { authorization } }: FastifyRequest): string {
  if (authorization === undefined) throw new Unauthorized(`missing token: ${WHERE}`)
  const token = BEARER.exec(authorization)?.[1]
  if (token === undefined) throw new Unauthorized(`invalid token: ${WHERE}`)
  return token
}

export interface SharedServices extends AccountServices {
  readonly reader: HealthReader
}

/** The report of a share. A session and an API key open nothing here. */
const sharedReportEndpoint: OpenEndpoint<SharedServices> = {
  method: "GET",
  path: "/api/shared/report",
  access: "share",
  id: "readSharedReport",
  tag: "Account",
  summary: "Read a shared report",
  description:
    "What the page at the link of a share is drawn from: the report of the share's types and last dates, which everything in it is " +
    "computed from. With the token of a share alone.",
  responses: { "200": success("The report", SharedReportSchema) },
  failures: ["noProvider", "tooManyViews"],
  handle: async ({ context, reader }, { request, reply }) => {
    const share = await openShare(context, tokenOf(request))
    reply.headers({ "cache-control": "no-store", "x-robots-tag": "noindex", vary: "Authorization" })
    return () => readSharedReport(context, reader, share)
  },
}

/** Shares, and what they open. */
export const shareEndpoints: readonly Endpoint<SharedServices>[] = [...ownShareEndpoints, sharedReportEndpoint]
