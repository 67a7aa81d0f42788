import { type Context, hasAccounts } from "@restwell/core"
import { toStorableText } from "@restwell/providers"
import { APIError } from "better-auth"
import { genericOAuth } from "better-auth/plugins"
import type { IdentityProviderConfig } from "../config/config.ts"
import { claimFirstSignUp } from "./attempt-limits.ts"

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
}

/**
 * An equal email address does not link accounts: addresses are not verified here, so an impostor would share the account. The provider's
 * tokens are not stored.
 * @param note called with the person once the session is stored
 */
export const identityRules = (
  context: Pick<Context, "database" | "clock">,
  signUp: "open" | "closed",
  note: (result: ProviderSignInResult) => void,
) => ({
  account: { accountLinking: { disableImplicitLinking: true }, updateAccountOnSignIn: false },
  databaseHooks: {
    user: {
      create: {
        before: async () => {
          if (signUp === "open" || (!(await hasAccounts(context)) && (await claimFirstSignUp(context)))) return
          throw new APIError("FORBIDDEN", { code: "SIGN_UP_CLOSED" })
        },
        after: async ({ id }: { id: string }) => note({ userId: id, isNew: true }),
      },
    },
    session: { create: { after: async ({ userId }: { userId: string }) => note({ userId }) } },
    account: {
      create: {
        before: async (account: object) => ({
          data: { ...account, accessToken: null, refreshToken: null, idToken: null },
        }),
      },
    },
  },
})
