import { createHmac, randomInt, timingSafeEqual } from "node:crypto"
import { passkey } from "@better-auth/passkey"
import { DAY_MS, SECOND_MS } from "@restwell/client/time-units"
import { type Context, databaseTrouble, type Logger, openTwoFactor, sealTwoFactor } from "@restwell/core"
import { APIError, type BetterAuthOptions, type BetterAuthPlugin, betterAuth } from "better-auth"
import { createAuthMiddleware } from "better-auth/api"
import { symmetricDecrypt, symmetricEncrypt } from "better-auth/crypto"
import { twoFactor } from "better-auth/plugins/two-factor"
import type { IdentityProviderConfig } from "../config/config.ts"
import { throttle } from "../process/wait.ts"

/** Returns the signature of a text as better-auth makes it for a cookie. */
export const signatureOf = (text: string, secret: string): string =>
  createHmac("sha256", secret).update(text).digest("base64")

/** True if one of the secrets made the signature of the text. */
export const isSignedBy = (text: string, signature: string, secrets: readonly string[]): boolean =>
  secrets.some((secret) => equals(signature, signatureOf(text, secret)))

function equals(one: string, other: string): boolean {
  const [left, right] = [Buffer.from(one), Buffer.from(other)]
  return left.length === right.length && timingSafeEqual(left, right)
}

/** Returns the decoded text and signature of a cookie that better-auth signed. Browsers may send anything. */
export function parseSigned(value: string): { readonly text: string; readonly signature: string } | undefined {
  const { text, signature } = /^(?<text>.+)\.(?<signature>[^.]+)$/.exec(value)?.groups ?? {}
  return text === undefined || signature === undefined
    ? undefined
    : { text: decode(text), signature: decode(signature) }
}

/** Returns the cookies of a header as they were sent, with their names. */
export const cookiesIn = (header: string): string[] => header.split(/;\s*/)

/** Returns the values of the cookies with this name, as they were sent. Blanks around a name or a value are none of it. */
export const cookiesNamed = (header: string, name: string): string[] =>
  cookiesIn(header).flatMap((cookie) => {
    const at = cookie.indexOf("=")
    return at >= 0 && cookie.slice(0, at).trim() === name ? [cookie.slice(at + 1).trim()] : []
  })

/** Returns the session cookies of a request, as they were sent. */
export const sessionCookies = (header = ""): string[] =>
  ["restwell.session_token", "__Secure-restwell.session_token"].flatMap((name) => cookiesNamed(header, name))

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/**
 * Accepts cookies that a former secret signed, by signing them with the current one before better-auth reads them. The browser gets a new
 * cookie at the session's next renewal.
 */
const formerCookies = (secret: string, formerSecrets: readonly string[]) =>
  ({
    id: "former-cookies",
    hooks: {
      before: [
        {
          matcher: ({ headers }) => formerSecrets.length > 0 && (headers?.has("cookie") ?? false),
          handler: createAuthMiddleware(async ({ headers }) => {
            const cookie = signAgain(headers?.get("cookie") ?? "", secret, formerSecrets)
            return { context: { headers: new Headers({ cookie }) } }
          }),
        },
      ],
    },
  }) satisfies BetterAuthPlugin

const signAgain = (header: string, secret: string, formerSecrets: readonly string[]): string =>
  cookiesIn(header)
    .map((cookie) => {
      const [, name = "", value = ""] = /^([^=]+)=(.*)$/.exec(cookie) ?? []
      const signed = parseSigned(value)
      if (signed === undefined || !isSignedBy(signed.text, signed.signature, formerSecrets)) return cookie
      return `${name}=${encodeURIComponent(`${signed.text}.${signatureOf(signed.text, secret)}`)}`
    })
    .join("; ")

/** Crockford's digits: nobody reads one of them as another. @see https://www.crockford.com/base32.html */
const DIGITS = "0123456789abcdefghjkmnpqrstvwxyz"
const GROUPS = 4
const GROUP_LENGTH = 4
const RECOVERY_CODES = 10

/** The time to enter the code after the password, seconds. */
const CODE_WITHIN_SECONDS = 600

/**
 * better-auth's second factor: a code of six digits every 30 seconds (RFC 6238), or a recovery code. It follows a password, not a
 * passkey or another service's sign-in. Limits of guessing are ours (attempt-limits.ts).
 *
 * better-auth encrypts the secret with the key of the cookies, which has no id. A restart with another secret would make it unreadable.
 * So the stored text is sealed like every other secret of ours, and better-auth gets it under the key it has now.
 */
function twoFactorOf(cipher: Context["cipher"], key: string) {
  const plugin = twoFactor({
    issuer: "Restwell",
    twoFactorCookieMaxAge: CODE_WITHIN_SECONDS,
    accountLockout: { enabled: false },
    backupCodeOptions: {
      customBackupCodesGenerate: () => Array.from({ length: RECOVERY_CODES }, makeRecoveryCode),
      storeBackupCodes: {
        encrypt: async (codes) => sealTwoFactor(cipher, "backupCodes", codes),
        decrypt: async (stored) => openTwoFactor(cipher, "backupCodes", stored),
      },
    },
  })
  const { fields } = plugin.schema.twoFactor
  const transform = {
    input: async (encrypted: unknown) =>
      sealTwoFactor(cipher, "secret", await symmetricDecrypt({ key, data: String(encrypted) })),
    output: async (stored: unknown) => symmetricEncrypt({ key, data: openTwoFactor(cipher, "secret", String(stored)) }),
  }
  const sealed = { ...fields, secret: { ...fields.secret, transform } }
  return { ...plugin, schema: { ...plugin.schema, twoFactor: { ...plugin.schema.twoFactor, fields: sealed } } }
}

/** 80 random bits in four groups. NIST SP 800-63B-4, 3.1.2.2 asks for at least 20 bits with limited attempts. */
const makeRecoveryCode = (): string =>
  Array.from({ length: GROUPS }, () =>
    Array.from({ length: GROUP_LENGTH }, () => DIGITS[randomInt(DIGITS.length)]).join(""),
  ).join("-")

/** Returns the typed text as the kind of code that it can be. People leave out hyphens, and type capital letters. */
export function readCode(typed: string): { readonly kind: "totp" | "recovery"; readonly code: string } {
  const compact = typed.replace(/[\s-]/g, "").toLowerCase()
  if (/^\d{6}$/.test(compact)) return { kind: "totp", code: compact }
  const digits = compact.replace(/o/g, "0").replace(/[il]/g, "1")
  return { kind: "recovery", code: (digits.match(/.{1,4}/g) ?? []).join("-") }
}

const WEEK_SECONDS = (7 * DAY_MS) / SECOND_MS
const DAY_SECONDS = DAY_MS / SECOND_MS

/** How passwords are hashed and compared. */
export interface PasswordHash {
  hash(password: string): Promise<string>
  verify(given: { readonly hash: string; readonly password: string }): Promise<boolean>
}

export interface AuthOptions {
  readonly context: Pick<Context, "database" | "clock" | "logger" | "cipher">
  readonly baseUrl: string
  /** Signs the cookies. */
  readonly secret: string
  /** Earlier secrets whose cookies are still accepted. @default none */
  readonly formerSecrets?: readonly string[]
  /** @default better-auth's scrypt, which takes a tenth of a second of a processor */
  readonly passwordHash?: PasswordHash | undefined
}

export interface AccountsOptions extends AuthOptions {
  /** Whether new people can sign up without an invitation. It may change while the service runs, as `sendsMail` may. */
  readonly signUp: () => "open" | "closed"
  readonly identityProviders: readonly IdentityProviderConfig[]
  /** Whether email is set up. @default never */
  readonly sendsMail?: () => boolean
}

/** Options that a caller may add. */
type ExtraOptions = "plugins" | "account" | "databaseHooks" | "onAPIError"

export type Auth = ReturnType<typeof createAuth>

/** better-auth over our own tables: email and password, sessions on the server, no outgoing requests. */
export function createAuth(
  { context, baseUrl, secret, formerSecrets = [], passwordHash }: AuthOptions,
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
    database: { db: context.database, type: "postgres", transaction: !context.database.isTransaction },
    emailAndPassword: {
      enabled: true,
      autoSignIn: true,
      // password-rule.ts decides, and counts characters. better-auth counts UTF-16 units.
      minPasswordLength: 1,
      maxPasswordLength: Number.MAX_SAFE_INTEGER,
      ...(passwordHash && { password: passwordHash }),
    },
    plugins: [
      passkeysOf(baseUrl),
      formerCookies(secret, formerSecrets),
      twoFactorOf(context.cipher, secret),
      ...plugins,
    ],
    session: {
      expiresIn: WEEK_SECONDS,
      updateAge: DAY_SECONDS,
      cookieCache: { enabled: false },
      // identity-confirmation.ts decides which changes need more than a session.
      freshAge: 0,
    },
    // attempt-limits.ts counts per account too, in the database that all replicas share.
    rateLimit: { enabled: false },
    telemetry: { enabled: false },
    trustedOrigins: [baseUrl],
    advanced: {
      // refuseForeignOrigin checks the origin, and accepts programs that send none.
      disableCSRFCheck: true,
      disableOriginCheck: true,
      useSecureCookies: baseUrl.startsWith("https:"),
      cookiePrefix: "restwell",
      defaultCookieAttributes: { httpOnly: true, sameSite: "lax", path: "/" },
      // The check takes a connection of its own, which a transaction does not have.
      database: { validateSchema: !context.database.isTransaction },
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

/** Codes of visitors' mistakes: PostgreSQL's unique_violation is a simultaneous sign-up, which gets an error of its own. */
const MISTAKE = /^(?:23505|state_\w+)$/
/** Refusals that better-auth logs as errors: of callbacks, provider accounts and passkeys. They have no code. */
const REFUSAL = new RegExp(
  `^(?:${[
    ...["State not found", "INVALID_CALLBACK_REQUEST", "OAuth issuer mismatch", "Unable to get user info"],
    ...["account_not_linked", "signup_disabled", "Failed to verify (?:registration|authentication)"],
  ].join("|")})$`,
)

/** PostgreSQL's codes. Any other error of a refusal says what is wrong with the request. */
const SQLSTATE = /^[0-9A-Z]{5}$/

/** Logs better-auth's errors, which its responses leave out. Its warnings are visitors' mistakes and are logged as debug. */
function createAuthLog(logger: Logger) {
  const outage = throttle((failures, err: Error) => logger.error({ err, failures }, "accounts are unavailable"))
  return (level: string, message: string, details: readonly unknown[]): void => {
    const cause = details.find((detail) => detail instanceof Error)
    const code = cause && "code" in cause ? String(cause.code) : ""
    const isMistake = MISTAKE.test(code) || (REFUSAL.test(message) && !SQLSTATE.test(code))
    const isFault = level === "error" && !isMistake
    if (!isFault) logger.debug({ severity: level }, `accounts: ${message}`)
    else if (cause && databaseTrouble(cause) !== undefined) outage(cause)
    else logger.error({ err: cause }, `accounts: ${message}`)
  }
}
