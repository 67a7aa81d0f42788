import type { SignInOptionsResponse } from "@restwell/client"
import type { FastifyReply, FastifyRequest } from "fastify"
import { z } from "zod"
import type { Accounts, Session } from "../../accounts/accounts.ts"
import { type IdentityProvider, PROVIDER_NAMES } from "../../accounts/identity-providers.ts"
import type { Departure } from "../../accounts/provider-sign-in.ts"
import { headersOf } from "../plumbing/session-guard.ts"

const ProviderSchema = z.object({ provider: z.string() })
/** What else is in the address is not ours to judge: people come here by links. */
const NextSchema = z.object({ next: z.string().optional().catch(undefined) })
const PasskeySchema = z.object({ id: z.string() })

/** GET /api/auth/options: what the sign-in page offers. */
export const signInOptionsDoor =
  (accounts: Accounts, providers: readonly IdentityProvider[]) =>
  async (_request: FastifyRequest, reply: FastifyReply): Promise<SignInOptionsResponse> => {
    reply.header("cache-control", "no-store")
    return {
      sign_up: await accounts.signUpState(),
      providers: providers.map(({ provider }) => ({ provider, name: PROVIDER_NAMES[provider] })),
    }
  }

/** GET /api/auth/passkeys */
export const listPasskeysDoor = (accounts: Accounts) => async (session: Session) => ({
  passkeys: await accounts.passkeys.list(session),
})

/** DELETE /api/auth/passkeys/{id} */
export const deletePasskeyDoor =
  (accounts: Accounts) => async (session: Session, reply: FastifyReply, request: FastifyRequest) => {
    await accounts.passkeys.remove(session, PasskeySchema.parse(request.params).id, request.ip)
    return reply.code(204).send()
  }

/** GET /api/auth/sign-in/{provider}: to the provider's page. */
export const beginProviderDoor = (accounts: Accounts) => async (request: FastifyRequest, reply: FastifyReply) => {
  const { provider } = ProviderSchema.parse(request.params)
  const { next } = NextSchema.parse(request.query)
  return depart(reply, await accounts.providers.begin(provider, headersOf(request), request.ip, next))
}

/** GET and POST /api/auth/callback/{provider}: back from it. */
export const completeProviderDoor =
  (accounts: Accounts, baseUrl: string) => async (request: FastifyRequest, reply: FastifyReply) => {
    const { provider } = ProviderSchema.parse(request.params)
    const { method, url, body } = request
    const returned = new Request(new URL(url, baseUrl), {
      method,
      headers: headersOf(request),
      ...(typeof body === "string" && { body }),
    })
    return depart(reply, await accounts.providers.complete(provider, returned, request.ip))
  }

function depart(reply: FastifyReply, { location, headers }: Departure): FastifyReply {
  for (const cookie of headers.getSetCookie()) reply.header("set-cookie", cookie)
  return reply.header("cache-control", "no-store").redirect(location, 302)
}
