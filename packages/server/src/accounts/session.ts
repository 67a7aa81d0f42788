// Maps better-auth's errors to ours.
import { HOUR_MS, MINUTE_MS } from "@restwell/client/time-units"
import {
  type Clock,
  Conflict,
  type Context,
  Forbidden,
  movePushToSession,
  NotFound,
  ServiceError,
  Unauthorized,
  Unavailable,
  UnreadableSecret,
} from "@restwell/core"
import { APIError } from "better-auth/api"
import { z } from "zod"
import type { Auth } from "./better-auth.ts"

const RETRY_AFTER_SECONDS = 2
const EMAIL_TAKEN = "this email address has an account, sign in instead"

/**
 * A wrong password and an unknown account give the same error. A sign-up with a taken email address says so: without mail its owner would
 * not learn it otherwise, and attempts are limited. @throws {ServiceError}
 */
export function rethrowAuthError(error: unknown): never {
  if (error instanceof UnreadableSecret)
    throw new Unavailable("sign-in codes cannot be checked now, ask the operator", RETRY_AFTER_SECONDS, {
      cause: error,
    })
  if (!(error instanceof APIError) || error instanceof ServiceError) throw error
  const code = error.body?.code ?? ""
  if (/USER_ALREADY_EXISTS/.test(code)) throw new Conflict(EMAIL_TAKEN, { cause: error })
  if (/INVALID_EMAIL_OR_PASSWORD/.test(code)) throw new Unauthorized("incorrect email or password", { cause: error })
  if (/INVALID_PASSWORD/.test(code)) throw new Forbidden("incorrect current password", { cause: error })
  if (/TOTP_ALREADY_ENABLED/.test(code))
    throw new Conflict("sign-in codes are on, turn them off first to use another app", { cause: error })
  if (/PASSWORD_ALREADY_SET/.test(code))
    throw new Conflict("the account has a password, change it instead", { cause: error })
  // better-auth uses these codes, with various statuses, when the database fails.
  if (/^FAILED_TO/.test(code) || error.statusCode >= 500)
    throw new Unavailable("accounts are unavailable, try again in a moment", RETRY_AFTER_SECONDS, { cause: error })
  if (error.statusCode === 401)
    throw new Unauthorized("not signed in: sign in at /api/auth/sign-in/email first", { cause: error })
  if (error.statusCode === 404) throw new NotFound("this account does not exist", { cause: error })
  throw error
}

/** Two simultaneous sign-ups with one address: the second violates a unique constraint, and better-auth does not say why it failed. */
export async function describeSignUpFailure(auth: Auth, email: string, error: unknown): Promise<unknown> {
  if (!(error instanceof APIError) || error.body?.code !== "FAILED_TO_CREATE_USER") return error
  const { internalAdapter } = await auth.$context
  if (!(await internalAdapter.findUserByEmail(email))) return error
  return new Conflict(EMAIL_TAKEN, { cause: error })
}

/** The person who is signed in. */
export interface Session {
  readonly userId: string
  readonly sessionId: string
  readonly signedInAt: Date
  readonly user: { readonly id: string; readonly name: string; readonly email: string }
  /** Cookies that extend the session. Empty except on the first request of a day. */
  readonly renewal: readonly string[]
}

export const SessionUserSchema = z.object({ id: z.string(), name: z.string(), email: z.string() })

export async function readSession(auth: Auth, headers: Headers): Promise<Session | undefined> {
  if (!headers.has("cookie")) return undefined
  const { response: found, headers: renewed } = await auth.api
    .getSession({ headers, returnHeaders: true })
    .catch(rethrowAuthError)
  if (!found) return undefined
  const user = SessionUserSchema.parse(found.user)
  const { id: sessionId, createdAt: signedInAt } = found.session
  return { userId: user.id, sessionId, signedInAt, user, renewal: renewed.getSetCookie() }
}

/** @throws {Unauthorized} */
export async function requireSession(auth: Auth, headers: Headers): Promise<Session> {
  const session = await readSession(auth, headers)
  if (!session) throw new Unauthorized("not signed in: sign in at /api/auth/sign-in/email first")
  return session
}

/**
 * Lets a browser's notifications follow its session: better-auth replaces it where a password changes or codes are turned on or off.
 * @param answer with the cookies of the new session, if there is one @returns the id of the session from now on
 */
export async function followSession(
  { auth, context }: { readonly auth: Auth; readonly context: Pick<Context, "database"> },
  { userId, sessionId }: Session,
  answer: Headers,
): Promise<string> {
  const cookie = answer.getSetCookie().map((one) => one.replace(/;.*$/s, ""))
  const replaced = await readSession(auth, new Headers({ cookie: cookie.join("; ") }))
  if (!replaced) return sessionId
  await movePushToSession(context.database, userId, { from: sessionId, to: replaced.sessionId })
  return replaced.sessionId
}

/** A younger sign-in proves enough who the person is for changes that cannot be undone. */
const FRESH_MS = HOUR_MS
/** Clocks of replicas differ by less. */
const CLOCK_SKEW_MS = MINUTE_MS

/** A sign-in in the future proves nothing: the clock was wrong then, or is now. */
export function isFreshSession(clock: Clock, { signedInAt }: Pick<Session, "signedInAt">): boolean {
  const ageMs = clock.now().getTime() - signedInAt.getTime()
  return ageMs > -CLOCK_SKEW_MS && ageMs < FRESH_MS
}

/** Deletes a person's expired sessions: better-auth deletes one only when its cookie comes back. */
export async function deleteExpiredSessions(auth: Auth, userId: string, now: Date): Promise<void> {
  const { adapter } = await auth.$context
  await adapter.deleteMany({
    model: "session",
    where: [
      { field: "userId", value: userId },
      { field: "expiresAt", operator: "lt", value: now },
    ],
  })
}

/** How a person can sign in. */
export interface SignInMethods {
  readonly password: boolean
  /** Whether a code follows the password. */
  readonly twoFactor: boolean
  readonly passkeys: number
  /** Names of identity providers where the person has an account. */
  readonly providers: string[]
}

const MethodsSchema = z.object({ twoFactorEnabled: z.boolean().nullish() })

export async function readSignInMethods(auth: Auth, userId: string): Promise<SignInMethods> {
  const { internalAdapter, adapter } = await auth.$context
  const providers = (await internalAdapter.findAccounts(userId)).map(({ providerId }) => providerId)
  return {
    password: providers.includes("credential"),
    // A person who was deleted since the session was read has no code.
    twoFactor: MethodsSchema.nullish().parse(await internalAdapter.findUserById(userId))?.twoFactorEnabled === true,
    passkeys: await adapter.count({ model: "passkey", where: [{ field: "userId", value: userId }] }),
    providers: providers.filter((provider) => provider !== "credential"),
  }
}
