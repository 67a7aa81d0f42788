import { type Passkey, type WebAuthnOptions, WebAuthnOptionsSchema } from "@restwell/client"
import { Conflict, type Context, InvalidRequest, NotFound, type SecurityEvent, Unauthorized } from "@restwell/core"
import { APIError } from "better-auth"
import { z } from "zod"
import { refuseForeignSite } from "../http/plumbing/foreign-origin.ts"
import type { AccountAnswer, AccountRequest, Session, WaysIn } from "./accounts.ts"
import { countNamelessSignIn } from "./attempt-limits.ts"
import { rethrowRefusal } from "./auth-errors.ts"
import type { Auth } from "./better-auth.ts"
import { BODIES, readBody } from "./request-bodies.ts"

/** Signing in with what the device keeps, instead of a password. @see https://www.w3.org/TR/webauthn-3/ */
export interface Passkeys {
  /** What the device is asked to make. @throws {Forbidden} when the sign-in is older than a day */
  registrationOptions(request: AccountRequest): Promise<AccountAnswer>
  add(request: AccountRequest): Promise<AccountAnswer>
  list(session: Session): Promise<Passkey[]>
  /** @throws {Conflict} when it is the last way in */
  remove(session: Session, id: string, address: string): Promise<void>
  /** What the device is asked to sign. Whose it is tells the device: nobody is named before. */
  signInOptions(request: AccountRequest): Promise<AccountAnswer>
  signIn(request: AccountRequest): Promise<AccountAnswer>
}

const StoredPasskeySchema = z.object({
  id: z.string(),
  userId: z.string(),
  name: z.string().nullish(),
  createdAt: z.coerce.date(),
})
const SignedInSchema = z.object({
  user: z.object({ id: z.string(), name: z.string(), email: z.string() }),
})

export interface PasskeysOptions {
  readonly auth: Auth
  readonly context: Pick<Context, "database" | "clock">
  readonly baseUrl: string
  readonly waysIn: (userId: string) => Promise<WaysIn>
  /** Writes down what happened to an account, from a visitor's address. */
  readonly record: (userId: string, address: string, event: SecurityEvent) => Promise<void>
}

export function createPasskeys({ auth, context, baseUrl, waysIn, record }: PasskeysOptions): Passkeys {
  const list = async ({ userId }: Session): Promise<Passkey[]> => {
    const { adapter } = await auth.$context
    const where = [{ field: "userId", value: userId }]
    const stored = await adapter.findMany({ model: "passkey", where, sortBy: { field: "createdAt", direction: "asc" } })
    return z.array(StoredPasskeySchema).parse(stored).map(present)
  }
  return {
    list,
    async registrationOptions({ request }) {
      refuseForeignSite(request.method, request.headers, baseUrl)
      const { headers, response } = await auth.api
        .generatePasskeyRegistrationOptions({ headers: request.headers, returnHeaders: true })
        .catch(rethrowRefusal)
      return { body: optionsOf(response), headers }
    },
    async add({ request, address }) {
      refuseForeignSite(request.method, request.headers, baseUrl)
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
      if (!passkey) throw new NotFound("you have no passkey of that id")
      const { password, providers } = await waysIn(session.userId)
      if (!password && providers.length === 0 && passkeys.length === 1)
        throw new Conflict("this passkey is your only way in, set a password or add another one first")
      const { adapter } = await auth.$context
      const where = [
        { field: "id", value: id },
        { field: "userId", value: session.userId },
      ]
      await adapter.delete({ model: "passkey", where })
      await record(session.userId, address, { type: "passkey_removed", detail: passkey.name })
    },
    async signInOptions({ request, address }) {
      refuseForeignSite(request.method, request.headers, baseUrl)
      await countNamelessSignIn(context, address)
      const { headers, response } = await auth.api
        // Without the cookies of whoever is signed in: their passkeys would be named.
        .generatePasskeyAuthenticationOptions({ headers: new Headers(), returnHeaders: true })
        .catch(rethrowRefusal)
      return { body: { ...optionsOf(response), userVerification: "required" }, headers }
    },
    async signIn({ request, address }) {
      refuseForeignSite(request.method, request.headers, baseUrl)
      const body = await readBody(request, BODIES.passkeySignIn)
      const { headers, response } = await auth.api
        .verifyPasskeyAuthentication({ body, headers: request.headers, returnHeaders: true })
        .catch(rethrowAuthentication)
      const signedIn = SignedInSchema.parse(response)
      await record(signedIn.user.id, address, { type: "signed_in", detail: "passkey" })
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

/** Whatever the device sent that does not hold together, it sent it wrongly; who is not signed in is told so. */
function rethrowRegistration(error: unknown): never {
  const code = error instanceof APIError ? (error.body?.code ?? "") : ""
  if (/VERIFY_REGISTRATION|CHALLENGE_NOT_FOUND|PREVIOUSLY_REGISTERED|NOT_ALLOWED|USER_NOT_VERIFIED/.test(code))
    throw new InvalidRequest("the passkey could not be added, try again from the beginning", "response", {
      cause: error,
    })
  return rethrowRefusal(error)
}

/** Unknown, replayed, from elsewhere or too late are one answer. */
function rethrowAuthentication(error: unknown): never {
  if (error instanceof APIError && error.statusCode < 500)
    throw new Unauthorized("the passkey was not accepted, try again", { cause: error })
  return rethrowRefusal(error)
}
