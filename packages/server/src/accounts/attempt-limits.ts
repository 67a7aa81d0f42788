// Limits of guessing. Nobody who guesses can keep the owner out: OWASP, "Slow Down Online Guessing Attacks with Device Cookies".
import {
  type AttemptDelays,
  type AttemptLimit,
  type Context,
  forgetAttempts,
  returnAttempt,
  TooManyAttempts,
  takeAttempt,
  takeDelayedAttempt,
} from "@restwell/core"
import { networkOf } from "../network/addresses.ts"

/** Wrong passwords for one account from one network, or from one known browser: 24 in the first hour, then 12 an hour. */
const PASSWORD_DELAYS: AttemptDelays = { free: 5, longestSeconds: 300 }
/**
 * Wrong passwords for one account from all unknown browsers: no number of networks gets more. One network alone cannot use it up, so
 * that the owner can sign in with a new browser while a stranger guesses.
 */
const UNKNOWN_BROWSERS: AttemptLimit = { attempts: 30, windowSeconds: 900 }
/**
 * Wrong codes for one account from all unknown browsers, or from one known browser: 16 in the first hour, then one an hour. A code has
 * six digits, and a person who guesses one has the password.
 */
const CODE_DELAYS: AttemptDelays = { free: 5, longestSeconds: 3600 }
/** Many people can share one address. */
const SIGN_INS_PER_ADDRESS: AttemptLimit = { attempts: 100, windowSeconds: 300 }
const SIGN_UPS_PER_ADDRESS: AttemptLimit = { attempts: 100, windowSeconds: 3600 }

type Limited = Pick<Context, "database" | "clock">

/** An attempt that is counted as wrong until it succeeds. */
export interface CountedAttempt {
  readonly succeeded: () => Promise<void>
}

/** Who guesses. */
export interface Guesser {
  readonly address: string
  /** Id of the browser if it has signed in to this account before. */
  readonly knownBrowser: string | undefined
}

/** Counts an attempt at the password of an account. @param account the email address, which may be nobody's @throws {TooManyAttempts} */
export async function countPassword(
  context: Limited,
  account: string,
  { address, knownBrowser }: Guesser,
): Promise<CountedAttempt> {
  await countNamelessSignIn(context, address)
  if (knownBrowser !== undefined)
    return countDelayed(context, `password/browser/${knownBrowser}`, PASSWORD_DELAYS, "wrong passwords")
  const everywhere = `password/account/${account}`
  const here = `${everywhere}/network/${networkOf(address)}`
  const attempt = await countDelayed(context, here, PASSWORD_DELAYS, "wrong passwords")
  const waitSeconds = await takeAttempt(context, everywhere, UNKNOWN_BROWSERS)
  if (waitSeconds > 0) {
    await returnAttempt(context, here)
    throw tooMany("wrong passwords for this account", waitSeconds)
  }
  return {
    async succeeded() {
      await attempt.succeeded()
      await returnAttempt(context, everywhere)
    },
  }
}

/** Counts an attempt at the code that follows a password. @throws {TooManyAttempts} */
export async function countCode(
  context: Limited,
  userId: string,
  { address, knownBrowser }: Guesser,
): Promise<CountedAttempt> {
  await countNamelessSignIn(context, address)
  const subject = knownBrowser === undefined ? `code/account/${userId}` : `code/browser/${knownBrowser}`
  return countDelayed(context, subject, CODE_DELAYS, "wrong codes")
}

/** Counts an attempt at the password or a code by somebody who is signed in. @throws {TooManyAttempts} */
export async function countInSession(context: Limited, sessionId: string, address: string): Promise<CountedAttempt> {
  await countNamelessSignIn(context, address)
  return countDelayed(context, `session/${sessionId}`, PASSWORD_DELAYS, "wrong attempts")
}

/** Counts a sign-in that names no account before it succeeds. @throws {TooManyAttempts} */
export const countNamelessSignIn = (context: Limited, address: string): Promise<void> =>
  count(context, `sign-in/address/${networkOf(address)}`, SIGN_INS_PER_ADDRESS, "from this address")

/** @throws {TooManyAttempts} */
export const countSignUp = (context: Limited, address: string): Promise<void> =>
  count(context, `sign-up/address/${networkOf(address)}`, SIGN_UPS_PER_ADDRESS, "from this address")

/** Emails to one address from any network, and requests from one network, where many people can share an address. */
const RESETS_OF_ACCOUNT: AttemptLimit = { attempts: 3, windowSeconds: 3600 }
const RESETS_PER_ADDRESS: AttemptLimit = { attempts: 20, windowSeconds: 3600 }

/** Counts a request for a link to a new password. @param account the email address, which may be nobody's @throws {TooManyAttempts} */
export async function countResetRequest(context: Limited, account: string, address: string): Promise<void> {
  await count(context, `reset/address/${networkOf(address)}`, RESETS_PER_ADDRESS, "from this address")
  await count(context, `reset/account/${account}`, RESETS_OF_ACCOUNT, "for this email address")
}

/** Counts a wrong set-up code. The right one is never limited: its 48 bits cannot be guessed. @throws {TooManyAttempts} */
export const countWrongSetupCode = (context: Limited, address: string): Promise<void> =>
  count(context, `set-up/address/${networkOf(address)}`, SIGN_INS_PER_ADDRESS, "from this address")

async function countDelayed(
  context: Limited,
  subject: string,
  delays: AttemptDelays,
  what: string,
): Promise<CountedAttempt> {
  const waitSeconds = await takeDelayedAttempt(context, subject, delays)
  if (waitSeconds > 0) throw tooMany(what, waitSeconds)
  return { succeeded: () => forgetAttempts(context, subject) }
}

async function count(context: Limited, subject: string, limit: AttemptLimit, scope: string): Promise<void> {
  const waitSeconds = await takeAttempt(context, subject, limit)
  if (waitSeconds > 0) throw tooMany(`attempts ${scope}`, waitSeconds)
}

function tooMany(what: string, waitSeconds: number): TooManyAttempts {
  const wait = waitSeconds === 1 ? "1 second" : `${waitSeconds} seconds`
  return new TooManyAttempts(`too many ${what}, try again in ${wait}`, waitSeconds)
}
