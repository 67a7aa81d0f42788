import { Conflict, Forbidden } from "@restwell/core"
import { z } from "zod"
import type { AccountOperation, AccountsContext } from "./account-request.ts"
import { countInSession } from "./attempt-limits.ts"
import { rethrowAuthError } from "./auth-errors.ts"
import { useCode } from "./check-code.ts"
import { isPasswordOf } from "./passwords.ts"
import { BODIES, readBody } from "./request-bodies.ts"
import { requireSession, type Session } from "./session.ts"
import { readSignInMethods } from "./sign-in-methods.ts"

/** Codes at sign-in, for a person who is signed in. Every change needs the password. */
export interface TwoFactor {
  /** Makes a secret for the person's app. Codes are on once one is confirmed. @throws {Conflict} if they are on */
  readonly begin: AccountOperation
  /** Turns codes on, and returns the recovery codes, which no later response shows again. */
  readonly confirm: AccountOperation
  /** Turns codes off. Needs a code too. */
  readonly turnOff: AccountOperation
  /** Replaces the recovery codes. Needs a code too. */
  readonly renewRecoveryCodes: AccountOperation
}

const BegunSchema = z.object({ totpURI: z.string() })
const RecoveryCodesSchema = z.object({ backupCodes: z.array(z.string()) })

export function createTwoFactor(accounts: AccountsContext): TwoFactor {
  const { auth, context, record } = accounts
  return {
    async begin({ request, address }) {
      const { password } = await readBody(request, BODIES.password)
      const session = await requireSession(auth, request.headers)
      await requirePasswordOnly(accounts, session, password, address)
      const response = await auth.api
        .enableTwoFactor({ body: { password, method: "totp" }, headers: request.headers })
        .catch(rethrowBeginning)
      const { totpURI } = BegunSchema.parse(response)
      return { body: { uri: totpURI, key: new URL(totpURI).searchParams.get("secret") ?? "" }, headers: new Headers() }
    },
    async confirm({ request, address }) {
      const { code } = await readBody(request, BODIES.code)
      const session = await requireSession(auth, request.headers)
      if ((await readSignInMethods(auth, session.userId)).twoFactor) throw new Conflict(ALREADY_ON)
      const attempt = await countInSession(context, session.sessionId, address)
      const { headers } = await useCode(accounts, { userId: session.userId, headers: request.headers, typed: code })
      await attempt.succeeded()
      await record(session.userId, address, { type: "two_factor_on" })
      const { backupCodes } = RecoveryCodesSchema.parse(
        await auth.api.viewBackupCodes({ body: { userId: session.userId } }),
      )
      return { body: { recovery_codes: backupCodes }, headers }
    },
    async turnOff({ request, address }) {
      const body = await readBody(request, BODIES.passwordAndCode)
      const session = await requirePasswordAndCode(accounts, request.headers, body, address)
      const { headers } = await auth.api
        .disableTwoFactor({ body: { password: body.password }, headers: request.headers, returnHeaders: true })
        .catch(rethrowAuthError)
      await record(session.userId, address, { type: "two_factor_off" })
      return { body: { success: true }, headers }
    },
    async renewRecoveryCodes({ request, address }) {
      const body = await readBody(request, BODIES.passwordAndCode)
      const session = await requirePasswordAndCode(accounts, request.headers, body, address)
      const response = await auth.api
        .generateBackupCodes({ body: { password: body.password }, headers: request.headers })
        .catch(rethrowAuthError)
      await record(session.userId, address, { type: "recovery_codes_replaced" })
      return { body: { recovery_codes: RecoveryCodesSchema.parse(response).backupCodes }, headers: new Headers() }
    },
  }
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
