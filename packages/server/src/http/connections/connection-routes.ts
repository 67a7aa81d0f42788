import type { Context, ReceiveWebhook } from "@restwell/core"
import type { Accounts } from "../../accounts/accounts.ts"
import { pathParameter } from "../plumbing/query-parameters.ts"
import type { Handler, Route } from "../plumbing/route.ts"
import { withSession } from "../plumbing/session.ts"
import {
  authorizeHandler,
  type ConnectionRequest,
  callbackHandler,
  disconnectHandler,
  pageOf,
  sendProblemPage,
  syncHandler,
} from "./connection-handlers.ts"
import { type CountWebhook, challengeHandler, webhookHandler } from "./webhook-handler.ts"

export interface ConnectionServices {
  readonly context: Context
  readonly accounts: Accounts
  readonly baseUrl: string
  readonly receiveWebhook: ReceiveWebhook
  readonly countWebhook: CountWebhook
}

/** Connecting vendors and ending it, and what vendors call. */
export function connectionRoutes(services: ConnectionServices): Route[] {
  const { context, accounts, baseUrl, receiveWebhook, countWebhook } = services
  const own = (handle: (request: ConnectionRequest) => Promise<unknown>): Handler =>
    withSession(accounts, (session, reply, request) => {
      const provider = pathParameter(request, "provider")
      const { searchParams: search } = new URL(request.url, baseUrl)
      return handle({ session, provider, search, reply, page: pageOf(request) })
    })
  const path = "/api/connections/:provider"
  const sendError = sendProblemPage(baseUrl)
  return [
    { method: "GET", path: `${path}/authorize`, handle: own(authorizeHandler(context, baseUrl)), sendError },
    { method: "GET", path: `${path}/callback`, handle: own(callbackHandler(context, baseUrl)), sendError },
    { method: "POST", path: `${path}/sync`, handle: own(syncHandler(context)) },
    { method: "DELETE", path, handle: own(disconnectHandler(context)) },
    { method: "GET", path: "/api/webhooks/:provider", handle: challengeHandler(context, baseUrl) },
    {
      method: "POST",
      path: "/api/webhooks/:provider",
      handle: webhookHandler(receiveWebhook, countWebhook),
      fromAnySite: true,
      body: "bytes",
    },
  ]
}
