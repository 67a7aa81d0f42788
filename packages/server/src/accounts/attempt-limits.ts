import { type AttemptLimit, type Context, forgetAttempts, TooManyAttempts, takeAttempt } from "@restwell/core"
import { networkOf } from "../network/network-of.ts"

/**
 * Guesses at one account, from wherever they come: enough for a person who tries their old passwords, too few for a list. Who guesses at
 * another's account keeps that person from signing in meanwhile, and from nothing else: sessions and keys go on. OWASP ASVS 5.0, 6.3
 */
const PER_ACCOUNT: AttemptLimit = { attempts: 10, windowSeconds: 300 }
/** One address may be a whole office. */
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

/** A sign-in that succeeded was no guess. */
export const forgetSignIns = (context: Limited, account: string): Promise<void> =>
  forgetAttempts(context, accountSubject(account))

/** @throws {TooManyAttempts} */
export const countSignUp = (context: Limited, address: string): Promise<void> =>
  count(context, `sign-up/address/${networkOf(address)}`, SIGN_UPS_PER_ADDRESS, "from this address")

/** One try a minute at being the first person of an installation that is closed to others. */
const FIRST_SIGN_UP: AttemptLimit = { attempts: 1, windowSeconds: 60 }

/** True for one of all who ask at the same moment, on all replicas. */
export const claimFirstSignUp = async (context: Limited): Promise<boolean> =>
  (await takeAttempt(context, "sign-up/first", FIRST_SIGN_UP)) === 0

const accountSubject = (account: string): string => `sign-in/account/${account}`

async function count(context: Limited, subject: string, limit: AttemptLimit, whose: string): Promise<void> {
  const waitSeconds = await takeAttempt(context, subject, limit)
  if (waitSeconds > 0)
    throw new TooManyAttempts(`too many attempts ${whose}, try again in ${waitSeconds} seconds`, waitSeconds)
}
