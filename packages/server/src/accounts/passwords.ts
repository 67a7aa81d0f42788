import {
  Conflict,
  endPushOfSessions,
  findPasswordReset,
  NotFound,
  queuePasswordResetMail,
  resetPassword,
} from "@restwell/core"
import { networkOf } from "../network/addresses.ts"
import type { AccountOperation, AccountsContext } from "./account-request.ts"
import { countInSession, countNamelessSignIn, countResetRequest } from "./attempt-limits.ts"
import { confirmIdentity } from "./identity-confirmation.ts"
import { deleteAllPasskeys } from "./passkeys.ts"
import { requireGoodPassword } from "./password-rule.ts"
import { CodeRequiredSchema, SignedInSchema } from "./password-sign-in.ts"
import { BODIES, parseFields } from "./request-bodies.ts"
import { followSession, readSignInMethods, requireSession, rethrowAuthError } from "./session.ts"

/** The password of a person who is signed in. */
export const createPasswords = (accounts: AccountsContext) => {
  const { auth, context, knownBrowsers, record } = accounts
  return {
    async changePassword({ body: given, headers: sent, address }) {
      const { deletePasskeys, ...body } = parseFields(given, BODIES.changePassword)
      const session = await requireSession(auth, sent)
      await requireGoodPassword(body.newPassword, session.user.email, "newPassword")
      const attempt = await countInSession(context, session.sessionId, address)
      const { headers } = await auth.api
        .changePassword({ body, headers: sent, returnHeaders: true })
        .catch(rethrowAuthError)
      await attempt.succeeded()
      const ownSession = await followSession(accounts, session, headers)
      headers.append("set-cookie", await knownBrowsers.remember(sent, session.userId))
      if (body.revokeOtherSessions) await endPushOfSessions(context.database, session.userId, { allBut: ownSession })
      await record(session.userId, address, { type: "password_changed" })
      if (deletePasskeys) await deleteAllPasskeys(accounts, session.userId, address)
      return { body: { success: true }, headers }
    },
    /** Sets a first password. @throws {Conflict} @throws {Forbidden} unless a passkey or a sign-in within the last hour confirms it */
    async setPassword({ body: given, headers: sent, address }) {
      const { newPassword, ...body } = parseFields(given, BODIES.setPassword)
      const session = await requireSession(auth, sent)
      const { password } = await readSignInMethods(auth, session.userId)
      if (password) throw new Conflict("the account has a password, change it instead")
      await requireGoodPassword(newPassword, session.user.email, "newPassword")
      await confirmIdentity(accounts, { session, headers: sent, address, body })
      await auth.api.setPassword({ body: { newPassword }, headers: sent }).catch(rethrowAuthError)
      await record(session.userId, address, { type: "password_set" })
      return {
        body: { success: true },
        headers: new Headers({ "set-cookie": await knownBrowsers.remember(sent, session.userId) }),
      }
    },
  } satisfies Record<string, AccountOperation>
}

/** A new password by a link that works once. */
export const createPasswordResets = (
  { auth, context, knownBrowsers, record }: AccountsContext,
  sendsMail: () => boolean,
) =>
  ({
    /**
     * Sends a link by email. Says the same whether the address has an account or not, in the same time: the email's sender looks it up.
     * @throws {NotFound} where no email is set up @throws {TooManyAttempts}
     */
    async requestReset({ body, address }) {
      const { email } = parseFields(body, BODIES.email)
      if (!sendsMail())
        throw new NotFound("this Restwell sends no email, ask its operator for a link to a new password")
      await countResetRequest(context, email, address)
      await queuePasswordResetMail(context, email)
      return { body: { success: true }, headers: new Headers() }
    },
    /** Whose password the link sets. @throws {NotFound} for a link that was used or has expired */
    async readResetLink({ body, address }) {
      const { token } = parseFields(body, BODIES.link)
      await countNamelessSignIn(context, address)
      const { email, removesTwoFactor } = await findPasswordReset(context, token)
      return { body: { email, removes_two_factor: removesTwoFactor }, headers: new Headers() }
    },
    /** Sets the password, ends all sessions and signs in. People with sign-in codes then need one. @throws {NotFound} */
    async resetPassword({ body: given, headers: sent, address }) {
      const { token, newPassword } = parseFields(given, BODIES.resetPassword)
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
      headers.append("set-cookie", await knownBrowsers.remember(sent, userId))
      return { body: signedIn, headers }
    },
  }) satisfies Record<string, AccountOperation>
