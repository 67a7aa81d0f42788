import { passkey } from "@better-auth/passkey"
import { type Context, databaseTrouble, type Logger } from "@restwell/core"
import { APIError, type BetterAuthOptions, betterAuth } from "better-auth"
import type { IdentityProviderConfig } from "../config/config.ts"
import { throttle } from "../log/throttle.ts"
import { formerCookies } from "./former-cookies.ts"
import { twoFactorOf } from "./two-factor-plugin.ts"

const WEEK_SECONDS = 7 * 86_400
const DAY_SECONDS = 86_400

export interface AuthOptions {
  readonly context: Pick<Context, "database" | "clock" | "logger" | "cipher">
  readonly baseUrl: string
  /** Signs the cookies. */
  readonly secret: string
  /** Earlier secrets whose cookies are still accepted. @default none */
  readonly formerSecrets?: readonly string[]
}

export interface AccountsOptions extends AuthOptions {
  readonly signUp: "open" | "closed"
  readonly identityProviders: readonly IdentityProviderConfig[]
  /** Whether e-mail is set up. @default false */
  readonly sendsMail?: boolean
}

/** Options that a caller may add. */
type ExtraOptions = "plugins" | "account" | "databaseHooks" | "onAPIError"

export type Auth = ReturnType<typeof createAuth>

/** better-auth over our own tables: email and password, sessions on the server, no outgoing requests. */
export function createAuth(
  { context, baseUrl, secret, formerSecrets = [] }: AuthOptions,
  extra: Pick<BetterAuthOptions, ExtraOptions> = {},
) {
  const { plugins = [], ...rest } = extra
  const log = createAuthLog(context.logger)
  return betterAuth({
    ...rest,
    appName: "Restwell",
    baseURL: baseUrl,
    basePath: "/api/auth",
    secret,
    // One transaction: nobody could sign in to an account without its password.
    database: { db: context.database, type: "postgres", transaction: true },
    emailAndPassword: {
      enabled: true,
      autoSignIn: true,
      // password-rule.ts decides, and counts characters. better-auth counts UTF-16 units.
      minPasswordLength: 1,
      maxPasswordLength: Number.MAX_SAFE_INTEGER,
    },
    plugins: [
      passkeysOf(baseUrl),
      formerCookies(secret, formerSecrets),
      twoFactorOf(context.cipher, secret),
      ...plugins,
    ],
    session: { expiresIn: WEEK_SECONDS, updateAge: DAY_SECONDS, cookieCache: { enabled: false } },
    // attempt-limits.ts counts per account too, in the database that all replicas share.
    rateLimit: { enabled: false },
    telemetry: { enabled: false },
    trustedOrigins: [baseUrl],
    advanced: {
      // http/plumbing/foreign-origin.ts checks the origin, and accepts programs that send none.
      disableCSRFCheck: true,
      disableOriginCheck: true,
      useSecureCookies: baseUrl.startsWith("https:"),
      cookiePrefix: "restwell",
      defaultCookieAttributes: { httpOnly: true, sameSite: "lax", path: "/" },
      // better-auth would trust any visitor's X-Forwarded-For.
      ipAddress: { disableIpTracking: true },
    },
    // The level `info` contains email addresses.
    logger: { level: "warn", log: (level, message, ...details) => log(level, message, details) },
  })
}

/**
 * A passkey is the only factor of a sign-in. So it must be discoverable, and the device must verify its user.
 * @see https://www.w3.org/TR/webauthn-3/#user-verification
 */
const passkeysOf = (baseUrl: string) =>
  passkey({
    rpID: new URL(baseUrl).hostname,
    rpName: "Restwell",
    origin: new URL(baseUrl).origin,
    authenticatorSelection: { residentKey: "required", userVerification: "required" },
    registration: {
      afterVerification: async ({ verification: { registrationInfo } }) =>
        requireVerifiedUser(registrationInfo?.userVerified),
    },
    authentication: {
      afterVerification: async ({ verification: { authenticationInfo } }) =>
        requireVerifiedUser(authenticationInfo.userVerified),
    },
  })

/** Possession of the device alone proves nothing. */
function requireVerifiedUser(isVerified: boolean | undefined): void {
  if (isVerified !== true) throw new APIError("UNAUTHORIZED", { code: "USER_NOT_VERIFIED" })
}

/** Codes of visitors' mistakes: PostgreSQL's unique_violation is a simultaneous sign-up, which the client is told. */
const MISTAKE = /^(?:23505|state_\w+)$/
/** A callback without the parameter. It has no code. */
const NO_STATE = "State not found"

/** Logs better-auth's errors, which its responses leave out. Its warnings are visitors' mistakes and are logged as debug. */
function createAuthLog(logger: Logger) {
  const outage = throttle((failures, err: Error) => logger.error({ err, failures }, "accounts are unavailable"))
  return (level: string, message: string, details: readonly unknown[]): void => {
    const cause = details.find((detail) => detail instanceof Error)
    const isMistake = message === NO_STATE || (cause && "code" in cause && MISTAKE.test(String(cause.code)))
    const isFault = level === "error" && !isMistake
    if (!isFault) logger.debug({ severity: level }, `accounts: ${message}`)
    else if (cause && databaseTrouble(cause) !== undefined) outage(cause)
    else logger.error({ err: cause }, `accounts: ${message}`)
  }
}
