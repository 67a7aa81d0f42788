import type { IncomingMessage, ServerResponse } from "node:http"
import { allowAssistant, Conflict, type HealthScope, isHealthScope } from "@restwell/core"
import type { Interaction } from "oidc-provider"
import { z } from "zod"
import { resourceOf } from "./addresses.ts"
import { type AuthorizingClient, describeClient } from "./clients.ts"
import { errors } from "./oidc-library.ts"
import { createProvider, type ProviderOptions } from "./provider.ts"

/** An authorization request that waits for the person's decision. */
export interface PendingAuthorization {
  readonly id: string
  readonly client: AuthorizingClient
  /** The scopes that the client asks for and that exist. */
  readonly scopes: readonly HealthScope[]
  /** The person must have signed in after this instant. */
  readonly signInAfter: Date | undefined
}

interface Decision {
  readonly userId: string
  readonly signedInAt: Date
  readonly scopes: readonly HealthScope[]
  readonly days: number | null
  /** The network of the person's browser. */
  readonly network: string
}

/** The authorization server (OAuth 2.1) behind an interface of our own, so that the library behind it can be replaced. */
export interface AuthorizationServer {
  /** Answers a request to one of its endpoints. */
  answer(request: IncomingMessage, response: ServerResponse): Promise<void>
  /** The authorization that waits in this browser; undefined if it has ended or belongs to another browser. */
  findPending(request: IncomingMessage, response: ServerResponse): Promise<PendingAuthorization | undefined>
  /** Records the person's consent. @throws {Conflict} if the request was answered meanwhile */
  allow(request: IncomingMessage, response: ServerResponse, decision: Decision): Promise<void>
  /** Records the person's refusal. RFC 6749 4.1.2.1 @throws {Conflict} */
  deny(request: IncomingMessage, response: ServerResponse): Promise<void>
}

export function createAuthorizationServer(options: ProviderOptions): AuthorizationServer {
  const { context } = options
  const provider = createProvider(options)
  const find = async (request: IncomingMessage, response: ServerResponse): Promise<Interaction | undefined> => {
    try {
      return await provider.interactionDetails(request, response)
    } catch (error) {
      if (error instanceof errors.SessionNotFound) return undefined
      throw error
    }
  }
  const require = async (request: IncomingMessage, response: ServerResponse): Promise<Interaction> => {
    const interaction = await find(request, response)
    // The form was sent twice, and the other request was faster.
    if (!interaction) throw new Conflict("this request was answered already, go back to your assistant")
    return interaction
  }
  const callback = provider.callback()
  return {
    answer: async (request, response) => void (await callback(request, response)),
    async findPending(request, response) {
      const interaction = await find(request, response)
      if (!interaction || interaction.result !== undefined) return undefined
      const { client_id, redirect_uri, scope, prompt, max_age } = ParametersSchema.parse(interaction.params)
      const client = await provider.Client.find(client_id)
      if (!client) return undefined
      return {
        id: interaction.uid,
        client: describeClient(client, redirect_uri),
        scopes: scopesOf(scope),
        signInAfter: signInAfterOf(interaction, prompt, max_age),
      }
    },
    async allow(request, response, { userId, signedInAt, scopes, days, network }) {
      const interaction = await require(request, response)
      const { client_id, redirect_uri, scope } = ParametersSchema.parse(interaction.params)
      const client = await provider.Client.find(client_id)
      if (!client) throw new Error("the client of a pending authorization does not exist")
      const grant = new provider.Grant({ accountId: userId, clientId: client_id })
      const requested = scopesOf(scope)
      const allowed = requested.filter((one) => scopes.includes(one))
      grant.addResourceScope(resourceOf(options.baseUrl), allowed.join(" "))
      if (scope.split(" ").includes("openid")) grant.addOIDCScope("openid")
      const grantId = await grant.save()
      const { clientId, name, verifiedHost, redirectHost } = describeClient(client, redirect_uri)
      const declined = requested.filter((one) => !allowed.includes(one))
      const assistant = { clientId, name, verifiedHost, redirectHost, scopes: allowed, declined, days }
      await allowAssistant(context, userId, assistant, network)
      const ts = Math.floor(signedInAt.getTime() / 1000)
      await provider.interactionResult(request, response, {
        login: { accountId: userId, remember: false, ts },
        consent: { grantId },
        select_account: {},
      })
    },
    async deny(request, response) {
      await require(request, response)
      const refusal = { error: "access_denied", error_description: "the person refused" }
      await provider.interactionResult(request, response, refusal, { mergeWithLastSubmission: false })
    },
  }
}

const ParametersSchema = z.looseObject({
  client_id: z.string(),
  redirect_uri: z.string(),
  scope: z.string().default(""),
  prompt: z.string().default(""),
  max_age: z.coerce.number().optional(),
})

const scopesOf = (scope: string): HealthScope[] => scope.split(" ").filter(isHealthScope)

/** OpenID Connect Core 3.1.2.1: `prompt=login` and `max_age` ask for a sign-in that was young enough when the request began. */
function signInAfterOf({ iat }: Interaction, prompt: string, maxAgeSeconds: number | undefined): Date | undefined {
  const ageSeconds = prompt.split(" ").includes("login") ? 0 : maxAgeSeconds
  return ageSeconds === undefined ? undefined : new Date((iat - ageSeconds) * 1000)
}
