import type { Route } from "../plumbing/route.ts"
import { withSession } from "../plumbing/session.ts"
import {
  type AccountServices,
  deleteAccountHandler,
  journalDaysHandler,
  readAccountHandler,
  rotateApiKeyHandler,
  trendsHandler,
} from "./account-handlers.ts"
import { revokeAssistantHandler } from "./assistant-handlers.ts"
import { exportHandler } from "./export-handler.ts"
import { limitConcurrency } from "./limit-concurrency.ts"
import { accessLogHandler, securityLogHandler } from "./log-handlers.ts"
import { setNoticesHandler } from "./notice-handlers.ts"
import { readSourcesHandler, writeSourcesHandler } from "./source-handlers.ts"

/** An export reads and sends all of a person's records. Two serve two devices. */
const EXPORTS = { what: "exports", most: 2, retryAfterSeconds: 10 }
/** A period of years computes thousands of days. The page shows two charts' periods at a time, in two windows. */
const TRENDS = { what: "trends", most: 4, retryAfterSeconds: 1 }
/** Read beside the trends. */
const JOURNAL = { ...TRENDS, what: "journals" }

/** What belongs to the person who is signed in. */
export function accountRoutes({ context, accounts, baseUrl }: AccountServices): Route[] {
  const own = (handle: Parameters<typeof withSession>[1]) => withSession(accounts, handle)
  return [
    { method: "GET", path: "/api/account", handle: own(readAccountHandler({ context, accounts, baseUrl })) },
    { method: "DELETE", path: "/api/account", handle: own(deleteAccountHandler(context, accounts)) },
    { method: "POST", path: "/api/account/api-key", handle: own(rotateApiKeyHandler(context)) },
    { method: "DELETE", path: "/api/account/assistants/:id", handle: own(revokeAssistantHandler(context)) },
    { method: "PUT", path: "/api/account/notices", handle: own(setNoticesHandler(context)) },
    { method: "GET", path: "/api/account/access-log", handle: own(accessLogHandler(context)) },
    { method: "GET", path: "/api/account/security-log", handle: own(securityLogHandler(context)) },
    { method: "GET", path: "/api/account/sources", handle: own(readSourcesHandler(context)) },
    { method: "PUT", path: "/api/account/sources", handle: own(writeSourcesHandler(context)) },
    {
      method: "GET",
      path: "/api/account/trends",
      handle: own(limitConcurrency(TRENDS, trendsHandler(context))),
      isLarge: true,
    },
    {
      method: "GET",
      path: "/api/account/journal",
      handle: own(limitConcurrency(JOURNAL, journalDaysHandler(context))),
      isLarge: true,
    },
    {
      method: "GET",
      path: "/api/account/export",
      handle: own(limitConcurrency(EXPORTS, exportHandler(context))),
      isLarge: true,
    },
  ]
}
