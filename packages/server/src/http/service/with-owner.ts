import { type Context, Forbidden, readOwnerId } from "@restwell/core"
import type { Accounts } from "../../accounts/accounts.ts"
import type { Handler } from "../plumbing/route.ts"
import { type SessionHandler, withSession } from "../plumbing/session.ts"

/** A handler for the owner of this installation. @throws {Unauthorized} @throws {Forbidden} for other people */
export const withOwner = (context: Context, accounts: Accounts, handle: SessionHandler): Handler =>
  withSession(accounts, async (session, reply, request) => {
    if ((await readOwnerId(context)) !== session.userId)
      throw new Forbidden("only the owner of this installation may do this")
    return handle(session, reply, request)
  })
