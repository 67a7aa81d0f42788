import {
  Conflict,
  claimInvitation,
  createOwner,
  endPushOfSessions,
  Forbidden,
  hasOwner,
  recordFailedSignIn,
  Unauthorized,
  writeServiceSettings,
} from "@restwell/core"
import { z } from "zod"
import { networkOf } from "../network/addresses.ts"
import {
  type AccountAnswer,
  type AccountOperation,
  type AccountRequest,
  type AccountsContext,
  createAccountsContext,
} from "./account-request.ts"
import { countPassword, countSignUp } from "./attempt-limits.ts"
import type { AccountsOptions, AuthOptions } from "./better-auth.ts"
import { requireGoodPassword } from "./password-rule.ts"
import { BODIES, parseFields } from "./request-bodies.ts"
import {
  deleteExpiredSessions,
  describeSignUpFailure,
  readSession,
  rethrowAuthError,
  SessionUserSchema,
} from "./session.ts"

export const SignedInSchema = z.object({ user: SessionUserSchema })

/** better-auth's answer to a right password of somebody who has turned codes on. */
export const CodeRequiredSchema = z.object({ twoFactorRedirect: z.literal(true) })

export interface PasswordSignInOptions extends AccountsContext {
  readonly signUp: AccountsOptions["signUp"]
}

/** Signing up and in with a password, and signing out. */
export type PasswordSignIn = ReturnType<typeof createPasswordSignIn>

export const createPasswordSignIn = (options: PasswordSignInOptions) => {
  const { auth, context, knownBrowsers, record, signUp } = options
  return {
    async signUp({ body: given, headers: sent, address }) {
      const body = parseFields(given, BODIES.signUp)
      await requireGoodPassword(body.password, body.email, "password")
      await countSignUp(context, address)
      if (body.invitation !== undefined) await claimInvitation(context, { token: body.invitation, email: body.email })
      else if (signUp() === "closed")
        throw new Forbidden(
          (await hasOwner(context))
            ? "sign-ups are closed, ask the operator for an account"
            : "this Restwell has no owner yet: open the set-up link that its start has printed",
        )
      const { body: answer, headers } = await createPasswordAccount(options, { headers: sent, address }, body)
      return { body: answer, headers }
    },
    async signIn({ body: given, headers: sent, address }) {
      const body = parseFields(given, BODIES.signIn)
      const knownBrowser = await knownBrowsers.find(sent, body)
      const attempt = await countPassword(context, body.email, { address, knownBrowser })
      const { headers, response } = await auth.api
        .signInEmail({ body, headers: sent, returnHeaders: true })
        .catch(rethrowAuthError)
        .catch((error: unknown) => {
          if (error instanceof Unauthorized) recordFailure(context, body.email, address)
          throw error
        })
      await attempt.succeeded()
      if (CodeRequiredSchema.safeParse(response).success) return { body: { code_required: true }, headers }
      const signedIn = SignedInSchema.parse(response)
      await deleteExpiredSessions(auth, signedIn.user.id, context.clock.now())
      await record(signedIn.user.id, address, { type: "signed_in", detail: "password" })
      headers.append("set-cookie", await knownBrowsers.remember(sent, signedIn.user.id))
      return { body: signedIn, headers }
    },
    async signOut({ headers: sent, address }) {
      const session = await readSession(auth, sent)
      // Before the session, or a failure between the two would leave the browser what it may read no more.
      if (session) await endPushOfSessions(context.database, session.userId, { only: session.sessionId })
      const { headers } = await auth.api.signOut({ headers: sent, returnHeaders: true }).catch(rethrowAuthError)
      if (session) await record(session.userId, address, { type: "signed_out" })
      return { body: { success: true }, headers }
    },
  } satisfies Record<string, AccountOperation>
}

type SignUpBody = z.infer<typeof BODIES.signUp>

/** Creates the account and signs in. */
async function createPasswordAccount(
  { auth, knownBrowsers, record }: AccountsContext,
  { headers: sent, address }: Pick<AccountRequest, "headers" | "address">,
  { invitation, ...account }: SignUpBody,
): Promise<AccountAnswer & { readonly userId: string }> {
  const { headers, response } = await auth.api
    .signUpEmail({ body: account, headers: sent, returnHeaders: true })
    .catch(async (error: unknown) => rethrowAuthError(await describeSignUpFailure(auth, account.email, error)))
  const signedIn = SignedInSchema.parse(response)
  await record(signedIn.user.id, address, { type: "account_created", detail: "password" })
  if (invitation !== undefined) await record(signedIn.user.id, address, { type: "invitation_accepted" })
  await record(signedIn.user.id, address, { type: "signed_in", detail: "password" })
  headers.append("set-cookie", await knownBrowsers.remember(sent, signedIn.user.id))
  return { userId: signedIn.user.id, body: signedIn, headers }
}

/** Not awaited: the response time must not reveal whether the account exists. */
function recordFailure(context: AccountsContext["context"], email: string, address: string): void {
  recordFailedSignIn(context, email, networkOf(address), "password").catch((error: unknown) =>
    context.logger.error({ err: error }, "could not record a failed sign-in"),
  )
}

export const HAS_OWNER = "this Restwell has an owner already: sign in, or ask the owner for an invitation"

/** How the visitor reaches the service during the set-up. */
export interface VisitedAddress {
  readonly baseUrl: string
  /** Whether the service uses it from now on. */
  readonly isNew: boolean
}

/**
 * Creates the owner's account. Account, owner and address are one transaction, so that a set-up that was killed can be repeated.
 * @throws {Conflict} once there is an owner
 */
export async function createOwnerAccount(
  options: AuthOptions,
  from: AccountRequest,
  { baseUrl, isNew }: VisitedAddress,
): Promise<AccountAnswer> {
  const { invitation: _, ...body } = parseFields(from.body, BODIES.signUp)
  await requireGoodPassword(body.password, body.email, "password")
  const created = await createOwner(options.context, async (database) => {
    const context = { ...options.context, database }
    // The names of the cookies depend on the address.
    const parts = createAccountsContext({ ...options, context, baseUrl })
    const { userId, ...result } = await createPasswordAccount(parts, from, body).catch(explainTakenEmail)
    if (isNew) await writeServiceSettings(context, { BASE_URL: baseUrl })
    return { userId, result }
  })
  if (created === undefined) throw new Conflict(HAS_OWNER)
  return created
}

/** Where sign-ups are open, accounts may exist before the set-up. */
function explainTakenEmail(error: unknown): never {
  if (!(error instanceof Conflict)) throw error
  throw new Conflict(
    "this email address has an account: enter another one, or make its account the owner with `restwell people set-owner EMAIL`",
    { cause: error },
  )
}
