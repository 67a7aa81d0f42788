import {
  Conflict,
  claimInvitation,
  Forbidden,
  hasAccounts,
  recordFailedSignIn,
  removeUnlessOwner,
  Unauthorized,
} from "@restwell/core"
import { z } from "zod"
import { networkOf } from "../network/network-of.ts"
import type { AccountAnswer, AccountOperation, AccountRequest, AccountsContext } from "./account-request.ts"
import { claimFirstSignUp, countPassword, countSignUp } from "./attempt-limits.ts"
import { describeSignUpFailure, rethrowAuthError } from "./auth-errors.ts"
import { requireGoodPassword } from "./password-rule.ts"
import { BODIES, readBody } from "./request-bodies.ts"
import { deleteExpiredSessions, readSession, UserSchema } from "./session.ts"

export const SignedInSchema = z.object({ user: UserSchema })

/** better-auth's answer to a right password of somebody who has turned codes on. */
export const CodeRequiredSchema = z.object({ twoFactorRedirect: z.literal(true) })

export interface PasswordSignInOptions extends AccountsContext {
  readonly signUp: "open" | "closed"
}

/** Signing up and in with a password, and signing out. */
export type PasswordSignIn = ReturnType<typeof createPasswordSignIn>

export const HAS_OWNER = "this Restwell has an owner already: sign in, or ask the owner for an invitation"

export const createPasswordSignIn = (options: PasswordSignInOptions) => {
  const { auth, context, knownBrowsers, record, signUp } = options
  const createAccount = (from: AccountRequest, body: SignUpBody) => createPasswordAccount(options, from, body)
  return {
    async signUp({ request, address }) {
      const body = await readBody(request, BODIES.signUp)
      await requireGoodPassword(body.password, body.email, "password")
      await countSignUp(context, address)
      // Even a closed installation needs its first person. Of simultaneous sign-ups, one wins.
      if (body.invitation !== undefined) await claimInvitation(context, { token: body.invitation, email: body.email })
      else if (signUp === "closed" && ((await hasAccounts(context)) || !(await claimFirstSignUp(context))))
        throw new Forbidden("sign-ups are closed, ask the operator for an account")
      return createAccount({ request, address }, body)
    },
    /** The first account, whose person is the owner. @throws {Conflict} once there is one, or while another visitor creates it */
    async createOwner({ request, address }) {
      if (await hasAccounts(context)) throw new Conflict(HAS_OWNER)
      const { invitation: _, ...body } = await readBody(request, BODIES.signUp)
      await requireGoodPassword(body.password, body.email, "password")
      await countSignUp(context, address)
      if (!(await claimFirstSignUp(context)))
        throw new Conflict("somebody else is creating the owner's account at this moment, reload the page in a minute")
      if (await hasAccounts(context)) throw new Conflict(HAS_OWNER)
      const created = await createAccount({ request, address }, body)
      // An open sign-up takes no claim, so it may have been faster.
      if (await removeUnlessOwner(context, SignedInSchema.parse(created.body).user.id)) throw new Conflict(HAS_OWNER)
      return created
    },
    async signIn({ request, address }) {
      const body = await readBody(request, BODIES.signIn)
      const knownBrowser = await knownBrowsers.find(request.headers, body)
      const attempt = await countPassword(context, body.email, { address, knownBrowser })
      const { headers, response } = await auth.api
        .signInEmail({ body, headers: request.headers, returnHeaders: true })
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
      headers.append("set-cookie", await knownBrowsers.remember(request.headers, signedIn.user.id))
      return { body: signedIn, headers }
    },
    async signOut({ request: { headers: sent }, address }) {
      const session = await readSession(auth, sent)
      const { headers } = await auth.api.signOut({ headers: sent, returnHeaders: true }).catch(rethrowAuthError)
      if (session) await record(session.userId, address, { type: "signed_out" })
      return { body: { success: true }, headers }
    },
  } satisfies Record<string, AccountOperation>
}

type SignUpBody = z.infer<typeof BODIES.signUp>

/** Creates the account and signs in. */
async function createPasswordAccount(
  { auth, knownBrowsers, record }: PasswordSignInOptions,
  { request, address }: AccountRequest,
  { invitation, ...account }: SignUpBody,
): Promise<AccountAnswer> {
  const { headers, response } = await auth.api
    .signUpEmail({ body: account, headers: request.headers, returnHeaders: true })
    .catch(async (error: unknown) => rethrowAuthError(await describeSignUpFailure(auth, account.email, error)))
  const signedIn = SignedInSchema.parse(response)
  await record(signedIn.user.id, address, { type: "account_created", detail: "password" })
  if (invitation !== undefined) await record(signedIn.user.id, address, { type: "invitation_accepted" })
  await record(signedIn.user.id, address, { type: "signed_in", detail: "password" })
  headers.append("set-cookie", await knownBrowsers.remember(request.headers, signedIn.user.id))
  return { body: signedIn, headers }
}

/** Not awaited: the response time must not reveal whether the account exists. */
function recordFailure(context: AccountsContext["context"], email: string, address: string): void {
  recordFailedSignIn(context, email, networkOf(address), "password").catch((error: unknown) =>
    context.logger.error({ err: error }, "could not record a failed sign-in"),
  )
}
