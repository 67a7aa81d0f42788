import { passkey } from "@better-auth/passkey"
import { type Context, databaseTrouble, type Logger } from "@restwell/core"
import { APIError, type BetterAuthOptions, betterAuth } from "better-auth"
import { sparingly } from "../log/logger.ts"
import { formerCookies } from "./former-cookies.ts"
import { PASSWORD } from "./request-bodies.ts"

const WEEK_SECONDS = 7 * 86_400
const DAY_SECONDS = 86_400

export interface AuthOptions {
  readonly context: Pick<Context, "database" | "clock" | "logger">
  readonly baseUrl: string
  /** Signs the cookies. */
  readonly secret: string
  /** Signed cookies before it, which are still taken. @default none */
  readonly formerSecrets?: readonly string[]
}

/** What some uses of it need beside. */
type Addable = "plugins" | "account" | "databaseHooks" | "onAPIError"

export type Auth = ReturnType<typeof createAuth>

/** better-auth over our own tables: e-mail and password, sessions kept on the server, nothing sent anywhere. */
export function createAuth(
  { context, baseUrl, secret, formerSecrets = [] }: AuthOptions,
  more: Pick<BetterAuthOptions, Addable> = {},
) {
  const { plugins = [], ...rest } = more
  const log = createAuthLog(context.logger)
  return betterAuth({
    ...rest,
    appName: "Restwell",
    baseURL: baseUrl,
    basePath: "/api/auth",
    secret,
    // A person is made whole or not at all: an account without its password could never be signed in to.
    database: { db: context.database, type: "postgres", transaction: true },
    emailAndPassword: {
      enabled: true,
      autoSignIn: true,
      minPasswordLength: PASSWORD.min,
      maxPasswordLength: PASSWORD.max,
    },
    plugins: [passkeysOf(baseUrl), formerCookies(secret, formerSecrets), ...plugins],
    session: { expiresIn: WEEK_SECONDS, updateAge: DAY_SECONDS, cookieCache: { enabled: false } },
    // Ours are counted per account as well, in the database that all replicas share.
    rateLimit: { enabled: false },
    telemetry: { enabled: false },
    trustedOrigins: [baseUrl],
    advanced: {
      // Origins are checked before anything gets here, by a rule that lets programs without one through.
      disableCSRFCheck: true,
      disableOriginCheck: true,
      useSecureCookies: baseUrl.startsWith("https:"),
      cookiePrefix: "restwell",
      defaultCookieAttributes: { httpOnly: true, sameSite: "lax", path: "/" },
      // It would take any visitor's word for it, from X-Forwarded-For.
      ipAddress: { disableIpTracking: true },
    },
    // Its `info` names people's addresses.
    logger: { level: "warn", log: (level, message, ...details) => log(level, message, details) },
  })
}

/**
 * Passkeys sign in alone, so they are kept on the device with an account's name (discoverable) and the device has to know its owner.
 * @see https://www.w3.org/TR/webauthn-3/#user-verification
 */
const passkeysOf = (baseUrl: string) =>
  passkey({
    rpID: new URL(baseUrl).hostname,
    rpName: "Restwell",
    origin: new URL(baseUrl).origin,
    authenticatorSelection: { residentKey: "required", userVerification: "required" },
    registration: {
      afterVerification: async ({ verification: { registrationInfo } }) => requireOwner(registrationInfo?.userVerified),
    },
    authentication: {
      afterVerification: async ({ verification: { authenticationInfo } }) =>
        requireOwner(authenticationInfo.userVerified),
    },
  })

/** A device in anybody's hand is no proof. */
function requireOwner(isVerified: boolean | undefined): void {
  if (isVerified !== true) throw new APIError("UNAUTHORIZED", { code: "USER_NOT_VERIFIED" })
}

/** PostgreSQL's unique_violation: somebody was faster, which the answer says. */
const TAKEN = "23505"

/** Its warnings tell of visitors who mistype; its errors are the causes of what it then answers without them. */
function createAuthLog(logger: Logger) {
  const outage = sparingly((failures, err: Error) => logger.error({ err, failures }, "accounts cannot be read now"))
  return (level: string, message: string, details: readonly unknown[]): void => {
    const cause = details.find((detail) => detail instanceof Error)
    const isFault = level === "error" && !(cause && "code" in cause && cause.code === TAKEN)
    if (!isFault) logger.debug({ severity: level }, `accounts: ${message}`)
    else if (cause && databaseTrouble(cause) !== undefined) outage(cause)
    else logger.error({ err: cause }, `accounts: ${message}`)
  }
}
