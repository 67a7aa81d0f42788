import { Forbidden, forgetAttempts, takeAttempt, Unauthorized } from "@restwell/core"
import { APIError } from "better-auth/api"
import type { AccountsContext } from "./account-request.ts"
import { rethrowAuthError } from "./auth-errors.ts"
import { readCode } from "./two-factor-plugin.ts"

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
export async function useCode(
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

export const expiredSignIn = (options?: ErrorOptions): Forbidden =>
  new Forbidden("this sign-in has expired, enter your password again", options)
