import type { Context, LimitAtATime, Statistics } from "@restwell/core"
import type { Accounts } from "../../accounts/accounts.ts"
import type { SessionHandler } from "../plumbing/endpoint.ts"

/** What the handlers of accounts call. */
export interface AccountServices {
  readonly context: Context
  readonly accounts: Accounts
  readonly baseUrl: string
  readonly statistics: Statistics
  /** The limit that a person's statistics, long periods and exports share. */
  readonly expensiveReads: LimitAtATime
}

/** Limits how many requests of one person run at a time. A request ends with its response, or when the client is gone. @throws {TooManyRequests} */
export const limitConcurrency =
  (limit: LimitAtATime, handle: SessionHandler): SessionHandler =>
  async (session, reply, request) => {
    const end = limit.begin(session.userId)
    // A client that is gone already gets no event.
    if (reply.raw.closed) end()
    else reply.raw.once("close", end)
    return handle(session, reply, request)
  }

/** Reads of much of a person's data share one limit. */
export const expensive =
  (handle: (services: AccountServices) => SessionHandler) =>
  (services: AccountServices): SessionHandler =>
    limitConcurrency(services.expensiveReads, handle(services))
