import { type AccountAnswer, type AccountRequest, createAccountsContext } from "./account-request.ts"
import type { AccountsOptions } from "./better-auth.ts"
import { type Confirmation, confirmIdentity } from "./identity-confirmation.ts"
import { createInvitations } from "./invitations.ts"
import { createPasskeys } from "./passkeys.ts"
import {
  createOwnerAccount,
  createPasswordSignIn,
  type PasswordSignIn,
  type VisitedAddress,
} from "./password-sign-in.ts"
import { createPasswordResets, createPasswords } from "./passwords.ts"
import { createProviderSignIn, type ProviderSignIn } from "./provider-sign-in.ts"
import { readSession, readSignInMethods, type Session, type SignInMethods } from "./session.ts"
import { createCodeSignIn, createTwoFactor } from "./two-factor.ts"

/**
 * People's accounts behind an interface of our own, so that the library behind it can be replaced. Bodies are better-auth's, errors are
 * ours. Callers must refuse changes that other sites send.
 */
export interface Accounts
  extends PasswordSignIn,
    ReturnType<typeof createCodeSignIn>,
    ReturnType<typeof createPasswords>,
    ReturnType<typeof createPasswordResets>,
    ReturnType<typeof createInvitations> {
  readonly twoFactor: ReturnType<typeof createTwoFactor>
  readonly passkeys: ReturnType<typeof createPasskeys>
  readonly providers: ProviderSignIn
  sessionOf(headers: Headers): Promise<Session | undefined>
  signInMethods(userId: string): Promise<SignInMethods>
  /** Makes sure that the person asks for a change, and not somebody who has their session. @throws {Forbidden} @throws {TooManyAttempts} */
  confirmIdentity(confirmation: Confirmation): Promise<void>
  /** How a person gets a link to a new password. */
  readonly passwordReset: "email" | "operator"
  /** Whether new people can sign up. */
  signUpState(): "open" | "closed"
  /**
   * Creates the owner's account and stores the address that the visitor came by, both or neither.
   * @throws {Conflict} once there is an owner
   */
  createOwner(from: AccountRequest, visited: VisitedAddress): Promise<AccountAnswer>
}

export function createAccounts(options: AccountsOptions): Accounts {
  const { signUp, baseUrl, sendsMail = () => false } = options
  const shared = createAccountsContext(options)
  const { auth, knownBrowsers } = shared
  return {
    ...createPasswordSignIn({ ...shared, signUp }),
    ...createCodeSignIn(shared),
    ...createPasswords(shared),
    ...createPasswordResets(shared, sendsMail),
    ...createInvitations(shared, baseUrl),
    twoFactor: createTwoFactor(shared),
    passkeys: createPasskeys(shared),
    providers: createProviderSignIn(options, knownBrowsers),
    get passwordReset() {
      return sendsMail() ? "email" : "operator"
    },
    sessionOf: (headers) => readSession(auth, headers),
    confirmIdentity: (confirmation) => confirmIdentity(shared, confirmation),
    signInMethods: (userId) => readSignInMethods(auth, userId),
    signUpState: signUp,
    createOwner: (from, visited) => createOwnerAccount(options, from, visited),
  }
}
