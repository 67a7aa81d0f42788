import {
  type Clock,
  Forbidden,
  hasAccounts,
  recordFailedSignIn,
  recordSecurityEvent,
  type SecurityEvent,
  Unauthorized,
} from "@restwell/core"
import { z } from "zod"
import { refuseForeignSite } from "../http/plumbing/foreign-origin.ts"
import { networkOf } from "../network/network-of.ts"
import { claimFirstSignUp, countSignIn, countSignUp, forgetSignIns } from "./attempt-limits.ts"
import { describeSignUpFailure, rethrowRefusal } from "./auth-errors.ts"
import { type Auth, type AuthOptions, createAuth } from "./better-auth.ts"
import { deleteExpiredSessions } from "./delete-expired-sessions.ts"
import type { IdentityProvider } from "./identity-providers.ts"
import { createPasskeys, type Passkeys } from "./passkeys.ts"
import { createProviderSignIn, type ProviderSignIn } from "./provider-sign-in.ts"
import { BODIES, readBody } from "./request-bodies.ts"

/** Who is signed in. */
export interface Session {
  readonly userId: string
  readonly sessionId: string
  readonly signedInAt: Date
  readonly user: { readonly id: string; readonly name: string; readonly email: string }
  /** Cookies that make the browser keep the session longer: none but on the first request of a day. */
  readonly renewal: readonly string[]
}

/** The ways in that a person has. */
export interface WaysIn {
  readonly password: boolean
  readonly passkeys: number
  /** Accounts elsewhere, by provider. */
  readonly providers: string[]
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
  /** A password for an account that was made without one. @throws {Conflict} @throws {Forbidden} when the sign-in is older than an hour */
  setPassword(request: AccountRequest): Promise<AccountAnswer>
  /** Whether somebody new may come. */
  signUpState(): Promise<"open" | "closed">
  readonly passkeys: Passkeys
  readonly providers: ProviderSignIn
  sessionOf(headers: Headers): Promise<Session | undefined>
  /** How a person may sign in. */
  waysIn(userId: string): Promise<WaysIn>
  /** True when this is the person's password; limited like a sign-in. @throws {TooManyAttempts} */
  verifyPassword(session: Session, password: string, address: string): Promise<boolean>
}

export interface AccountsOptions extends AuthOptions {
  readonly signUp: "open" | "closed"
  readonly identityProviders: readonly IdentityProvider[]
}

const UserSchema = z.object({ id: z.string(), name: z.string(), email: z.string() })
const SignedInSchema = z.object({ user: UserSchema })

export function createAccounts(options: AccountsOptions): Accounts {
  const { context, baseUrl } = options
  const auth = createAuth(options)
  const waysIn = (userId: string) => readWaysIn(auth, userId)
  const record = (userId: string, address: string, event: SecurityEvent) =>
    recordSecurityEvent(context, userId, { ...event, network: networkOf(address) })
  /** Nobody waits for it: whether there is such an account must not be told by how long the answer takes. */
  const noteFailedSignIn = (email: string, address: string): void => {
    recordFailedSignIn(context, email, networkOf(address)).catch((error: unknown) =>
      context.logger.error({ err: error }, "a sign-in that failed could not be written down"),
    )
  }
  return {
    async signUp({ request, address }) {
      refuseForeignSite(request.method, request.headers, baseUrl)
      const body = await readBody(request, BODIES.signUp)
      await countSignUp(context, address)
      // An installation that lets nobody new in still needs its first person: one, whoever else tries at the same moment.
      if (options.signUp === "closed" && ((await hasAccounts(context)) || !(await claimFirstSignUp(context))))
        throw new Forbidden("sign-up is closed here, ask the operator for an account")
      const { headers, response } = await auth.api
        .signUpEmail({ body, headers: request.headers, returnHeaders: true })
        .catch(async (error: unknown) => rethrowRefusal(await describeSignUpFailure(auth, body.email, error)))
      const signedIn = SignedInSchema.parse(response)
      await record(signedIn.user.id, address, { type: "account_created", detail: "password" })
      await record(signedIn.user.id, address, { type: "signed_in", detail: "password" })
      return { body: signedIn, headers }
    },
    async signIn({ request, address }) {
      refuseForeignSite(request.method, request.headers, baseUrl)
      const body = await readBody(request, BODIES.signIn)
      await countSignIn(context, address, body.email)
      const { headers, response } = await auth.api
        .signInEmail({ body, headers: request.headers, returnHeaders: true })
        .catch(rethrowRefusal)
        .catch((refusal: unknown) => {
          if (refusal instanceof Unauthorized) noteFailedSignIn(body.email, address)
          throw refusal
        })
      await forgetSignIns(context, body.email)
      const signedIn = SignedInSchema.parse(response)
      await deleteExpiredSessions(auth, signedIn.user.id, context.clock.now())
      await record(signedIn.user.id, address, { type: "signed_in", detail: "password" })
      return { body: signedIn, headers }
    },
    async signOut({ request, address }) {
      refuseForeignSite(request.method, request.headers, baseUrl)
      const session = await this.sessionOf(request.headers)
      const { headers } = await auth.api
        .signOut({ headers: request.headers, returnHeaders: true })
        .catch(rethrowRefusal)
      if (session) await record(session.userId, address, { type: "signed_out" })
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
        .catch(rethrowRefusal)
      await forgetSignIns(context, session.user.email)
      await record(session.userId, address, { type: "password_changed" })
      return { body: { success: true }, headers }
    },
    async setPassword({ request, address }) {
      refuseForeignSite(request.method, request.headers, baseUrl)
      const { newPassword } = await readBody(request, BODIES.setPassword)
      const session = await this.sessionOf(request.headers)
      if (!session) throw new Unauthorized("not signed in: sign in at /api/auth/sign-in/email first")
      if (!isFreshSession(context.clock, session))
        throw new Forbidden("for this, sign out and in again: the sign-in is older than an hour")
      await auth.api.setPassword({ body: { newPassword }, headers: request.headers }).catch(rethrowRefusal)
      await record(session.userId, address, { type: "password_set" })
      return { body: { success: true }, headers: new Headers() }
    },
    async signUpState() {
      return options.signUp === "open" || !(await hasAccounts(context)) ? "open" : "closed"
    },
    providers: createProviderSignIn(options),
    passkeys: createPasskeys({ auth, context, baseUrl, waysIn, record }),
    waysIn,
    async sessionOf(headers) {
      if (!headers.has("cookie")) return undefined
      const { response: found, headers: renewed } = await auth.api
        .getSession({ headers, returnHeaders: true })
        .catch(rethrowRefusal)
      if (!found) return undefined
      const user = UserSchema.parse(found.user)
      const { id: sessionId, createdAt: signedInAt } = found.session
      return { userId: user.id, sessionId, signedInAt, user, renewal: renewed.getSetCookie() }
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

/** A sign-in this young is proof enough of who asks for what cannot be undone. */
const FRESH_MS = 60 * 60_000
const CLOCKS_APART_MS = 60_000

/** A sign-in of the future is no proof: the clock was wrong then, or is now. Replicas' clocks are a minute apart at most. */
export function isFreshSession(clock: Clock, { signedInAt }: Pick<Session, "signedInAt">): boolean {
  const ageMs = clock.now().getTime() - signedInAt.getTime()
  return ageMs > -CLOCKS_APART_MS && ageMs < FRESH_MS
}

async function readWaysIn(auth: Auth, userId: string): Promise<WaysIn> {
  const { internalAdapter, adapter } = await auth.$context
  const providers = (await internalAdapter.findAccounts(userId)).map(({ providerId }) => providerId)
  return {
    password: providers.includes("credential"),
    passkeys: await adapter.count({ model: "passkey", where: [{ field: "userId", value: userId }] }),
    providers: providers.filter((provider) => provider !== "credential"),
  }
}
