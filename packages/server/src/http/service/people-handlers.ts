import {
  InviteRequestSchema,
  type PeopleResponse,
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
import { emailAddress } from "../../accounts/request-bodies.ts"
import { invitationLink, resetLink } from "../../links/links.ts"
import { parseBody } from "../plumbing/parse-body.ts"
import { parseSearch, pathParameter } from "../plumbing/query-parameters.ts"
import type { SessionHandler } from "../plumbing/session.ts"

/** What the handlers of the owner's page call. */
export interface PeopleServices {
  readonly context: Context
  readonly accounts: Accounts
  readonly baseUrl: string
}

const SearchSchema = z.strictObject({
  search: z.string().max(100, { error: "must be at most 100 characters" }).default(""),
})

/** GET /api/service/people */
export const listPeopleHandler =
  ({ context, accounts }: PeopleServices): SessionHandler =>
  async (_session, _reply, request): Promise<PeopleResponse> => {
    const { search } = parseSearch(request, SearchSchema)
    const [ownerId, people, invitations, mail, signUp] = await Promise.all([
      readOwnerId(context),
      readPeople(context, { search }),
      listInvitations(context),
      readMailStatus(context),
      accounts.signUpState(),
    ])
    return {
      people: people.map((person) => presentPerson(person, ownerId)),
      has_more: people.length === PEOPLE_PAGE,
      invitations: invitations.map(presentInvitation),
      sign_up: signUp,
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
  }

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

/** PUT /api/service/people/{id} */
export const setPlanHandler =
  ({ context }: PeopleServices): SessionHandler =>
  async (_session, reply, request) => {
    const { plan } = parseBody(request, SetPlanRequestSchema)
    await setPlan(context, pathParameter(request, "id"), plan)
    return reply.send({ plan })
  }

/** DELETE /api/service/people/{id}. The address in the body confirms whom it deletes. */
export const removePersonHandler =
  ({ context }: PeopleServices): SessionHandler =>
  async (_session, reply, request) => {
    const { email } = parseBody(request, RemovePersonRequestSchema)
    const person = await readPerson(context, pathParameter(request, "id"))
    if (email.trim().toLowerCase() !== person.email)
      throw new InvalidRequest("email must be the person's address, nothing was deleted", "email")
    if (person.id === (await readOwnerId(context)))
      throw new Conflict("the owner cannot be removed here: the owner's own account page deletes the account")
    await deleteAccount(context, person.id)
    context.logger.info({ userId: person.id }, "the owner removed an account")
    return reply.code(204).send()
  }

/** POST /api/service/people/{id}/reset-link */
export const createResetLinkHandler =
  ({ context, baseUrl }: PeopleServices): SessionHandler =>
  async (_session, reply, request) => {
    const { remove_two_factor: removesTwoFactor } = parseBody(request, ResetLinkRequestSchema)
    const { id } = await readPerson(context, pathParameter(request, "id"))
    const link = await createPasswordReset(context, id, { by: "operator", removesTwoFactor })
    if (!link) throw new NotFound("the account was deleted meanwhile")
    const { token, expiresAt } = link
    return reply.code(201).send({ link: resetLink(baseUrl, token), expires_at: expiresAt.toISOString() })
  }

const InviteSchema = InviteRequestSchema.extend({ email: emailAddress.optional() })

/** POST /api/service/invitations */
export const inviteHandler =
  (services: PeopleServices): SessionHandler =>
  async (_session, reply, request) => {
    const { email, plan, send } = parseBody(request, InviteSchema)
    if (send && email === undefined) throw new InvalidRequest("email is needed to send the invitation", "email")
    if (send) requireMail(services)
    const link = await createInvitation(services.context, { email, plan })
    return reply.code(201).send(await handOver(services, link, send))
  }

const RenewSchema = InviteRequestSchema.pick({ send: true })

/** POST /api/service/invitations/{id}/link: a new link, because no one is stored. */
export const renewInvitationHandler =
  (services: PeopleServices): SessionHandler =>
  async (_session, reply, request) => {
    const { send } = parseBody(request, RenewSchema)
    if (send) requireMail(services)
    const link = await renewInvitation(services.context, requireUuid(pathParameter(request, "id")))
    return reply.code(201).send(await handOver(services, link, send))
  }

/** DELETE /api/service/invitations/{id} */
export const revokeInvitationHandler =
  ({ context }: PeopleServices): SessionHandler =>
  async (_session, reply, request) => {
    await revokeInvitation(context, requireUuid(pathParameter(request, "id")))
    return reply.code(204).send()
  }

/** The link, or null once its e-mail waits to be sent. That e-mail gets a link of its own. */
async function handOver({ context, baseUrl }: PeopleServices, { id, token, expiresAt }: InvitationLink, send: boolean) {
  if (send) await queueInvitationMail(context, id)
  return { link: send ? null : invitationLink(baseUrl, token), expires_at: expiresAt.toISOString() }
}

/** @throws {Conflict} */
function requireMail({ accounts }: PeopleServices): void {
  if (accounts.passwordReset !== "email")
    throw new Conflict("no e-mail is set up: set SMTP_URL and MAIL_FROM, or copy the link")
}

/** @throws {NotFound} */
function requireUuid(id: string): string {
  if (!z.uuid().safeParse(id).success) throw new NotFound("there is no open invitation with this id")
  return id
}
