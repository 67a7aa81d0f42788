import { InvalidRequest } from "@restwell/core"
import type { FastifyReply, FastifyRequest } from "fastify"
import { z } from "zod"
import type { AccountAnswer, AccountRequest } from "../../accounts/account-request.ts"
import type { Accounts } from "../../accounts/accounts.ts"
import type { Redirect } from "../../accounts/provider-sign-in.ts"
import type { IdentityProviderConfig } from "../../config/config.ts"
import { type Call, defineEndpoints, type Handler, headersOf } from "../plumbing/endpoint.ts"
import { pathParameter } from "../plumbing/requests.ts"

/** Other parameters are ignored: people come here by links. */
const NextSchema = z.object({
  next: z.string().optional().catch(undefined).meta({
    description: "Path to open afterwards: the consent page of an assistant. Any other path opens the dashboard",
    example: "/oauth/consent/V1StGXR8Z5jdHi6B",
  }),
})

/** The fields become a redirect to the same path, and a URL has at most 8,192 bytes. Apple sends about 2,000. */
const LONGEST_FORM = 7_500

function redirect(reply: FastifyReply, { location, headers }: Redirect): FastifyReply {
  for (const cookie of headers.getSetCookie()) reply.header("set-cookie", cookie)
  return reply.redirect(location, 302)
}

const PROVIDER = z.object({ provider: z.enum(["google", "apple"]).meta({ description: "The provider's name" }) })

/** Where the provider sends the browser back to, with a query or with a form. */
const COME_BACK = {
  path: "/api/auth/callback/:provider",
  access: "anybody",
  description:
    "The provider redirects the browser here. Signs in and redirects to the dashboard, or to the sign-in page with the problem.",
  params: PROVIDER,
  responses: { "302": { description: "To the dashboard or the sign-in page" } },
  failures: ["noProvider"],
  handle: async ({ accounts, baseUrl }: SignInServices, { request, reply }: Call) => {
    const provider = pathParameter(request, "provider")
    const form = typeof request.body === "string" ? request.body : null
    if (form !== null && form.length > LONGEST_FORM)
      throw new InvalidRequest(`the form is longer than ${LONGEST_FORM} characters`, "form")
    const returned = new Request(new URL(request.url, baseUrl), {
      method: request.method,
      headers: headersOf(request),
      body: form,
    })
    return redirect(reply, await accounts.providers.complete(provider, returned, request.ip))
  },
} as const

/** Signing in with an account elsewhere. */
export const providerEndpoints = defineEndpoints<SignInServices>("Account", [
  {
    method: "GET",
    path: "/api/auth/sign-in/:provider",
    access: "anybody",
    isVisit: true,
    id: "signInElsewhere",
    summary: "Sign in with a provider",
    description: "For browsers: redirects to the provider's page. OpenID Connect with PKCE and nonce.",
    params: PROVIDER,
    query: NextSchema,
    responses: { "302": { description: "To the provider, or to the sign-in page when it does not answer" } },
    failures: ["noProvider", "tooManyAttempts"],
    handle: async ({ accounts }, { request, reply }) => {
      const provider = pathParameter(request, "provider")
      const { next } = NextSchema.parse(request.query)
      return redirect(reply, await accounts.providers.begin(provider, headersOf(request), request.ip, next))
    },
  },
  { ...COME_BACK, method: "GET", isVisit: true, id: "completeSignInElsewhere", summary: "Come back from a provider" },
  {
    ...COME_BACK,
    method: "POST",
    // Apple's page sends the form. `state` ties it to this browser.
    fromAnySite: true,
    bodyType: "form",
    id: "completeSignInElsewhereByForm",
    summary: "Come back from a provider with a form",
  },
])

export interface SignInServices {
  readonly accounts: Accounts
  readonly baseUrl: string
  readonly identityProviders: readonly IdentityProviderConfig[]
}

/** Passes a request to an operation of accounts and sends its answer and cookies. */
export const answering =
  (
    answer: (accounts: Accounts, request: AccountRequest) => Promise<AccountAnswer>,
    status = 200,
  ): Handler<SignInServices> =>
  async ({ accounts }, { request, reply }) => {
    const answered = await answer(accounts, accountRequestOf(request))
    for (const cookie of answered.headers.getSetCookie()) reply.header("set-cookie", cookie)
    return reply.code(status).send(answered.body)
  }

export const accountRequestOf = (request: FastifyRequest): AccountRequest => ({
  body: request.body ?? {},
  headers: headersOf(request),
  address: request.ip,
})
