import {
  InviteRequestSchema,
  LinkResponseSchema,
  type PeopleResponse,
  PeopleResponseSchema,
  RemovePersonRequestSchema,
  ResetLinkRequestSchema,
  SetPlanRequestSchema,
} from "@restwell/client"
import {
  Conflict,
  type Context,
  createInvitation,
  createPasswordReset,
  deleteAccount,
  InvalidRequest,
  type Invitation,
  type InvitationLink,
  type ListedPerson,
  listInvitations,
  NotFound,
  PEOPLE_PAGE,
  queueInvitationMail,
  readMailStatus,
  readOwnerId,
  readPeople,
  readPerson,
  renewInvitation,
  revokeInvitation,
  setPlan,
} from "@restwell/core"
import { z } from "zod"
import type { Accounts } from "../../accounts/accounts.ts"
import { invitationLink, resetLink } from "../../accounts/links.ts"
import { BODIES, emailAddress } from "../../accounts/request-bodies.ts"
import { jsonBody, success } from "../../openapi/responses.ts"
import { defineEndpoints, headersOf, type SessionCall } from "../plumbing/endpoint.ts"
import { parseBody, parseSearch, pathParameter } from "../plumbing/requests.ts"

/** What the handlers of the owner's page call. */
interface PeopleServices {
  readonly context: Context
  /** For what may take longer than an answer usually does. */
  readonly workContext: Context
  readonly accounts: Accounts
  readonly baseUrl: string
}

const SearchSchema = z.strictObject({
  search: z
    .string()
    .max(100, { error: "must be at most 100 characters" })
    .default("")
    .meta({ description: "A part of a name or an address", example: "ada" }),
})

const presentPerson = (person: ListedPerson, ownerId: string | undefined): PeopleResponse["people"][number] => ({
  id: person.id,
  name: person.name,
  email: person.email,
  is_owner: person.id === ownerId,
  plan: person.plan,
  created_at: person.createdAt.toISOString(),
  connections: person.connections.map(({ provider, status }) => ({ provider, status })),
  last_read_at: person.lastReadAt?.toISOString() ?? null,
})

const presentInvitation = ({ id, email, plan, createdAt, expiresAt }: Invitation) => ({
  id,
  email,
  plan,
  created_at: createdAt.toISOString(),
  expires_at: expiresAt.toISOString(),
})

const InviteSchema = InviteRequestSchema.extend({ email: emailAddress.optional() })

const RenewSchema = InviteRequestSchema.pick({ send: true }).meta({ id: "RenewInvitationRequest" })

/** What gives an account to another person, or deletes it, is confirmed as a change of how to sign in is. */
const ResetLinkSchema = ResetLinkRequestSchema.extend(BODIES.confirmation.shape).meta({ id: "ResetLinkRequest" })
const RemovePersonSchema = RemovePersonRequestSchema.extend(BODIES.confirmation.shape).meta({
  id: "RemovePersonRequest",
})

/** Makes sure that the owner asks, and not somebody who has stolen the session. @throws {Forbidden} @throws {TooManyAttempts} */
const confirmOwner = (
  { accounts }: PeopleServices,
  { session, request }: SessionCall,
  body: z.infer<typeof BODIES.confirmation>,
): Promise<void> => accounts.confirmIdentity({ session, headers: headersOf(request), address: request.ip, body })

/** The link, or null once its email waits to be sent. That email gets a link of its own. */
async function handOver({ context, baseUrl }: PeopleServices, { id, token, expiresAt }: InvitationLink, send: boolean) {
  if (send) await queueInvitationMail(context, id)
  return { link: send ? null : invitationLink(baseUrl, token), expires_at: expiresAt.toISOString() }
}

/** @throws {Conflict} */
function requireMail({ accounts }: PeopleServices): void {
  if (accounts.passwordReset !== "email")
    throw new Conflict("no email is set up: enter a mail server on the page Service, or copy the link")
}

/** @throws {NotFound} */
function requireUuid(id: string): string {
  if (!z.uuid().safeParse(id).success) throw new NotFound("there is no open invitation with this id")
  return id
}

const CONFIRMED_BY = "The owner's password, a passkey or, without both, a sign-in within the last hour confirms it."
const OWN_LINK =
  "this is your own account: change the password on the page Account, or run restwell reset-password where Restwell runs"

const PERSON = z.object({ id: z.string().meta({ example: "pQ2rT6yV9wZ1" }) })
const INVITATION = z.object({ id: z.string().meta({ example: "0198f5d2-7a7c-7c3e-9a57-0a2b6f1f6a10" }) })

/** The people of this installation, for its owner. */
export const peopleEndpoints = defineEndpoints<PeopleServices>("Service", [
  {
    method: "GET",
    path: "/api/service/people",
    access: "owner",
    id: "listPeople",
    summary: "List the people",
    description: "For the owner: everybody with an account, open invitations, and the state of email.",
    query: SearchSchema,
    responses: { "200": success("The people", PeopleResponseSchema) },
    failures: ["invalidRequest"],
    handle: async ({ context, accounts }, { request }): Promise<PeopleResponse> => {
      const { search } = parseSearch(request, SearchSchema)
      const [ownerId, people, invitations, mail] = await Promise.all([
        readOwnerId(context),
        readPeople(context, { search }),
        listInvitations(context),
        readMailStatus(context),
      ])
      return {
        people: people.map((person) => presentPerson(person, ownerId)),
        has_more: people.length === PEOPLE_PAGE,
        invitations: invitations.map(presentInvitation),
        sign_up: accounts.signUpState(),
        mail: {
          is_set_up: accounts.passwordReset === "email",
          waiting: mail.waiting,
          last_sent_at: mail.lastSentAt?.toISOString() ?? null,
          failures: mail.failures.map(({ createdAt, nextTryAt, ...failure }) => ({
            ...failure,
            created_at: createdAt.toISOString(),
            next_try_at: nextTryAt?.toISOString() ?? null,
          })),
        },
      }
    },
  },
  {
    method: "PUT",
    path: "/api/service/people/:id",
    access: "owner",
    id: "setPlan",
    summary: "Change a person's plan",
    description: "For the owner. It holds from the next request on.",
    params: PERSON,
    requestBody: jsonBody(SetPlanRequestSchema),
    responses: { "200": success("Changed", SetPlanRequestSchema) },
    failures: ["noPerson"],
    handle: async ({ context }, { reply, request }) => {
      const { plan } = parseBody(request, SetPlanRequestSchema)
      await setPlan(context, pathParameter(request, "id"), plan)
      return reply.send({ plan })
    },
  },
  {
    method: "DELETE",
    path: "/api/service/people/:id",
    access: "owner",
    id: "removePerson",
    summary: "Remove a person",
    description: `For the owner. Deletes the account with all its data, and ends its access at the vendors. ${CONFIRMED_BY}`,
    params: PERSON,
    requestBody: jsonBody(RemovePersonSchema),
    responses: { "204": { description: "Deleted" } },
    failures: ["noPerson", "conflict", "tooManyAttempts"],
    // The address in the body confirms whom it deletes.
    handle: async (services, call) => {
      const { context, workContext } = services
      const { reply, request } = call
      const { email, ...confirmation } = parseBody(request, RemovePersonSchema)
      const person = await readPerson(context, pathParameter(request, "id"))
      if (email.trim().toLowerCase() !== person.email)
        throw new InvalidRequest("email must be the person's address, nothing was deleted", "email")
      if (person.id === (await readOwnerId(context)))
        throw new Conflict("the owner cannot be removed here: the owner's own account page deletes the account")
      await confirmOwner(services, call, confirmation)
      await deleteAccount(workContext, person.id)
      context.logger.info({ userId: person.id }, "the owner removed an account")
      return reply.code(204).send()
    },
  },
  {
    method: "POST",
    path: "/api/service/people/:id/reset-link",
    access: "owner",
    id: "createResetLink",
    summary: "Make a link to a new password",
    description:
      "For the owner, who gives it to the person. It works once, within 24 hours. " +
      `${CONFIRMED_BY} There is none for the owner's own account.`,
    params: PERSON,
    requestBody: jsonBody(ResetLinkSchema),
    responses: { "201": success("The link", LinkResponseSchema) },
    failures: ["noPerson", "conflict", "tooManyAttempts"],
    handle: async (services, call) => {
      const { context, baseUrl } = services
      const { session, reply, request } = call
      const { remove_two_factor: removesTwoFactor, ...confirmation } = parseBody(request, ResetLinkSchema)
      const { id } = await readPerson(context, pathParameter(request, "id"))
      // A link that turns codes off would need less than turning them off does.
      if (id === session.userId) throw new Conflict(OWN_LINK)
      await confirmOwner(services, call, confirmation)
      const link = await createPasswordReset(context, id, { by: "operator", removesTwoFactor })
      if (!link) throw new NotFound("the account was deleted meanwhile")
      const { token, expiresAt } = link
      return reply.code(201).send({ link: resetLink(baseUrl, token), expires_at: expiresAt.toISOString() })
    },
  },
  {
    method: "POST",
    path: "/api/service/invitations",
    access: "owner",
    id: "invite",
    summary: "Invite a person",
    description: "For the owner. The link creates one account within 7 days, even where sign-ups are closed.",
    requestBody: jsonBody(InviteRequestSchema),
    responses: { "201": success("Invited", LinkResponseSchema) },
    failures: ["conflict"],
    handle: async (services, { reply, request }) => {
      const { email, plan, send } = parseBody(request, InviteSchema)
      if (send && email === undefined) throw new InvalidRequest("email is needed to send the invitation", "email")
      if (send) requireMail(services)
      const link = await createInvitation(services.context, { email, plan })
      return reply.code(201).send(await handOver(services, link, send))
    },
  },
  {
    method: "POST",
    path: "/api/service/invitations/:id/link",
    access: "owner",
    id: "renewInvitation",
    summary: "Make a new link for an invitation",
    description: "For the owner. The former link stops working.",
    params: INVITATION,
    requestBody: jsonBody(RenewSchema),
    responses: { "201": success("The link", LinkResponseSchema) },
    failures: ["noPerson", "conflict"],
    // A new link, because none is stored.
    handle: async (services, { reply, request }) => {
      const { send } = parseBody(request, RenewSchema)
      if (send) requireMail(services)
      const link = await renewInvitation(services.context, requireUuid(pathParameter(request, "id")))
      return reply.code(201).send(await handOver(services, link, send))
    },
  },
  {
    method: "DELETE",
    path: "/api/service/invitations/:id",
    access: "owner",
    id: "revokeInvitation",
    summary: "Revoke an invitation",
    description: "For the owner. Its link stops working.",
    params: INVITATION,
    responses: { "204": { description: "Revoked" } },
    failures: ["noPerson"],
    handle: async ({ context }, { reply, request }) => {
      await revokeInvitation(context, requireUuid(pathParameter(request, "id")))
      return reply.code(204).send()
    },
  },
])
