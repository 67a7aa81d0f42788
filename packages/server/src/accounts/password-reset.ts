import { findPasswordReset, NotFound, queuePasswordResetMail, resetPassword } from "@restwell/core"
import { networkOf } from "../network/network-of.ts"
import type { AccountOperation, AccountsContext } from "./account-request.ts"
import { countNamelessSignIn, countResetRequest } from "./attempt-limits.ts"
import { rethrowAuthError } from "./auth-errors.ts"
import { requireGoodPassword } from "./password-rule.ts"
import { CodeRequiredSchema, SignedInSchema } from "./password-sign-in.ts"
import { BODIES, readBody } from "./request-bodies.ts"

/** A new password by a link that works once. */
export interface PasswordReset {
  /**
   * Sends a link by e-mail. Says the same whether the address has an account or not, in the same time: the e-mail's sender looks it up.
   * @throws {NotFound} where no e-mail is set up @throws {TooManyAttempts}
   */
  readonly requestReset: AccountOperation
  /** Whose password the link sets. @throws {NotFound} for a link that was used or has expired */
  readonly readResetLink: AccountOperation
  /** Sets the password, ends all sessions and signs in. People with sign-in codes then need one. @throws {NotFound} */
  readonly resetPassword: AccountOperation
}

export const createPasswordResets = (
  { auth, context, knownBrowsers, record }: AccountsContext,
  sendsMail: boolean,
): PasswordReset => ({
  async requestReset({ request, address }) {
    const { email } = await readBody(request, BODIES.email)
    if (!sendsMail) throw new NotFound("this Restwell sends no e-mail, ask its operator for a link to a new password")
    await countResetRequest(context, email, address)
    await queuePasswordResetMail(context, email)
    return { body: { success: true }, headers: new Headers() }
  },
  async readResetLink({ request, address }) {
    const { token } = await readBody(request, BODIES.link)
    await countNamelessSignIn(context, address)
    const { email, removesTwoFactor } = await findPasswordReset(context, token)
    return { body: { email, removes_two_factor: removesTwoFactor }, headers: new Headers() }
  },
  async resetPassword({ request, address }) {
    const { token, newPassword } = await readBody(request, BODIES.resetPassword)
    await countNamelessSignIn(context, address)
    const { userId, email } = await findPasswordReset(context, token)
    await requireGoodPassword(newPassword, email, "newPassword")
    const { password: hashes } = await auth.$context
    const passwordHash = await hashes.hash(newPassword)
    await resetPassword(context, { token, passwordHash, network: networkOf(address) })
    // Not counted as an attempt: strangers who guessed before must not delay this sign-in.
    const { headers, response } = await auth.api
      .signInEmail({ body: { email, password: newPassword }, headers: new Headers(), returnHeaders: true })
      .catch(rethrowAuthError)
    if (CodeRequiredSchema.safeParse(response).success) return { body: { code_required: true }, headers }
    const signedIn = SignedInSchema.parse(response)
    await record(userId, address, { type: "signed_in", detail: "password" })
    headers.append("set-cookie", await knownBrowsers.remember(request.headers, userId))
    return { body: signedIn, headers }
  },
})
