import type { AccountResponse } from "@restwell/client"
import {
  type Context,
  deleteAccount,
  Forbidden,
  InvalidRequest,
  listAssistants,
  readAccount,
  readJournalDays,
  readOwnerId,
  readTrends,
  rotateApiKey,
} from "@restwell/core"
import { z } from "zod"
import type { Accounts } from "../../accounts/accounts.ts"
import { isFreshSession } from "../../accounts/session.ts"
import { networkOf } from "../../network/network-of.ts"
import { DeleteAccountRequestSchema } from "../../openapi/account-schemas.ts"
import { describeVendors } from "../../vendors/describe-vendors.ts"
import { parseSearch } from "../plumbing/query-parameters.ts"
import type { SessionHandler } from "../plumbing/session.ts"
import { presentAssistant } from "./assistant-handlers.ts"
import { localProgram } from "./local-program.ts"

/** What the handlers of accounts call. */
export interface AccountServices {
  readonly context: Context
  readonly accounts: Accounts
  readonly baseUrl: string
}

/** A hundred years. */
const MOST_TREND_DAYS = 36_500

/** GET /api/account */
export const readAccountHandler =
  ({ context, accounts, baseUrl }: AccountServices): SessionHandler =>
  async (session): Promise<AccountResponse> => {
    const [account, signInMethods, assistants, ownerId] = await Promise.all([
      readAccount(context, session.userId),
      accounts.signInMethods(session.userId),
      listAssistants(context, session.userId),
      readOwnerId(context),
    ])
    const { plan, usage, apiKey, providers, connections, reconnectMail } = account
    return {
      user: session.user,
      sign_in: {
        password: signInMethods.password,
        two_factor: signInMethods.twoFactor,
        passkeys: signInMethods.passkeys,
        providers: signInMethods.providers,
      },
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
      is_owner: ownerId === session.userId,
      vendors: describeVendors(context, baseUrl),
      connections: connections.map(
        ({ provider, status, statusReason, connectedAt, lastSyncedAt, waiting, gaps, history }) => ({
          provider,
          status,
          status_reason: statusReason,
          connected_at: connectedAt.toISOString(),
          last_synced_at: lastSyncedAt?.toISOString() ?? null,
          waiting: waiting && { ...waiting, until: waiting.until.toISOString() },
          gaps: [...gaps],
          history: {
            complete: history.complete,
            fetched_back_to: history.fetchedBackTo?.toISOString() ?? null,
            records: history.records,
          },
        }),
      ),
      notices: { can_send: accounts.passwordReset === "email", reconnect: reconnectMail },
      assistants: assistants.map(presentAssistant),
      local_program: localProgram(baseUrl),
    }
  }

/** POST /api/account/api-key. No later response shows the key again. */
export const rotateApiKeyHandler =
  (context: Context): SessionHandler =>
  async (session, reply, request) => {
    const { apiKey } = await rotateApiKey(context, session.userId, networkOf(request.ip))
    return reply.code(201).send({ api_key: apiKey })
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
export const trendsHandler =
  (context: Context): SessionHandler =>
  async (session, _reply, request) =>
    readTrends(context, session.userId, parseSearch(request, TrendsSchema).days)

/** GET /api/account/journal: the answers of each date. */
export const journalDaysHandler =
  (context: Context): SessionHandler =>
  async (session, _reply, request) =>
    readJournalDays(context, session.userId, parseSearch(request, TrendsSchema).days)

/** DELETE /api/account. Needs the password if the sign-in is older than an hour. */
export const deleteAccountHandler =
  (context: Context, accounts: Accounts): SessionHandler =>
  async (session, reply, request) => {
    const parsed = DeleteAccountRequestSchema.safeParse(request.body ?? {})
    if (!parsed.success) throw new InvalidRequest('password must be text, send {"password": "..."}', "password")
    const { password } = parsed.data
    if (password === undefined && !isFreshSession(context.clock, session))
      throw new Forbidden(
        (await accounts.signInMethods(session.userId)).password
          ? 'to delete the account, send {"password": "..."} in the body'
          : "to delete the account, sign out and in again first: the sign-in is older than an hour",
      )
    if (password !== undefined && !(await accounts.verifyPassword(session, password, request.ip)))
      throw new Forbidden("incorrect password, nothing was deleted")
    await deleteAccount(context, session.userId)
    return reply.code(204).send()
  }
