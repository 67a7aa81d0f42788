import { type AttemptLimit, type Context, forgetAttempts, TooManyAttempts, takeAttempt } from "@restwell/core"
import { networkOf } from "../network/network-of.ts"

/**
 * Attempts at one account from all addresses: enough for a person who tries old passwords, too few for a list. An attacker can block the
 * owner's sign-in meanwhile, but sessions and keys still work. OWASP ASVS 5.0, 6.3
 */
const PER_ACCOUNT: AttemptLimit = { attempts: 10, windowSeconds: 300 }
/** Many people can share one address. */
const SIGN_INS_PER_ADDRESS: AttemptLimit = { attempts: 100, windowSeconds: 300 }
const SIGN_UPS_PER_ADDRESS: AttemptLimit = { attempts: 100, windowSeconds: 3600 }

type Limited = Pick<Context, "database" | "clock">

/** Counts a sign-in for the address it comes from and the account it is for. @throws {TooManyAttempts} */
export async function countSignIn(context: Limited, address: string, account: string): Promise<void> {
  await countNamelessSignIn(context, address)
  await count(context, accountSubject(account), PER_ACCOUNT, "for this account")
}

/** Counts a sign-in that names no account before it succeeds. @throws {TooManyAttempts} */
export const countNamelessSignIn = (context: Limited, address: string): Promise<void> =>
  count(context, `sign-in/address/${networkOf(address)}`, SIGN_INS_PER_ADDRESS, "from this address")

/** A successful sign-in resets the count of its account. */
export const forgetSignIns = (context: Limited, account: string): Promise<void> =>
  forgetAttempts(context, accountSubject(account))

/** @throws {TooManyAttempts} */
export const countSignUp = (context: Limited, address: string): Promise<void> =>
  count(context, `sign-up/address/${networkOf(address)}`, SIGN_UPS_PER_ADDRESS, "from this address")

/** Attempts to become the first person of an installation with closed sign-ups. */
const FIRST_SIGN_UP: AttemptLimit = { attempts: 1, windowSeconds: 60 }

/** True for one of all simultaneous sign-ups, on all replicas. */
export const claimFirstSignUp = async (context: Limited): Promise<boolean> =>
  (await takeAttempt(context, "sign-up/first", FIRST_SIGN_UP)) === 0

const accountSubject = (account: string): string => `sign-in/account/${account}`

async function count(context: Limited, subject: string, limit: AttemptLimit, scope: string): Promise<void> {
  const waitSeconds = await takeAttempt(context, subject, limit)
  if (waitSeconds > 0)
    throw new TooManyAttempts(`too many attempts ${scope}, try again in ${waitSeconds} seconds`, waitSeconds)
}
