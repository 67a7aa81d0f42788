// Maps better-auth's errors to ours.
import {
  Conflict,
  Forbidden,
  NotFound,
  ServiceError,
  Unauthorized,
  Unavailable,
  UnreadableSecret,
} from "@restwell/core"
import { APIError } from "better-auth/api"
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
  if (/SESSION_NOT_FRESH/.test(code))
    throw new Forbidden("the sign-in is older than a day, sign out and in again first", { cause: error })
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
