import { Readable } from "node:stream"
import {
  type Context,
  deleteAccount,
  exportAccount,
  Forbidden,
  InvalidRequest,
  readAccount,
  rotateApiKey,
} from "@restwell/core"
import type { FastifyReply, FastifyRequest } from "fastify"
import type { Accounts, Session } from "../accounts/accounts.ts"
import { type AccountResponse, DeleteAccountRequestSchema } from "../openapi/account-schemas.ts"

/** GET /api/account */
export const readAccountDoor =
  (context: Context) =>
  async (session: Session): Promise<AccountResponse> => {
    const { plan, usage, apiKey, connections } = await readAccount(context, session.userId)
    return {
      user: session.user,
      plan,
      usage: { limit: usage.limit, used: usage.used, remaining: usage.remaining, reset: usage.reset.toISOString() },
      api_key: apiKey && {
        prefix: apiKey.prefix,
        created_at: apiKey.createdAt.toISOString(),
        last_used_at: apiKey.lastUsedAt?.toISOString() ?? null,
      },
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
      assistants: [],
    }
  }

/** POST /api/account/api-key: shown this once. */
export const rotateApiKeyDoor = (context: Context) => async (session: Session, reply: FastifyReply) => {
  const { apiKey } = await rotateApiKey(context, session.userId)
  return reply.code(201).send({ api_key: apiKey })
}

/** GET /api/account/export: one JSON document, written as it is read. */
export const exportAccountDoor = (context: Context) => async (session: Session, reply: FastifyReply) =>
  reply
    .headers({
      "content-type": "application/json; charset=utf-8",
      "content-disposition": 'attachment; filename="restwell-export.json"',
    })
    .send(Readable.from(exportAccount(context, session.userId)))

/** A sign-in this young is proof enough of who asks. */
const FRESH_MS = 60 * 60_000

/** DELETE /api/account: all of it, at once. Who signed in more than an hour ago gives the password again. */
export const deleteAccountDoor =
  (context: Context, accounts: Accounts) => async (session: Session, reply: FastifyReply, request: FastifyRequest) => {
    const parsed = DeleteAccountRequestSchema.safeParse(request.body ?? {})
    if (!parsed.success) throw new InvalidRequest('password must be text, send {"password": "..."}', "password")
    const { password } = parsed.data
    const isFresh = context.clock.now().getTime() - session.signedInAt.getTime() < FRESH_MS
    if (password === undefined && !isFresh)
      throw new Forbidden('to delete the account, send {"password": "..."} with it')
    if (password !== undefined && !(await accounts.verifyPassword(session, password, request.ip)))
      throw new Forbidden("the password is wrong, nothing was deleted")
    await deleteAccount(context, session.userId)
    return reply.code(204).send()
  }
