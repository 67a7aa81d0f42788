import { type Passkey, type WebAuthnOptions, WebAuthnOptionsSchema } from "@restwell/client"
import { Conflict, InvalidRequest, NotFound, Unauthorized } from "@restwell/core"
import { APIError } from "better-auth"
import { z } from "zod"
import type { AccountOperation, AccountsContext } from "./account-request.ts"
import { countNamelessSignIn } from "./attempt-limits.ts"
import { rethrowAuthError } from "./auth-errors.ts"
import { SignedInSchema } from "./password-sign-in.ts"
import { BODIES, readBody } from "./request-bodies.ts"
import type { Session } from "./session.ts"
import { readSignInMethods } from "./sign-in-methods.ts"

/** Signing in with a passkey of the device instead of a password. @see https://www.w3.org/TR/webauthn-3/ */
export interface Passkeys {
  /** Options for the browser to create a passkey. @throws {Forbidden} when the sign-in is older than a day */
  readonly registrationOptions: AccountOperation
  readonly add: AccountOperation
  list(session: Session): Promise<Passkey[]>
  /** @throws {Conflict} when it is the only way to sign in */
  remove(session: Session, id: string, address: string): Promise<void>
  /** Options for the browser to sign in. They name no account: the passkey does. */
  readonly signInOptions: AccountOperation
  readonly signIn: AccountOperation
}

const StoredPasskeySchema = z.object({
  id: z.string(),
  userId: z.string(),
  name: z.string().nullish(),
  createdAt: z.coerce.date(),
})

export function createPasskeys({ auth, context, knownBrowsers, record }: AccountsContext): Passkeys {
  const list = async ({ userId }: Session): Promise<Passkey[]> => {
    const { adapter } = await auth.$context
    const where = [{ field: "userId", value: userId }]
    const stored = await adapter.findMany({ model: "passkey", where, sortBy: { field: "createdAt", direction: "asc" } })
    return z.array(StoredPasskeySchema).parse(stored).map(present)
  }
  return {
    list,
    async registrationOptions({ request }) {
      const { headers, response } = await auth.api
        .generatePasskeyRegistrationOptions({ headers: request.headers, returnHeaders: true })
        .catch(rethrowAuthError)
      return { body: optionsOf(response), headers }
    },
    async add({ request, address }) {
      const body = await readBody(request, BODIES.addPasskey)
      const { headers, response } = await auth.api
        .verifyPasskeyRegistration({ body, headers: request.headers, returnHeaders: true })
        .catch(rethrowRegistration)
      const passkey = StoredPasskeySchema.parse(response)
      await record(passkey.userId, address, { type: "passkey_added", detail: nameOf(passkey) })
      return { body: present(passkey), headers }
    },
    async remove(session, id, address) {
      const passkeys = await list(session)
      const passkey = passkeys.find((one) => one.id === id)
      if (!passkey) throw new NotFound("you have no passkey with this id")
      const { password, providers } = await readSignInMethods(auth, session.userId)
      if (!password && providers.length === 0 && passkeys.length === 1)
        throw new Conflict("this passkey is your only way to sign in, set a password or add another passkey first")
      const { adapter } = await auth.$context
      const where = [
        { field: "id", value: id },
        { field: "userId", value: session.userId },
      ]
      await adapter.delete({ model: "passkey", where })
      await record(session.userId, address, { type: "passkey_removed", detail: passkey.name })
    },
    async signInOptions({ address }) {
      await countNamelessSignIn(context, address)
      const { headers, response } = await auth.api
        // Without the session cookie, which would make better-auth list that person's passkeys.
        .generatePasskeyAuthenticationOptions({ headers: new Headers(), returnHeaders: true })
        .catch(rethrowAuthError)
      return { body: { ...optionsOf(response), userVerification: "required" }, headers }
    },
    async signIn({ request, address }) {
      const body = await readBody(request, BODIES.passkeySignIn)
      const { headers, response } = await auth.api
        .verifyPasskeyAuthentication({ body, headers: request.headers, returnHeaders: true })
        .catch(rethrowAuthentication)
      const signedIn = SignedInSchema.parse(response)
      await record(signedIn.user.id, address, { type: "signed_in", detail: "passkey" })
      headers.append("set-cookie", await knownBrowsers.remember(request.headers, signedIn.user.id))
      return { body: signedIn, headers }
    },
  }
}

const nameOf = ({ name }: z.infer<typeof StoredPasskeySchema>): string => name ?? "Passkey"

const present = (passkey: z.infer<typeof StoredPasskeySchema>): Passkey => ({
  id: passkey.id,
  name: nameOf(passkey),
  created_at: passkey.createdAt.toISOString(),
})

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

/** Unknown, replayed, foreign and late signatures give the same error. */
function rethrowAuthentication(error: unknown): never {
  if (error instanceof APIError && error.statusCode < 500)
    throw new Unauthorized("the passkey was not accepted, try again", { cause: error })
  return rethrowAuthError(error)
}
