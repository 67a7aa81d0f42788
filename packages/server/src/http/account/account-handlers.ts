import { Readable } from "node:stream"
import type { AccountResponse } from "@restwell/client"
import {
  type Context,
  deleteAccount,
  EXPORTED_TYPES,
  exportAccount,
  exportCsv,
  Forbidden,
  InvalidRequest,
  listAssistants,
  readAccount,
  readTrends,
  recordSecurityEvent,
  rotateApiKey,
} from "@restwell/core"
import type { FastifyReply, FastifyRequest } from "fastify"
import { z } from "zod"
import { type Accounts, isFreshSession, type Session } from "../../accounts/accounts.ts"
import { networkOf } from "../../network/network-of.ts"
import { DeleteAccountRequestSchema } from "../../openapi/account-schemas.ts"
import { parseSearch } from "../plumbing/query-parameters.ts"
import { presentAssistant } from "./assistant-handlers.ts"

/** A hundred years. */
const MOST_TREND_DAYS = 36_500

/** GET /api/account */
export const readAccountDoor =
  (context: Context, accounts: Accounts) =>
  async (session: Session): Promise<AccountResponse> => {
    const [account, waysIn, assistants] = await Promise.all([
      readAccount(context, session.userId),
      accounts.waysIn(session.userId),
      listAssistants(context, session.userId),
    ])
    const { plan, usage, apiKey, providers, connections } = account
    return {
      user: session.user,
      sign_in: waysIn,
      plan,
      usage: {
        limit: usage.limit,
        used: usage.used,
        remaining: usage.remaining,
        reset: usage.reset.toISOString(),
        by_day: [...usage.byDay],
      },
      api_key: apiKey && {
        prefix: apiKey.prefix,
        created_at: apiKey.createdAt.toISOString(),
        last_used_at: apiKey.lastUsedAt?.toISOString() ?? null,
      },
      providers: [...providers],
      connections: connections.map(({ provider, status, statusReason, connectedAt, lastSyncedAt, history }) => ({
        provider,
        status,
        status_reason: statusReason,
        connected_at: connectedAt.toISOString(),
        last_synced_at: lastSyncedAt?.toISOString() ?? null,
        history: {
          complete: history.complete,
          fetched_back_to: history.fetchedBackTo?.toISOString() ?? null,
          records: history.records,
        },
      })),
      assistants: assistants.map(presentAssistant),
    }
  }

/** POST /api/account/api-key: shown this once. */
export const rotateApiKeyDoor =
  (context: Context) => async (session: Session, reply: FastifyReply, request: FastifyRequest) => {
    const { apiKey } = await rotateApiKey(context, session.userId, networkOf(request.ip))
    return reply.code(201).send({ api_key: apiKey })
  }

const ExportSchema = z.strictObject({
  format: z.enum(["json", "csv"], { error: "must be json or csv" }).default("json"),
  type: z.enum(EXPORTED_TYPES, { error: `must be one of ${EXPORTED_TYPES.join(", ")}` }).optional(),
})

/** GET /api/account/export: one JSON document of everything, or a table of one type; written as it is read. */
export const exportAccountDoor =
  (context: Context) => async (session: Session, reply: FastifyReply, request: FastifyRequest) => {
    const { format, type } = parseSearch(request, ExportSchema)
    if (format === "csv" && type === undefined)
      throw new InvalidRequest(`a table is of one type: add type=${EXPORTED_TYPES.join("|")}`, "type")
    const network = networkOf(request.ip)
    const detail = format === "csv" ? `csv ${type}` : format
    await recordSecurityEvent(context, session.userId, { type: "data_exported", detail, network })
    const [file, contentType, pieces] =
      format === "csv" && type !== undefined
        ? [`restwell-${type}.csv`, "text/csv", exportCsv(context, session.userId, type)]
        : ["restwell-export.json", "application/json", exportAccount(context, session.userId)]
    return reply
      .headers({
        "content-type": `${contentType}; charset=utf-8`,
        "content-disposition": `attachment; filename="${file}"`,
      })
      .send(Readable.from(pieces))
  }

const TrendsSchema = z.strictObject({
  days: z
    .union(
      [
        z.literal("all"),
        z
          .string()
          .regex(/^[1-9]\d{0,4}$/)
          .transform(Number)
          .refine((days) => days <= MOST_TREND_DAYS),
      ],
      { error: `must be a whole number from 1 to ${MOST_TREND_DAYS}, or all` },
    )
    .default(30),
})

/** GET /api/account/trends: a row for each date. */
export const trendsDoor =
  (context: Context) => async (session: Session, _reply: FastifyReply, request: FastifyRequest) =>
    readTrends(context, session.userId, parseSearch(request, TrendsSchema).days)

/** DELETE /api/account: all of it, at once. Who signed in more than an hour ago gives the password again. */
export const deleteAccountDoor =
  (context: Context, accounts: Accounts) => async (session: Session, reply: FastifyReply, request: FastifyRequest) => {
    const parsed = DeleteAccountRequestSchema.safeParse(request.body ?? {})
    if (!parsed.success) throw new InvalidRequest('password must be text, send {"password": "..."}', "password")
    const { password } = parsed.data
    if (password === undefined && !isFreshSession(context.clock, session))
      throw new Forbidden(
        (await accounts.waysIn(session.userId)).password
          ? 'to delete the account, send {"password": "..."} with it'
          : "to delete the account, sign out and in again first: the sign-in is older than an hour",
      )
    if (password !== undefined && !(await accounts.verifyPassword(session, password, request.ip)))
      throw new Forbidden("the password is wrong, nothing was deleted")
    await deleteAccount(context, session.userId)
    return reply.code(204).send()
  }
