import { Conflict, type Context, Forbidden, hasAccounts, NotFound, ServiceError, Unauthorized } from "@restwell/core"
import { betterAuth } from "better-auth"
import { APIError } from "better-auth/api"
import { z } from "zod"
import { countSignIn, countSignUp, forgetSignIns } from "./attempt-limits.ts"
import { refuseForeignSite } from "./foreign-site.ts"
import { BODIES, PASSWORD, readBody } from "./requests.ts"

const WEEK_SECONDS = 7 * 86_400
const DAY_SECONDS = 86_400

/** Who is signed in. */
export interface Session {
  readonly userId: string
  readonly sessionId: string
  readonly signedInAt: Date
  readonly user: { readonly id: string; readonly name: string; readonly email: string }
}

/** What an endpoint of accounts answers: a body, and the cookies that go with it. */
export interface AccountAnswer {
  readonly body: unknown
  readonly headers: Headers
}

export interface AccountRequest {
  readonly request: Request
  /** The visitor's address. */
  readonly address: string
}

/** People's accounts, behind a face of our own: what keeps them can be replaced. Bodies are better-auth's, errors are ours. */
export interface Accounts {
  signUp(request: AccountRequest): Promise<AccountAnswer>
  signIn(request: AccountRequest): Promise<AccountAnswer>
  signOut(request: AccountRequest): Promise<AccountAnswer>
  changePassword(request: AccountRequest): Promise<AccountAnswer>
  sessionOf(headers: Headers): Promise<Session | undefined>
  /** True when this is the person's password; limited like a sign-in. @throws {TooManyAttempts} */
  verifyPassword(session: Session, password: string, address: string): Promise<boolean>
}

export interface AccountsOptions {
  readonly context: Pick<Context, "database" | "clock" | "logger">
  readonly baseUrl: string
  readonly secret: string
  readonly signUp: "open" | "closed"
}

const UserSchema = z.object({ id: z.string(), name: z.string(), email: z.string() })
const SignedInSchema = z.object({ user: UserSchema })

/** better-auth over our own tables: e-mail and password, sessions kept on the server, nothing sent anywhere. */
function createAuth({ context, baseUrl, secret }: AccountsOptions) {
  return betterAuth({
    appName: "Restwell",
    baseURL: baseUrl,
    basePath: "/api/auth",
    secret,
    database: { db: context.database, type: "postgres" },
    emailAndPassword: {
      enabled: true,
      autoSignIn: true,
      minPasswordLength: PASSWORD.min,
      maxPasswordLength: PASSWORD.max,
    },
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
    },
    logger: { log: (level, message) => context.logger.debug({ level }, `accounts: ${message}`) },
  })
}

export function createAccounts(options: AccountsOptions): Accounts {
  const { context, baseUrl } = options
  const auth = createAuth(options)
  return {
    async signUp({ request, address }) {
      refuseForeignSite(request.method, request.headers, baseUrl)
      const body = await readBody(request, BODIES.signUp)
      await countSignUp(context, address)
      // An installation that lets nobody new in still needs its first person.
      if (options.signUp === "closed" && (await hasAccounts(context)))
        throw new Forbidden("sign-up is closed here, ask the operator for an account")
      const { headers, response } = await auth.api
        .signUpEmail({ body, headers: request.headers, returnHeaders: true })
        .catch(rethrow)
      return { body: SignedInSchema.parse(response), headers }
    },
    async signIn({ request, address }) {
      refuseForeignSite(request.method, request.headers, baseUrl)
      const body = await readBody(request, BODIES.signIn)
      await countSignIn(context, address, body.email)
      const { headers, response } = await auth.api
        .signInEmail({ body, headers: request.headers, returnHeaders: true })
        .catch(rethrow)
      await forgetSignIns(context, body.email)
      return { body: SignedInSchema.parse(response), headers }
    },
    async signOut({ request }) {
      refuseForeignSite(request.method, request.headers, baseUrl)
      const { headers } = await auth.api.signOut({ headers: request.headers, returnHeaders: true }).catch(rethrow)
      return { body: { success: true }, headers }
    },
    async changePassword({ request, address }) {
      refuseForeignSite(request.method, request.headers, baseUrl)
      const body = await readBody(request, BODIES.changePassword)
      const session = await this.sessionOf(request.headers)
      if (!session) throw new Unauthorized("not signed in: sign in at /api/auth/sign-in/email first")
      await countSignIn(context, address, session.user.email)
      const { headers } = await auth.api
        .changePassword({ body, headers: request.headers, returnHeaders: true })
        .catch(rethrow)
      await forgetSignIns(context, session.user.email)
      return { body: { success: true }, headers }
    },
    async sessionOf(headers) {
      if (!headers.has("cookie")) return undefined
      const found = await auth.api.getSession({ headers }).catch(rethrow)
      if (!found) return undefined
      const user = UserSchema.parse(found.user)
      return { userId: user.id, sessionId: found.session.id, signedInAt: found.session.createdAt, user }
    },
    async verifyPassword({ userId, user }, password, address) {
      await countSignIn(context, address, user.email)
      const { internalAdapter, password: hashes } = await auth.$context
      const accounts = await internalAdapter.findAccounts(userId)
      const hash = accounts.find(({ providerId }) => providerId === "credential")?.password
      const isRight = typeof hash === "string" && (await hashes.verify({ hash, password }))
      if (isRight) await forgetSignIns(context, user.email)
      return isRight
    },
  }
}

/** better-auth's refusals in our family. A wrong password and an unknown account are the same answer. */
function rethrow(error: unknown): never {
  if (!(error instanceof APIError) || error instanceof ServiceError) throw error
  const code = error.body?.code ?? ""
  if (/USER_ALREADY_EXISTS/.test(code))
    throw new Conflict("there is an account with this e-mail address, sign in instead", { cause: error })
  if (/INVALID_EMAIL_OR_PASSWORD/.test(code))
    throw new Unauthorized("e-mail address or password is wrong", { cause: error })
  if (/INVALID_PASSWORD/.test(code)) throw new Forbidden("the current password is wrong", { cause: error })
  if (error.statusCode === 401)
    throw new Unauthorized("not signed in: sign in at /api/auth/sign-in/email first", { cause: error })
  if (error.statusCode === 404) throw new NotFound("there is no such account", { cause: error })
  throw error
}
