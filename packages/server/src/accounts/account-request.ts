import { createHash, randomBytes } from "node:crypto"
import {
  type Context,
  type PasskeyMail,
  queuePasskeyMail,
  recordSecurityEvent,
  type SecurityEvent,
} from "@restwell/core"
import { networkOf } from "../network/addresses.ts"
import {
  type AccountsOptions,
  type Auth,
  type AuthOptions,
  cookiesNamed,
  createAuth,
  isSignedBy,
  signatureOf,
} from "./better-auth.ts"

/**
 * Browsers that have signed in to an account. They have an allowance of their own, so that a stranger who guesses cannot delay them. A
 * signed cookie for each account says so. It gives no access, and is void once the password changes.
 * @see OWASP, Slow Down Online Guessing Attacks with Device Cookies
 */
export interface KnownBrowsers {
  /** Returns the id of the browser, if it has signed in to this account before. */
  find(headers: Headers, account: { readonly email: string } | { readonly userId: string }): Promise<string | undefined>
  /** Returns the cookie to set after a sign-in. A browser keeps its id. */
  remember(headers: Headers, userId: string): Promise<string>
}

interface KnownBrowsersOptions {
  readonly auth: Auth
  readonly context: Pick<Context, "clock">
  readonly baseUrl: string
  /** Signs the cookie, the current one first. */
  readonly secrets: readonly [string, ...string[]]
}

/** The longest that browsers keep a cookie. RFC 6265bis 5.5 */
const LIFETIME_SECONDS = 400 * 86_400

function createKnownBrowsers({ auth, context, baseUrl, secrets }: KnownBrowsersOptions): KnownBrowsers {
  const isSecure = baseUrl.startsWith("https:")
  const nowSeconds = (): number => Math.floor(context.clock.now().getTime() / 1000)
  const nameOf = (userId: string): string => {
    const suffix = createHash("sha256").update(userId).digest("hex").slice(0, 12)
    return `${isSecure ? "__Host-" : ""}${PREFIX}${suffix}`
  }
  const findOf = async (headers: Headers, userId: string): Promise<string | undefined> => {
    const cookies = cookiesNamed(headers.get("cookie") ?? "", nameOf(userId))
    if (cookies.length === 0) return undefined
    const passwordHash = await readPasswordHash(auth, userId)
    for (const cookie of cookies) {
      const [browser = "", issuedAt = "", signature = ""] = cookie.split(".")
      const isSigned = isSignedBy(textOf({ userId, browser, issuedAt, passwordHash }), fromUrl(signature), secrets)
      if (isSigned && Number(issuedAt) + LIFETIME_SECONDS > nowSeconds()) return browser
    }
    return undefined
  }
  return {
    async find(headers, account) {
      if (!headers.get("cookie")?.includes(PREFIX)) return undefined
      if ("userId" in account) return findOf(headers, account.userId)
      const { internalAdapter } = await auth.$context
      const found = await internalAdapter.findUserByEmail(account.email)
      return found ? findOf(headers, found.user.id) : undefined
    },
    async remember(headers, userId) {
      const browser = (await findOf(headers, userId)) ?? randomBytes(16).toString("base64url")
      const issuedAt = String(nowSeconds())
      const passwordHash = await readPasswordHash(auth, userId)
      const signature = toUrl(signatureOf(textOf({ userId, browser, issuedAt, passwordHash }), secrets[0]))
      const attributes = `Path=/; Max-Age=${LIFETIME_SECONDS}; HttpOnly; SameSite=Strict${isSecure ? "; Secure" : ""}`
      return `${nameOf(userId)}=${browser}.${issuedAt}.${signature}; ${attributes}`
    },
  }
}

const PREFIX = "restwell.known_browser_"

interface SignedFacts {
  readonly userId: string
  readonly browser: string
  readonly issuedAt: string
  /** Empty without a password. */
  readonly passwordHash: string
}

const textOf = ({ userId, browser, issuedAt, passwordHash }: SignedFacts): string =>
  `known-browser/${userId}/${browser}/${issuedAt}/${passwordHash}`

async function readPasswordHash(auth: Auth, userId: string): Promise<string> {
  const { internalAdapter } = await auth.$context
  const accounts = await internalAdapter.findAccounts(userId)
  return accounts.find(({ providerId }) => providerId === "credential")?.password ?? ""
}

const toUrl = (base64: string): string => Buffer.from(base64, "base64").toString("base64url")
const fromUrl = (base64url: string): string => Buffer.from(base64url, "base64url").toString("base64")

export interface AccountRequest {
  /** Parsed as JSON, and not checked yet. */
  readonly body: unknown
  readonly headers: Headers
  /** The visitor's IP address. */
  readonly address: string
}

export interface AccountAnswer {
  readonly body: unknown
  /** With the cookies to set. */
  readonly headers: Headers
}

export type AccountOperation = (request: AccountRequest) => Promise<AccountAnswer>

/** What the operations of accounts share. */
export interface AccountsContext {
  readonly auth: Auth
  readonly context: Pick<Context, "database" | "clock" | "logger">
  readonly knownBrowsers: KnownBrowsers
  /** Sign the cookies, the current one first. */
  readonly secrets: readonly [string, ...string[]]
  /** Writes an entry to the person's security log. */
  readonly record: (userId: string, address: string, event: SecurityEvent) => Promise<void>
  /** Sends the person an email about the change, where email is set up. */
  readonly notify: (userId: string, change: PasskeyMail) => Promise<void>
}

export function createAccountsContext(options: AuthOptions & Pick<AccountsOptions, "sendsMail">): AccountsContext {
  const { context, baseUrl, secret, formerSecrets = [], sendsMail = () => false } = options
  const auth = createAuth(options)
  const secrets = [secret, ...formerSecrets] as const
  return {
    auth,
    context,
    knownBrowsers: createKnownBrowsers({ auth, context, baseUrl, secrets }),
    secrets,
    record: (userId, address, event) => recordSecurityEvent(context, userId, { ...event, network: networkOf(address) }),
    notify: async (userId, change) => (sendsMail() ? queuePasskeyMail(context, userId, change) : undefined),
  }
}
