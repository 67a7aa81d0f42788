import { type Passkey, type WebAuthnOptions, WebAuthnOptionsSchema } from "@restwell/client"
import { Conflict, InvalidRequest, NotFound } from "@restwell/core"
import { APIError } from "better-auth"
import { z } from "zod"
import type { AccountRequest, AccountsContext } from "./account-request.ts"
import { countNamelessSignIn } from "./attempt-limits.ts"
import { type Confirmation, confirmIdentity, handleOf, verifyPasskey } from "./identity-confirmation.ts"
import { SignedInSchema } from "./password-sign-in.ts"
import { BODIES, parseFields } from "./request-bodies.ts"
import { readSignInMethods, requireSession, rethrowAuthError, type Session } from "./session.ts"

/** More than a person has devices. */
const MOST_PASSKEYS = 20

const StoredPasskeySchema = z.object({
  id: z.string(),
  userId: z.string(),
  name: z.string().nullish(),
  createdAt: z.coerce.date(),
})

/** Signing in with a passkey of the device instead of a password. @see https://www.w3.org/TR/webauthn-3/ */
export function createPasskeys(accounts: AccountsContext) {
  const { auth, context, knownBrowsers, record, notify } = accounts
  return {
    list: async ({ userId }: Session) => (await readPasskeys(accounts, userId)).map(present),
    /** Options for the browser to create a passkey. @throws {Forbidden} unless the person confirms it @throws {Conflict} at 20 */
    async registrationOptions({ body: given, headers: sent, address }: AccountRequest) {
      const body = parseFields(given, BODIES.confirmation)
      const session = await requireSession(auth, sent)
      await confirmIdentity(accounts, { session, headers: sent, address, body })
      if ((await readPasskeys(accounts, session.userId)).length >= MOST_PASSKEYS) throw tooManyPasskeys()
      const { headers, response } = await auth.api
        .generatePasskeyRegistrationOptions({ headers: sent, returnHeaders: true })
        .catch(rethrowAuthError)
      const { user, ...options } = CreationOptionsSchema.parse(response)
      return { body: optionsOf({ ...options, user: { ...user, id: handleOf(session.userId) } }), headers }
    },
    async add({ body: given, headers: sent, address }: AccountRequest) {
      const body = parseFields(given, BODIES.addPasskey)
      const { headers, response } = await auth.api
        .verifyPasskeyRegistration({ body, headers: sent, returnHeaders: true })
        .catch(rethrowRegistration)
      const passkey = StoredPasskeySchema.parse(response)
      // Counted once it is stored, so that several at once cannot exceed the limit.
      if ((await readPasskeys(accounts, passkey.userId)).length > MOST_PASSKEYS) {
        await deletePasskey(accounts, passkey)
        throw tooManyPasskeys()
      }
      await record(passkey.userId, address, { type: "passkey_added", detail: nameOf(passkey) })
      await notify(passkey.userId, "passkey_added")
      return { body: present(passkey), headers }
    },
    /** @throws {Forbidden} unless the person confirms it @throws {Conflict} when it is the only way to sign in */
    async remove(id: string, confirmation: Confirmation) {
      const { session, address } = confirmation
      await confirmIdentity(accounts, confirmation)
      const passkeys = await readPasskeys(accounts, session.userId)
      const passkey = passkeys.find((one) => one.id === id)
      if (!passkey) throw new NotFound("you have no passkey with this id")
      const { password, providers } = await readSignInMethods(auth, session.userId)
      if (!password && providers.length === 0 && passkeys.length === 1)
        throw new Conflict("this passkey is your only way to sign in, set a password or add another passkey first")
      await deletePasskey(accounts, passkey)
      await record(session.userId, address, { type: "passkey_removed", detail: nameOf(passkey) })
      await notify(session.userId, "passkey_removed")
    },
    /** Options for the browser to sign in. They name no account: the passkey does. */
    async signInOptions({ address }: AccountRequest) {
      await countNamelessSignIn(context, address)
      const { headers, response } = await auth.api
        // Without the session cookie, which would make better-auth list that person's passkeys.
        .generatePasskeyAuthenticationOptions({ headers: new Headers(), returnHeaders: true })
        .catch(rethrowAuthError)
      return { body: { ...optionsOf(response), userVerification: "required" }, headers }
    },
    async signIn({ body: given, headers: sent, address }: AccountRequest) {
      const body = parseFields(given, BODIES.passkeySignIn)
      const { headers, response } = await verifyPasskey(accounts, body.response, sent)
      const signedIn = SignedInSchema.parse(response)
      await record(signedIn.user.id, address, { type: "signed_in", detail: "passkey" })
      headers.append("set-cookie", await knownBrowsers.remember(sent, signedIn.user.id))
      return { body: signedIn, headers }
    },
  }
}

/** Deletes all passkeys of a person who has just proved the password. */
export async function deleteAllPasskeys(accounts: AccountsContext, userId: string, address: string): Promise<void> {
  const passkeys = await readPasskeys(accounts, userId)
  for (const passkey of passkeys) {
    await deletePasskey(accounts, passkey)
    await accounts.record(userId, address, { type: "passkey_removed", detail: nameOf(passkey) })
  }
  if (passkeys.length > 0) await accounts.notify(userId, "passkey_removed")
}

type StoredPasskey = z.infer<typeof StoredPasskeySchema>

/** Oldest first. */
async function readPasskeys({ auth }: AccountsContext, userId: string): Promise<StoredPasskey[]> {
  const { adapter } = await auth.$context
  const where = [{ field: "userId", value: userId }]
  const stored = await adapter.findMany({ model: "passkey", where, sortBy: { field: "createdAt", direction: "asc" } })
  return z.array(StoredPasskeySchema).parse(stored)
}

async function deletePasskey({ auth }: AccountsContext, { id, userId }: StoredPasskey): Promise<void> {
  const { adapter } = await auth.$context
  const where = [
    { field: "id", value: id },
    { field: "userId", value: userId },
  ]
  await adapter.delete({ model: "passkey", where })
}

const tooManyPasskeys = (): Conflict =>
  new Conflict(`an account has at most ${MOST_PASSKEYS} passkeys, delete one that you do not use first`)

const nameOf = ({ name }: StoredPasskey): string => name ?? "Passkey"

const present = (passkey: StoredPasskey): Passkey => ({
  id: passkey.id,
  name: nameOf(passkey),
  created_at: passkey.createdAt.toISOString(),
})

const CreationOptionsSchema = z.looseObject({ user: z.looseObject({ id: z.string() }) })

const optionsOf = (response: unknown): WebAuthnOptions => WebAuthnOptionsSchema.parse(response)

/** A response of the device that cannot be verified is an invalid request. */
function rethrowRegistration(error: unknown): never {
  const code = error instanceof APIError ? (error.body?.code ?? "") : ""
  if (/VERIFY_REGISTRATION|CHALLENGE_NOT_FOUND|PREVIOUSLY_REGISTERED|NOT_ALLOWED|USER_NOT_VERIFIED/.test(code))
    throw new InvalidRequest("the passkey could not be added, try again from the beginning", "response", {
      cause: error,
    })
  return rethrowAuthError(error)
}
