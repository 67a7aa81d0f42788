import type { AccountOperation } from "../../accounts/account-request.ts"
import type { Accounts } from "../../accounts/accounts.ts"
import type { IdentityProviderConfig } from "../../config/config.ts"
import type { Route } from "../plumbing/route.ts"
import { withSession } from "../plumbing/session.ts"
import {
  accountsHandler,
  beginProviderHandler,
  completeProviderHandler,
  deletePasskeyHandler,
  listPasskeysHandler,
  signInOptionsHandler,
} from "./sign-in-handlers.ts"

export interface SignInServices {
  readonly accounts: Accounts
  readonly baseUrl: string
  readonly identityProviders: readonly IdentityProviderConfig[]
}

/** Signing up, in and out: with a password, a passkey, or an account elsewhere. */
export function signInRoutes({ accounts, baseUrl, identityProviders }: SignInServices): Route[] {
  const post = (path: string, answer: AccountOperation, status = 200): Route => ({
    method: "POST",
    path: `/api/auth/${path}`,
    handle: accountsHandler(baseUrl, answer, status),
  })
  const callback = { path: "/api/auth/callback/:provider", handle: completeProviderHandler(accounts, baseUrl) }
  return [
    post("sign-up/email", (request) => accounts.signUp(request)),
    post("sign-in/email", (request) => accounts.signIn(request)),
    post("sign-in/code", (request) => accounts.signInWithCode(request)),
    post("sign-out", (request) => accounts.signOut(request)),
    post("change-password", (request) => accounts.changePassword(request)),
    post("set-password", (request) => accounts.setPassword(request)),
    post("forgot-password", (request) => accounts.requestReset(request), 202),
    post("reset-link", (request) => accounts.readResetLink(request)),
    post("reset-password", (request) => accounts.resetPassword(request)),
    post("invitation", (request) => accounts.readInvitation(request)),
    post("two-factor", (request) => accounts.twoFactor.begin(request)),
    post("two-factor/confirm", (request) => accounts.twoFactor.confirm(request)),
    post("two-factor/recovery-codes", (request) => accounts.twoFactor.renewRecoveryCodes(request)),
    post("two-factor/turn-off", (request) => accounts.twoFactor.turnOff(request)),
    { method: "GET", path: "/api/auth/options", handle: signInOptionsHandler(accounts, identityProviders) },
    post("sign-in/passkey/options", (request) => accounts.passkeys.signInOptions(request)),
    post("sign-in/passkey", (request) => accounts.passkeys.signIn(request)),
    post("passkeys/options", (request) => accounts.passkeys.registrationOptions(request)),
    post("passkeys", (request) => accounts.passkeys.add(request), 201),
    { method: "GET", path: "/api/auth/passkeys", handle: withSession(accounts, listPasskeysHandler(accounts)) },
    {
      method: "DELETE",
      path: "/api/auth/passkeys/:id",
      handle: withSession(accounts, deletePasskeyHandler(accounts)),
    },
    { method: "GET", path: "/api/auth/sign-in/:provider", handle: beginProviderHandler(accounts) },
    { method: "GET", ...callback },
    // Apple's page sends the form. `state` ties it to this browser.
    { method: "POST", ...callback, fromAnySite: true, body: "form" },
  ]
}
