import { fileURLToPath } from "node:url"
import {
  type AccountResponse,
  AccountResponseSchema,
  ApiKeyResponseSchema,
  type Assistant,
  NoticesSchema,
} from "@restwell/client"
import {
  type ComputedAnswer,
  type Context,
  type DeliveryContext,
  deleteAccount,
  type LimitAtATime,
  type ListedAssistant,
  listAssistants,
  readAccount,
  readOwnerId,
  readPreferences,
  revokeAssistant,
  rotateApiKey,
  type Statistics,
  setReconnectMail,
} from "@restwell/core"
import type { FastifyReply } from "fastify"
import { z } from "zod"
import type { Accounts } from "../../accounts/accounts.ts"
import { BODIES } from "../../accounts/request-bodies.ts"
import { isFreshSession } from "../../accounts/session.ts"
import type { LiveSettings } from "../../config/live-settings.ts"
import { describeArchives, describeDevices, describeVendors } from "../../config/vendors.ts"
import { networkOf, reachOf } from "../../network/addresses.ts"
import type { ReceiverNetwork } from "../../network/receivers.ts"
import { isLoopback } from "../../oauth/addresses.ts"
import { jsonBody, success } from "../../openapi/responses.ts"
import { defineEndpoints, headersOf, type SessionHandler } from "../plumbing/endpoint.ts"
import { parseBody, pathParameter } from "../plumbing/requests.ts"

/** What the handlers of accounts call. */
export interface AccountServices {
  readonly context: Context
  /** For what may take longer than an answer usually does. */
  readonly workContext: Context
  readonly accounts: Accounts
  readonly baseUrl: string
  readonly statistics: Statistics
  /** The limit that a person's statistics, long periods and exports share. */
  readonly expensiveReads: LimitAtATime
  readonly exportsAtATime: LimitAtATime
  readonly receivers: ReceiverNetwork
  readonly live: LiveSettings
  /** Sends a message at once. */
  readonly delivering: Pick<DeliveryContext, "pool" | "senders">
}

/**
 * Limits how many requests of one person run at a time. A request ends with its response. Where the client is gone before, it ends with its
 * work, so that nobody has more of it done by leaving. @throws {TooManyRequests}
 */
export const limitConcurrency =
  (limit: "expensiveReads" | "exportsAtATime", handle: AccountHandler): AccountHandler =>
  async (services, call) => {
    const { raw } = call.reply
    const { promise: closed, resolve } = Promise.withResolvers<void>()
    const end = services[limit].begin(call.session.userId)
    // A client that is gone already gets no event.
    if (raw.closed) resolve()
    else raw.once("close", resolve)
    const work = [handle(services, call)]
    void closed.then(() => Promise.allSettled(work)).then(end)
    const body = await work[0]
    if (typeof body !== "function") return body
    return () => {
      if (raw.closed) return undefined
      const computed = Promise.resolve(body())
      work.push(computed)
      return computed
    }
  }

/** Sends what the thread of the statistics wrote. */
export const sendComputed = (reply: FastifyReply, answer: ComputedAnswer | undefined): FastifyReply =>
  reply.type("application/json; charset=utf-8").send(answer && Buffer.from(answer.bytes.buffer))

type AccountHandler = SessionHandler<AccountServices>

/** Reads of much of a person's data share one limit. */
export const expensive = (handle: AccountHandler): AccountHandler => limitConcurrency("expensiveReads", handle)

const PROGRAM = fileURLToPath(new URL("../../../bin/restwell.js", import.meta.url))

/**
 * The command that runs the connector's tools on the person's own machine, with the absolute paths of this installation: programs start it
 * in a folder of their own. Null for a service at another address, whose paths mean nothing to the person.
 */
export const localProgram = (baseUrl: string): { command: string; args: string[] } | null =>
  isLoopback(new URL(baseUrl)) ? { command: process.execPath, args: [PROGRAM, "mcp"] } : null

const presentAssistant = (assistant: ListedAssistant): Assistant => ({
  id: assistant.id,
  client_id: assistant.clientId,
  name: assistant.name,
  verified_host: assistant.verifiedHost,
  redirect_host: assistant.redirectHost,
  scopes: [...assistant.scopes],
  days: assistant.days,
  connected_at: assistant.connectedAt.toISOString(),
  last_read_at: assistant.lastReadAt?.toISOString() ?? null,
})

/** What belongs to the person who is signed in. The connector and its authorization server describe themselves: MCP, RFC 8414, RFC 9728. */
export const accountEndpoints = defineEndpoints<AccountServices>("Account", [
  {
    method: "GET",
    path: "/api/account",
    access: "session",
    id: "readAccount",
    summary: "Read the account",
    description: "Preferences, plan, usage, the key's prefix, and connections with the progress of their history.",
    responses: { "200": success("The account", AccountResponseSchema) },
    handle:
      async ({ context, accounts, baseUrl, live }, { session }) =>
      async (): Promise<AccountResponse> => {
        const [account, signInMethods, assistants, ownerId, preferences] = await Promise.all([
          readAccount(context, session.userId),
          accounts.signInMethods(session.userId),
          listAssistants(context, session.userId),
          readOwnerId(context),
          readPreferences(context, session.userId),
        ])
        const { plan, usage, apiKey, providers, connections, reconnectMail, isAlone } = account
        const { protocol, hostname } = new URL(baseUrl)
        return {
          user: session.user,
          preferences,
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
          is_alone: isAlone,
          address: { is_https: protocol === "https:", reach: reachOf(hostname) },
          vendors: describeVendors(context, baseUrl),
          archives: describeArchives(),
          devices: describeDevices(),
          connections: connections.map(
            ({
              provider,
              status,
              statusReason,
              notice,
              connectedAt,
              lastSyncedAt,
              waiting,
              gaps,
              leftOut,
              history,
            }) => ({
              provider,
              status,
              status_reason: statusReason,
              notice,
              connected_at: connectedAt.toISOString(),
              last_synced_at: lastSyncedAt?.toISOString() ?? null,
              waiting: waiting && { ...waiting, until: waiting.until?.toISOString() ?? null },
              gaps: gaps.map(({ collection, title, reason, nextStep, helpsReconnect, since, retryAt }) => ({
                collection,
                title,
                reason,
                next_step: nextStep,
                helps_reconnect: helpsReconnect,
                since,
                retry_at: retryAt,
              })),
              left_out: leftOut.map(({ type, reason, count, fromDate, toDate }) => ({
                type,
                reason,
                count: Number(count),
                from_date: fromDate,
                to_date: toDate,
              })),
              history: {
                complete: history.complete,
                fetched_back_to: history.fetchedBackTo?.toISOString() ?? null,
                records: history.records,
              },
            }),
          ),
          notices: { can_send: accounts.passwordReset === "email", reconnect: reconnectMail },
          has_home_assistant: live.current().mqttUrl !== undefined || live.current().homeAssistant !== undefined,
          assistants: assistants.map(presentAssistant),
          local_program: localProgram(baseUrl),
        }
      },
  },
  {
    method: "DELETE",
    path: "/api/account",
    access: "session",
    id: "deleteAccount",
    summary: "Delete the account",
    description:
      "Deletes the person with all keys, sessions, tokens, records and vendors' payloads at once, and revokes the grants at the vendors. " +
      "The password, a passkey or a sign-in within the last hour confirms it. If the owner deletes theirs, " +
      "nobody becomes the owner until the operator appoints one with `restwell people set-owner`.",
    requestBody: jsonBody(BODIES.confirmation, false),
    responses: { "204": { description: "Deleted" } },
    failures: ["tooManyAttempts"],
    handle: async ({ context, workContext, accounts }, { session, reply, request }) => {
      const body = parseBody(request, BODIES.confirmation)
      const isConfirmed = Object.keys(body).length === 0 && isFreshSession(context.clock, session)
      if (!isConfirmed)
        await accounts.confirmIdentity({ session, headers: headersOf(request), address: request.ip, body })
      await deleteAccount(workContext, session.userId)
      // The browser forgets what it kept of the person.
      return reply.code(204).header("clear-site-data", '"cache", "cookies", "storage"').send()
    },
  },
  {
    method: "POST",
    path: "/api/account/api-key",
    access: "session",
    id: "createApiKey",
    summary: "Create an API key",
    description: "The key is in this response only. It replaces the former key at once.",
    responses: { "201": success("The key", ApiKeyResponseSchema) },
    handle: async ({ context }, { session, reply, request }) => {
      const { apiKey } = await rotateApiKey(context, session.userId, networkOf(request.ip))
      return reply.code(201).send({ api_key: apiKey })
    },
  },
  {
    method: "DELETE",
    path: "/api/account/assistants/:id",
    access: "session",
    id: "revokeAssistant",
    summary: "Revoke an assistant's access",
    description: "Revokes its tokens at once. The assistant can ask again, and the person decides again.",
    params: z.object({
      id: z.string().meta({ description: "The assistant's `id` in the account", example: "k3T9xVb2QpLw8sZr5NfYh7" }),
    }),
    responses: { "204": { description: "Revoked" } },
    failures: ["noAssistant"],
    handle: async ({ context }, { session, reply, request }) => {
      await revokeAssistant(context, session.userId, pathParameter(request, "id"), networkOf(request.ip))
      return reply.code(204).send()
    },
  },
  {
    method: "PUT",
    path: "/api/account/notices",
    access: "session",
    id: "setNotices",
    summary: "Choose the emails",
    description: "Which emails the service sends to the person. Links that the person asks for are always sent.",
    requestBody: jsonBody(NoticesSchema),
    responses: { "200": success("Saved", NoticesSchema) },
    handle: async ({ context }, { session, reply, request }) => {
      const { reconnect } = parseBody(request, NoticesSchema)
      await setReconnectMail(context, session.userId, reconnect)
      return reply.send({ reconnect })
    },
  },
])
