import { type Context, hasAccounts } from "@restwell/core"
import { toStorableText } from "@restwell/providers"
import { APIError } from "better-auth"
import { genericOAuth } from "better-auth/plugins"
import type { IdentityProviderConfig } from "../config/config.ts"
import { claimFirstSignUp } from "./attempt-limits.ts"
import { isInvited } from "./invitations.ts"

export const PROVIDER_NAMES: Readonly<Record<IdentityProviderConfig["provider"], string>> = {
  google: "Google",
  apple: "Apple",
}

/** Apple sends the name in a form, and only when asked so. @see https://developer.apple.com/documentation/signinwithapplerestapi */
const SCOPES: Readonly<Record<IdentityProviderConfig["provider"], string[]>> = {
  google: ["openid", "email", "profile"],
  apple: ["openid", "email", "name"],
}

/** Authorization code with PKCE, nonce and a verified ID token, for each provider that answers its discovery now. */
export const identityPlugin = (providers: readonly IdentityProviderConfig[]) =>
  genericOAuth({
    config: providers.map(({ provider, clientId, clientSecret, issuer }) => ({
      providerId: provider,
      name: PROVIDER_NAMES[provider],
      clientId,
      clientSecret,
      // OpenID Connect Discovery 1.0, 4
      discoveryUrl: `${issuer}/.well-known/openid-configuration`,
      scopes: SCOPES[provider],
      pkce: true,
      requireIdTokenVerification: true,
      ...(provider === "apple" && { responseMode: "form_post" as const }),
      mapProfileToUser: (profile) => ({ name: toStorableText(nameOf(profile)) }),
    })),
  })

/** Without a name from the provider, the part of the email address before the @. */
function nameOf(profile: Record<string, unknown>): string {
  const { name, email } = profile
  if (typeof name === "string" && name.trim() !== "") return name.trim().slice(0, 100)
  return typeof email === "string" ? (email.split("@")[0] ?? "").slice(0, 100) : ""
}

/** The result of one sign-in. */
export interface ProviderSignInResult {
  userId?: string
  isNew?: boolean
  /** The token of the invitation that the browser has opened. */
  invitation?: string | undefined
  isInvited?: boolean
}

/**
 * An equal email address does not link accounts: addresses are not verified here, so an impostor would share the account. The provider's
 * tokens are not stored.
 * @param current the result of the sign-in that runs, to read and to add to
 */
export const identityRules = (
  context: Pick<Context, "database" | "clock" | "logger">,
  signUp: "open" | "closed",
  current: () => ProviderSignInResult,
) => ({
  account: { accountLinking: { disableImplicitLinking: true }, updateAccountOnSignIn: false },
  databaseHooks: {
    user: {
      create: {
        before: async ({ email }: { email: string }) => {
          const result = current()
          result.isInvited = await isInvited(context, { token: result.invitation, email })
          if (
            result.isInvited ||
            signUp === "open" ||
            (!(await hasAccounts(context)) && (await claimFirstSignUp(context)))
          )
            return
          throw new APIError("FORBIDDEN", {
            code: result.invitation === undefined ? "SIGN_UP_CLOSED" : "INVITATION_INVALID",
          })
        },
        after: async ({ id }: { id: string }) => void Object.assign(current(), { userId: id, isNew: true }),
      },
    },
    session: { create: { after: async ({ userId }: { userId: string }) => void Object.assign(current(), { userId }) } },
    account: {
      create: {
        before: async (account: object) => ({
          data: { ...account, accessToken: null, refreshToken: null, idToken: null },
        }),
      },
    },
  },
})
