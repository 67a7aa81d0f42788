import {
  CreateOwnerRequestSchema,
  type SetupResponse,
  SetupResponseSchema,
  SignedInResponseSchema,
} from "@restwell/client"
import { Conflict, type Context, Forbidden, hasOwner, type Secrets } from "@restwell/core"
import type { FastifyRequest } from "fastify"
import { z } from "zod"
import type { Accounts } from "../../accounts/accounts.ts"
import { countWrongSetupCode } from "../../accounts/attempt-limits.ts"
import { isSetupCode } from "../../accounts/links.ts"
import { HAS_OWNER } from "../../accounts/password-sign-in.ts"
import type { LiveSettings } from "../../config/live-settings.ts"
import { proofOf } from "../../network/addresses.ts"
import { SET_COOKIE } from "../../openapi/operation.ts"
import { jsonBody, success } from "../../openapi/responses.ts"
import { type Asset, sendAsset } from "../plumbing/assets.ts"
import { defineEndpoints, headersOf } from "../plumbing/endpoint.ts"
import { parseBody, parseSearch } from "../plumbing/requests.ts"

export interface SetupServices {
  readonly context: Context
  readonly accounts: Accounts
  readonly baseUrl: string
  readonly live: LiveSettings
  readonly secrets: () => Secrets
  readonly page: Asset
}

const ChallengeSchema = z.strictObject({
  challenge: z
    .string()
    .regex(/^[\w-]{16,64}$/, { error: "must have 16 to 64 letters, digits, - or _" })
    .meta({ example: "0198f5d2-7a7c-7c3e-9a57" }),
})

/** The address that the visitor's own browser sends the request from. @throws {Forbidden} for other sites */
function addressOf(request: FastifyRequest, { baseUrl, live }: SetupServices): string {
  const { origin, host = "", "sec-fetch-site": site } = request.headers
  const isSameSite = site === undefined || site === "same-origin" || site === "none"
  if (!isSameSite) throw new Forbidden("another site sent this change, so it is refused")
  if (origin === undefined || origin === baseUrl) return baseUrl
  const url = URL.parse(origin)
  if (url?.host !== host) throw new Forbidden("another site sent this change, so it is refused")
  if (live.current().addressSource !== null)
    throw new Forbidden(`the address of this Restwell is ${baseUrl}: open ${baseUrl}/setup`)
  return url.origin
}

/** The first steps of an installation. Nobody reaches them once it has an owner. */
export const setupEndpoints = defineEndpoints<SetupServices>("Service", [
  {
    method: "GET",
    path: "/setup",
    access: "anybody",
    // The page, until there is an owner.
    handle: async ({ context, page }, call) =>
      (await hasOwner(context)) ? call.reply.redirect("/start", 302) : sendAsset(page, call),
  },
  {
    method: "GET",
    path: "/api/setup",
    access: "anybody",
    id: "readSetup",
    summary: "Whether somebody owns this installation",
    description: "For the pages of the set-up, before anybody can sign in.",
    responses: { "200": success("Whether there is an owner", SetupResponseSchema) },
    failures: ["methodNotAllowed", "unavailable"],
    handle: async ({ context }): Promise<SetupResponse> => ({ has_owner: await hasOwner(context) }),
  },
  {
    method: "POST",
    path: "/api/setup/owner",
    access: "anybody",
    // The handler checks the origin itself: before there is an address, people come by any name of the machine.
    fromAnySite: true,
    id: "createOwner",
    summary: "Create the owner's account",
    description:
      "Only while there is no owner, with the code that the start of Restwell prints. Of simultaneous requests, one creates the owner. Unless BASE_URL is set, the address that the browser came by becomes the address of the service.",
    requestBody: jsonBody(CreateOwnerRequestSchema),
    responses: { "201": success("Created and signed in", SignedInResponseSchema, SET_COOKIE) },
    failures: ["wrongSetupCode", "hasOwner", "tooManyAttempts", "unavailable"],
    // The address that the visitor came by becomes the service's, unless one is set.
    handle: async (services, { request, reply }) => {
      const { context, live, accounts, baseUrl, secrets } = services
      if (await hasOwner(context)) throw new Conflict(HAS_OWNER)
      const { code, ...body } = parseBody(request, CreateOwnerRequestSchema)
      if (!isSetupCode(secrets(), code)) {
        await countWrongSetupCode(context, request.ip)
        throw new Forbidden("the set-up code is wrong: open the link that the start of Restwell has printed")
      }
      const address = addressOf(request, services)
      const isNew = address !== baseUrl
      const created = await accounts.createOwner(
        { body, headers: headersOf(request), address: request.ip },
        { baseUrl: address, isNew },
      )
      if (isNew) await live.refresh()
      for (const cookie of created.headers.getSetCookie()) reply.header("set-cookie", cookie)
      return reply.code(201).send(created.body)
    },
  },
  {
    method: "GET",
    path: "/api/service/instance",
    access: "anybody",
    id: "readInstance",
    summary: "Prove which installation answers",
    description: "The service asks its own public address, to check that the address leads to it.",
    query: ChallengeSchema,
    responses: { "200": success("The proof", z.object({ proof: z.string() })) },
    failures: ["invalidRequest"],
    // Proves to the service itself that an address leads to it.
    handle: async ({ secrets }, { request }) => {
      const { challenge } = parseSearch(request, ChallengeSchema)
      return { proof: proofOf(secrets()[0], challenge) }
    },
  },
])
