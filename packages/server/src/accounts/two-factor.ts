import { Conflict, Forbidden, forgetAttempts, recordFailedSignIn, takeAttempt, Unauthorized } from "@restwell/core"
import { APIError } from "better-auth/api"
import { z } from "zod"
import { networkOf } from "../network/addresses.ts"
import type { AccountOperation, AccountsContext } from "./account-request.ts"
import { countCode, countInSession } from "./attempt-limits.ts"
import { cookiesNamed, isSignedBy, parseSigned, readCode } from "./better-auth.ts"
import { isPasswordOf } from "./identity-confirmation.ts"
import { SignedInSchema } from "./password-sign-in.ts"
import { BODIES, parseFields } from "./request-bodies.ts"
import {
  deleteExpiredSessions,
  followSession,
  readSignInMethods,
  requireSession,
  rethrowAuthError,
  type Session,
} from "./session.ts"

export interface CheckedCode {
  readonly kind: "totp" | "recovery"
  readonly response: unknown
  readonly headers: Headers
}

/** A code is accepted in its own 30 seconds and in those before and after. One row remembers that it was used. */
const USED = { attempts: 1, windowSeconds: 120 }

/**
 * Checks a code of the app, or a recovery code, and uses it up. RFC 6238 5.2: a code is accepted once.
 * @param headers with the cookie of a session, or of a sign-in that waits for its code
 * @throws {Unauthorized} for a wrong code @throws {Forbidden} when the sign-in has expired
 */
async function useCode(
  { auth, context }: Pick<AccountsContext, "auth" | "context">,
  { userId, headers, typed }: { readonly userId: string; readonly headers: Headers; readonly typed: string },
): Promise<CheckedCode> {
  const { kind, code } = readCode(typed)
  const request = { headers, returnHeaders: true } as const
  if (kind === "recovery")
    return { kind, ...(await auth.api.verifyBackupCode({ body: { code }, ...request }).catch(rethrowCodeError)) }
  const used = `code-used/${userId}/${code}`
  if ((await takeAttempt(context, used, USED)) > 0)
    throw new Unauthorized("this code was used before, wait for the next one")
  const checked = await auth.api.verifyTOTP({ body: { code }, ...request }).catch(async (error: unknown) => {
    if (isWrongCode(error)) await forgetAttempts(context, used)
    return rethrowCodeError(error)
  })
  return { kind, ...checked }
}

const codeOf = (error: unknown): string => (error instanceof APIError ? (error.body?.code ?? "") : "")
const isWrongCode = (error: unknown): boolean => /^INVALID_(?:BACKUP_)?CODE$/.test(codeOf(error))

function rethrowCodeError(error: unknown): never {
  if (isWrongCode(error)) throw new Unauthorized("incorrect code", { cause: error })
  if (/INVALID_TWO_FACTOR_COOKIE|TOO_MANY_ATTEMPTS/.test(codeOf(error))) throw expiredSignIn({ cause: error })
  if (/NOT_ENABLED/.test(codeOf(error)))
    throw new Forbidden("sign-in codes are off, turn them on first", { cause: error })
  return rethrowAuthError(error)
}

const expiredSignIn = (options?: ErrorOptions): Forbidden =>
  new Forbidden("this sign-in has expired, enter your password again", options)

const BegunSchema = z.object({ totpURI: z.string() })
const RecoveryCodesSchema = z.object({ backupCodes: z.array(z.string()) })

/** Codes at sign-in, for a person who is signed in. Every change needs the password. */
export function createTwoFactor(accounts: AccountsContext) {
  const { auth, context, record } = accounts
  return {
    /** Makes a secret for the person's app. Codes are on once one is confirmed. @throws {Conflict} if they are on */
    async begin({ body: given, headers: sent, address }) {
      const { password } = parseFields(given, BODIES.password)
      const session = await requireSession(auth, sent)
      await requirePasswordOnly(accounts, session, password, address)
      const response = await auth.api
        .enableTwoFactor({ body: { password, method: "totp" }, headers: sent })
        .catch(rethrowBeginning)
      const { totpURI } = BegunSchema.parse(response)
      return { body: { uri: totpURI, key: new URL(totpURI).searchParams.get("secret") ?? "" }, headers: new Headers() }
    },
    /** Turns codes on, and returns the recovery codes, which no later response shows again. */
    async confirm({ body: given, headers: sent, address }) {
      const { code } = parseFields(given, BODIES.code)
      const session = await requireSession(auth, sent)
      if ((await readSignInMethods(auth, session.userId)).twoFactor) throw new Conflict(ALREADY_ON)
      const attempt = await countInSession(context, session.sessionId, address)
      const { headers } = await useCode(accounts, { userId: session.userId, headers: sent, typed: code })
      await attempt.succeeded()
      await followSession(accounts, session, headers)
      await record(session.userId, address, { type: "two_factor_on" })
      const { backupCodes } = RecoveryCodesSchema.parse(
        await auth.api.viewBackupCodes({ body: { userId: session.userId } }),
      )
      return { body: { recovery_codes: backupCodes }, headers }
    },
    /** Turns codes off. Needs a code too. */
    async turnOff({ body: given, headers: sent, address }) {
      const body = parseFields(given, BODIES.passwordAndCode)
      const session = await requirePasswordAndCode(accounts, sent, body, address)
      const { headers } = await auth.api
        .disableTwoFactor({ body: { password: body.password }, headers: sent, returnHeaders: true })
        .catch(rethrowAuthError)
      await followSession(accounts, session, headers)
      await record(session.userId, address, { type: "two_factor_off" })
      return { body: { success: true }, headers }
    },
    /** Replaces the recovery codes. Needs a code too. */
    async renewRecoveryCodes({ body: given, headers: sent, address }) {
      const body = parseFields(given, BODIES.passwordAndCode)
      const session = await requirePasswordAndCode(accounts, sent, body, address)
      const response = await auth.api
        .generateBackupCodes({ body: { password: body.password }, headers: sent })
        .catch(rethrowAuthError)
      await record(session.userId, address, { type: "recovery_codes_replaced" })
      return { body: { recovery_codes: RecoveryCodesSchema.parse(response).backupCodes }, headers: new Headers() }
    },
  } satisfies Record<string, AccountOperation>
}

const ALREADY_ON = "sign-in codes are on, turn them off first to use another app"
const WRONG_PASSWORD = "incorrect current password"

/** @throws {Forbidden} for a wrong password, and for an account without one */
async function requirePasswordOnly(
  { auth, context }: AccountsContext,
  { userId, sessionId }: Session,
  password: string,
  address: string,
): Promise<void> {
  if (!(await readSignInMethods(auth, userId)).password)
    throw new Forbidden("sign-in codes follow a password, set a password first")
  const attempt = await countInSession(context, sessionId, address)
  if (!(await isPasswordOf(auth, userId, password))) throw new Forbidden(WRONG_PASSWORD)
  await attempt.succeeded()
}

/** One attempt counts for both, so that a right password does not give another guess at the code. */
async function requirePasswordAndCode(
  accounts: AccountsContext,
  headers: Headers,
  { password, code }: z.infer<typeof BODIES.passwordAndCode>,
  address: string,
): Promise<Session> {
  const { auth, context } = accounts
  const session = await requireSession(auth, headers)
  if (!(await readSignInMethods(auth, session.userId)).twoFactor)
    throw new Conflict("sign-in codes are off, turn them on first")
  const attempt = await countInSession(context, session.sessionId, address)
  if (!(await isPasswordOf(auth, session.userId, password))) throw new Forbidden(WRONG_PASSWORD)
  const { kind } = await useCode(accounts, { userId: session.userId, headers, typed: code })
  await attempt.succeeded()
  if (kind === "recovery") await accounts.record(session.userId, address, { type: "recovery_code_used" })
  return session
}

/** PostgreSQL's unique_violation: two beginnings at once. */
const UNIQUE_VIOLATION = "23505"

function rethrowBeginning(error: unknown): never {
  const code = error instanceof Error && "code" in error ? error.code : undefined
  if (code === UNIQUE_VIOLATION) throw new Conflict("this was begun twice at once, begin again", { cause: error })
  return rethrowAuthError(error)
}

/** A sign-in whose password was right. */
interface PendingSignIn {
  readonly userId: string
  readonly email: string
  /** Only its own cookie: a session in the same browser may be somebody else's. */
  readonly headers: Headers
}

/** The second step of a sign-in with a password, for people who have turned codes on. */
export function createCodeSignIn(accounts: AccountsContext) {
  const { context, knownBrowsers, record } = accounts
  return {
    /** @throws {Unauthorized} for a wrong code @throws {Forbidden} without a password in the last minutes @throws {TooManyAttempts} */
    async signInWithCode({ body: given, headers: sent, address }) {
      const { code } = parseFields(given, BODIES.code)
      const { userId, email, headers } = await findPendingSignIn(accounts, sent)
      const knownBrowser = await knownBrowsers.find(sent, { userId })
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
      checked.headers.append("set-cookie", await knownBrowsers.remember(sent, userId))
      return { body: signedIn, headers: checked.headers }
    },
  } satisfies Record<string, AccountOperation>
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
