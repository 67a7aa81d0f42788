// What better-auth refuses or fails with, in our family of errors.
import { Conflict, Forbidden, NotFound, ServiceError, Unauthorized, Unavailable } from "@restwell/core"
import { APIError } from "better-auth/api"
import type { Auth } from "./better-auth.ts"

const RETRY_AFTER_SECONDS = 2

/**
 * A wrong password and an unknown account are the same answer. That an address is taken is told to who signs up with it: without mail there
 * is no other way to tell its owner, and how often an address may ask is limited. @throws {ServiceError}
 */
export function rethrowRefusal(error: unknown): never {
  if (!(error instanceof APIError) || error instanceof ServiceError) throw error
  const code = error.body?.code ?? ""
  if (/USER_ALREADY_EXISTS/.test(code))
    throw new Conflict("there is an account with this e-mail address, sign in instead", { cause: error })
  if (/INVALID_EMAIL_OR_PASSWORD/.test(code))
    throw new Unauthorized("e-mail address or password is wrong", { cause: error })
  if (/INVALID_PASSWORD/.test(code)) throw new Forbidden("the current password is wrong", { cause: error })
  if (/SESSION_NOT_FRESH/.test(code))
    throw new Forbidden("for this, sign out and in again: the sign-in is older than a day", { cause: error })
  if (/PASSWORD_ALREADY_SET/.test(code))
    throw new Conflict("there is a password already, change it instead", { cause: error })
  // It answers so, with statuses of all kinds, where the database did not.
  if (/^FAILED_TO/.test(code) || error.statusCode >= 500)
    throw new Unavailable("accounts do not answer now, try again in a moment", RETRY_AFTER_SECONDS, { cause: error })
  if (error.statusCode === 401)
    throw new Unauthorized("not signed in: sign in at /api/auth/sign-in/email first", { cause: error })
  if (error.statusCode === 404) throw new NotFound("there is no such account", { cause: error })
  throw error
}

/** Of two who sign up with one address at the same moment, the second fails on the database's own rule; why is seen afterwards. */
export async function describeSignUpFailure(auth: Auth, email: string, error: unknown): Promise<unknown> {
  if (!(error instanceof APIError) || error.body?.code !== "FAILED_TO_CREATE_USER") return error
  const { internalAdapter } = await auth.$context
  if (!(await internalAdapter.findUserByEmail(email))) return error
  return new Conflict("there is an account with this e-mail address, sign in instead", { cause: error })
}
