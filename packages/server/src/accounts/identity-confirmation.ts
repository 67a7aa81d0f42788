import { Forbidden, Unauthorized } from "@restwell/core"
import { APIError } from "better-auth"
import { z } from "zod"
import type { AccountsContext } from "./account-request.ts"
import { countInSession } from "./attempt-limits.ts"
import type { Auth } from "./better-auth.ts"
import type { BODIES } from "./request-bodies.ts"
import { isFreshSession, readSignInMethods, rethrowAuthError, type Session } from "./session.ts"

type Assertion = z.infer<typeof BODIES.passkeySignIn>["response"]

/** Who asks for a change, and what they send to confirm it. */
export interface Confirmation {
  readonly session: Session
  readonly headers: Headers
  readonly address: string
  readonly body: z.infer<typeof BODIES.confirmation>
}

/**
 * Makes sure that the person asks for a change of how to sign in, and not somebody who has stolen a session: by the password, or by an
 * existing passkey. An account that has neither needs a sign-in within the last hour.
 * @throws {Forbidden} that says what to send @throws {TooManyAttempts}
 */
export async function confirmIdentity(accounts: AccountsContext, confirmation: Confirmation): Promise<void> {
  const { auth, context } = accounts
  const { session, headers, address, body } = confirmation
  if (body.password !== undefined) {
    const attempt = await countInSession(context, session.sessionId, address)
    if (!(await isPasswordOf(auth, session.userId, body.password))) throw new Forbidden("incorrect current password")
    return attempt.succeeded()
  }
  if (body.passkey) return confirmByPasskey(accounts, session, body.passkey, headers)
  const { password, passkeys } = await readSignInMethods(auth, session.userId)
  if (password) throw new Forbidden("confirm with your password, or with a passkey that you have")
  if (passkeys > 0) throw new Forbidden("confirm with a passkey that you have")
  if (!isFreshSession(context.clock, session))
    throw new Forbidden("the sign-in is older than an hour, sign out and in again first")
}

/** Callers count the attempt. */
export async function isPasswordOf(auth: Auth, userId: string, password: string): Promise<boolean> {
  const { internalAdapter, password: hashes } = await auth.$context
  const accounts = await internalAdapter.findAccounts(userId)
  const hash = accounts.find(({ providerId }) => providerId === "credential")?.password
  return typeof hash === "string" && hashes.verify({ hash, password })
}

const VerifiedSchema = z.object({ session: z.object({ token: z.string(), userId: z.string() }) })

/** better-auth verifies a passkey only by signing in, so the session that it makes is deleted. */
async function confirmByPasskey(
  accounts: AccountsContext,
  { userId }: Session,
  assertion: Assertion,
  headers: Headers,
): Promise<void> {
  const { response } = await verifyPasskey(accounts, assertion, headers).catch((error: unknown) => {
    // 401 would mean that nobody is signed in.
    if (error instanceof Unauthorized) throw new Forbidden(error.message, { cause: error })
    throw error
  })
  const { session } = VerifiedSchema.parse(response)
  const { internalAdapter } = await accounts.auth.$context
  await internalAdapter.deleteSession(session.token)
  if (session.userId !== userId) throw new Forbidden("this passkey belongs to another account")
}

/** The user handle of an account's passkeys. It must not tell who the person is. WebAuthn 3, 14.6.1 */
export const handleOf = (userId: string): string => Buffer.from(userId).toString("base64url")

/** Signs in with a passkey. @throws {Unauthorized} */
export async function verifyPasskey({ auth }: AccountsContext, assertion: Assertion, headers: Headers) {
  const { adapter } = await auth.$context
  const stored = await adapter.findOne({ model: "passkey", where: [{ field: "credentialID", value: assertion.id }] })
  const owner = OwnerSchema.nullable().parse(stored)
  // The account that the device names must be the one that has the passkey. WebAuthn 3, 7.2 step 6
  if (owner && handleOf(owner.userId) !== assertion.response.userHandle) throw new Unauthorized(NOT_ACCEPTED)
  return auth.api
    .verifyPasskeyAuthentication({ body: { response: assertion }, headers, returnHeaders: true })
    .catch(rethrowAuthentication)
}

const OwnerSchema = z.object({ userId: z.string() })
const NOT_ACCEPTED = "the passkey was not accepted, try again"

/** Unknown, replayed, foreign and late signatures give the same error. */
function rethrowAuthentication(error: unknown): never {
  if (error instanceof APIError && error.statusCode < 500) throw new Unauthorized(NOT_ACCEPTED, { cause: error })
  return rethrowAuthError(error)
}
