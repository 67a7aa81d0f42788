import { recordFailedSignIn, Unauthorized } from "@restwell/core"
import { networkOf } from "../network/network-of.ts"
import type { AccountOperation, AccountsContext } from "./account-request.ts"
import { countCode } from "./attempt-limits.ts"
import { expiredSignIn, useCode } from "./check-code.ts"
import { SignedInSchema } from "./password-sign-in.ts"
import { BODIES, readBody } from "./request-bodies.ts"
import { deleteExpiredSessions } from "./session.ts"
import { cookiesNamed, isSignedBy, parseSigned } from "./signed-text.ts"

/** The second step of a sign-in with a password, for people who have turned codes on. */
export interface CodeSignIn {
  /** @throws {Unauthorized} for a wrong code @throws {Forbidden} without a password in the last minutes @throws {TooManyAttempts} */
  readonly signInWithCode: AccountOperation
}

/** A sign-in whose password was right. */
interface PendingSignIn {
  readonly userId: string
  readonly email: string
  /** Only its own cookie: a session in the same browser may be somebody else's. */
  readonly headers: Headers
}

export function createCodeSignIn(accounts: AccountsContext): CodeSignIn {
  const { context, knownBrowsers, record } = accounts
  return {
    async signInWithCode({ request, address }) {
      const { code } = await readBody(request, BODIES.code)
      const { userId, email, headers } = await findPendingSignIn(accounts, request.headers)
      const knownBrowser = await knownBrowsers.find(request.headers, { userId })
      const attempt = await countCode(context, userId, { address, knownBrowser })
      const checked = await useCode(accounts, { userId, headers, typed: code }).catch(async (error: unknown) => {
        if (error instanceof Unauthorized) await recordFailedSignIn(context, email, networkOf(address), "code")
        throw error
      })
      await attempt.succeeded()
      const signedIn = SignedInSchema.parse(checked.response)
      await deleteExpiredSessions(accounts.auth, userId, context.clock.now())
      if (checked.kind === "recovery") await record(userId, address, { type: "recovery_code_used" })
      const detail = checked.kind === "recovery" ? "password and recovery code" : "password and code"
      await record(userId, address, { type: "signed_in", detail })
      checked.headers.append("set-cookie", await knownBrowsers.remember(request.headers, userId))
      return { body: signedIn, headers: checked.headers }
    },
  }
}

/** @throws {Forbidden} when no sign-in waits in this browser */
async function findPendingSignIn({ auth, context, secrets }: AccountsContext, sent: Headers): Promise<PendingSignIn> {
  const { createAuthCookie, internalAdapter } = await auth.$context
  const { name } = createAuthCookie("two_factor")
  for (const value of cookiesNamed(sent.get("cookie") ?? "", name)) {
    const signed = parseSigned(value)
    if (signed === undefined || !isSignedBy(signed.text, signed.signature, secrets)) continue
    const pending = await internalAdapter.findVerificationValue(signed.text)
    const user =
      pending && pending.expiresAt > context.clock.now() && (await internalAdapter.findUserById(pending.value))
    if (user) return { userId: user.id, email: user.email, headers: new Headers({ cookie: `${name}=${value}` }) }
  }
  throw expiredSignIn()
}
