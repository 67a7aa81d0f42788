import { hasAccounts, recordSecurityEvent } from "@restwell/core"
import { networkOf } from "../network/network-of.ts"
import type { AccountsContext } from "./account-request.ts"
import { type AccountsOptions, createAuth } from "./better-auth.ts"
import { type CodeSignIn, createCodeSignIn } from "./code-sign-in.ts"
import { createInvitations, type Invitations } from "./invitations.ts"
import { createKnownBrowsers } from "./known-browsers.ts"
import { createPasskeys, type Passkeys } from "./passkeys.ts"
import { createPasswordResets, type PasswordReset } from "./password-reset.ts"
import { createPasswordSignIn, type PasswordSignIn } from "./password-sign-in.ts"
import { createPasswords, type Passwords } from "./passwords.ts"
import { createProviderSignIn, type ProviderSignIn } from "./provider-sign-in.ts"
import { readSession, type Session } from "./session.ts"
import { readSignInMethods, type SignInMethods } from "./sign-in-methods.ts"
import { createTwoFactor, type TwoFactor } from "./two-factor.ts"

/**
 * People's accounts behind an interface of our own, so that the library behind it can be replaced. Bodies are better-auth's, errors are
 * ours. Callers must refuse changes that other sites send.
 */
export interface Accounts extends PasswordSignIn, CodeSignIn, Passwords, PasswordReset, Invitations {
  readonly twoFactor: TwoFactor
  readonly passkeys: Passkeys
  readonly providers: ProviderSignIn
  sessionOf(headers: Headers): Promise<Session | undefined>
  signInMethods(userId: string): Promise<SignInMethods>
  /** How a person gets a link to a new password. */
  readonly passwordReset: "email" | "operator"
  /** Whether new people can sign up. */
  signUpState(): Promise<"open" | "closed">
}

export function createAccounts(options: AccountsOptions): Accounts {
  const { context, signUp, baseUrl, sendsMail = false, secret, formerSecrets = [] } = options
  const auth = createAuth(options)
  const secrets = [secret, ...formerSecrets] as const
  const knownBrowsers = createKnownBrowsers({ auth, context, baseUrl, secrets })
  const shared: AccountsContext = {
    auth,
    context,
    knownBrowsers,
    secrets,
    record: (userId, address, event) => recordSecurityEvent(context, userId, { ...event, network: networkOf(address) }),
  }
  return {
    ...createPasswordSignIn({ ...shared, signUp }),
    ...createCodeSignIn(shared),
    ...createPasswords(shared),
    ...createPasswordResets(shared, sendsMail),
    ...createInvitations(shared, baseUrl),
    twoFactor: createTwoFactor(shared),
    passkeys: createPasskeys(shared),
    providers: createProviderSignIn(options, knownBrowsers),
    passwordReset: sendsMail ? "email" : "operator",
    sessionOf: (headers) => readSession(auth, headers),
    signInMethods: (userId) => readSignInMethods(auth, userId),
    signUpState: async () => (signUp === "open" || !(await hasAccounts(context)) ? "open" : "closed"),
  }
}
