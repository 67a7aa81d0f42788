import { Forbidden } from "@restwell/core"
import type { AccountOperation, AccountsContext } from "./account-request.ts"
import { countInSession } from "./attempt-limits.ts"
import { rethrowAuthError } from "./auth-errors.ts"
import type { Auth } from "./better-auth.ts"
import { requireGoodPassword } from "./password-rule.ts"
import { BODIES, readBody } from "./request-bodies.ts"
import { isFreshSession, requireSession, type Session } from "./session.ts"

/** The password of a person who is signed in. */
export interface Passwords {
  readonly changePassword: AccountOperation
  /** Sets a first password. @throws {Conflict} @throws {Forbidden} when the sign-in is older than an hour */
  readonly setPassword: AccountOperation
  /** True when this is the person's password. Limited like a sign-in. @throws {TooManyAttempts} */
  verifyPassword(session: Session, password: string, address: string): Promise<boolean>
}

export const createPasswords = ({ auth, context, knownBrowsers, record }: AccountsContext): Passwords => ({
  async changePassword({ request, address }) {
    const body = await readBody(request, BODIES.changePassword)
    const session = await requireSession(auth, request.headers)
    await requireGoodPassword(body.newPassword, session.user.email, "newPassword")
    const attempt = await countInSession(context, session.sessionId, address)
    const { headers } = await auth.api
      .changePassword({ body, headers: request.headers, returnHeaders: true })
      .catch(rethrowAuthError)
    await attempt.succeeded()
    headers.append("set-cookie", await knownBrowsers.remember(request.headers, session.userId))
    await record(session.userId, address, { type: "password_changed" })
    return { body: { success: true }, headers }
  },
  async setPassword({ request, address }) {
    const body = await readBody(request, BODIES.setPassword)
    const session = await requireSession(auth, request.headers)
    if (!isFreshSession(context.clock, session))
      throw new Forbidden("the sign-in is older than an hour, sign out and in again first")
    await requireGoodPassword(body.newPassword, session.user.email, "newPassword")
    await auth.api.setPassword({ body, headers: request.headers }).catch(rethrowAuthError)
    await record(session.userId, address, { type: "password_set" })
    return {
      body: { success: true },
      headers: new Headers({ "set-cookie": await knownBrowsers.remember(request.headers, session.userId) }),
    }
  },
  async verifyPassword({ userId, sessionId }, password, address) {
    const attempt = await countInSession(context, sessionId, address)
    const isRight = await isPasswordOf(auth, userId, password)
    if (isRight) await attempt.succeeded()
    return isRight
  },
})

/** Callers count the attempt. */
export async function isPasswordOf(auth: Auth, userId: string, password: string): Promise<boolean> {
  const { internalAdapter, password: hashes } = await auth.$context
  const accounts = await internalAdapter.findAccounts(userId)
  const hash = accounts.find(({ providerId }) => providerId === "credential")?.password
  return typeof hash === "string" && hashes.verify({ hash, password })
}
