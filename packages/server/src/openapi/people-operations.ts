import {
  InviteRequestSchema,
  LinkResponseSchema,
  PeopleResponseSchema,
  RemovePersonRequestSchema,
  ResetLinkRequestSchema,
  SetPlanRequestSchema,
} from "@restwell/client"
import { z } from "zod"
import { pathsOf } from "./operation.ts"
import { jsonBody, success } from "./responses.ts"

const PERSON = { path: z.object({ id: z.string().meta({ example: "pQ2rT6yV9wZ1" }) }) }
const INVITATION = { path: z.object({ id: z.string().meta({ example: "0198f5d2-7a7c-7c3e-9a57-0a2b6f1f6a10" }) }) }
const OWNER_ONLY = ["notSignedIn", "notOwner", "unavailable"] as const

/** The people of an installation, for its owner. */
export const peoplePaths = pathsOf({
  "GET /api/service/people": {
    id: "listPeople",
    summary: "List the people",
    description: "For the owner: everybody with an account, open invitations, and the state of e-mail.",
    tag: "Service",
    requestParams: {
      query: z.object({
        search: z.string().max(100).optional().meta({ description: "A part of a name or an address", example: "ada" }),
      }),
    },
    responses: { "200": success("The people", PeopleResponseSchema) },
    failures: ["invalidRequest", ...OWNER_ONLY],
  },
  "PUT /api/service/people/{id}": {
    id: "setPlan",
    summary: "Change a person's plan",
    description: "For the owner. It holds from the next request on.",
    tag: "Service",
    requestParams: PERSON,
    body: jsonBody(SetPlanRequestSchema),
    responses: { "200": success("Changed", SetPlanRequestSchema) },
    failures: ["invalidRequest", "noPerson", ...OWNER_ONLY],
  },
  "DELETE /api/service/people/{id}": {
    id: "removePerson",
    summary: "Remove a person",
    description: "For the owner. Deletes the account with all its data, and ends its access at the vendors.",
    tag: "Service",
    requestParams: PERSON,
    body: jsonBody(RemovePersonRequestSchema),
    responses: { "204": { description: "Deleted" } },
    failures: ["invalidRequest", "noPerson", "conflict", ...OWNER_ONLY],
  },
  "POST /api/service/people/{id}/reset-link": {
    id: "createResetLink",
    summary: "Make a link to a new password",
    description: "For the owner, who gives it to the person. It works once, within 24 hours.",
    tag: "Service",
    requestParams: PERSON,
    body: jsonBody(ResetLinkRequestSchema),
    responses: { "201": success("The link", LinkResponseSchema) },
    failures: ["invalidRequest", "noPerson", ...OWNER_ONLY],
  },
  "POST /api/service/invitations": {
    id: "invite",
    summary: "Invite a person",
    description: "For the owner. The link creates one account within 7 days, even where sign-ups are closed.",
    tag: "Service",
    body: jsonBody(InviteRequestSchema),
    responses: { "201": success("Invited", LinkResponseSchema) },
    failures: ["invalidRequest", "conflict", ...OWNER_ONLY],
  },
  "POST /api/service/invitations/{id}/link": {
    id: "renewInvitation",
    summary: "Make a new link for an invitation",
    description: "For the owner. The former link stops working.",
    tag: "Service",
    requestParams: INVITATION,
    body: jsonBody(InviteRequestSchema.pick({ send: true }).meta({ id: "RenewInvitationRequest" })),
    responses: { "201": success("The link", LinkResponseSchema) },
    failures: ["invalidRequest", "noPerson", "conflict", ...OWNER_ONLY],
  },
  "DELETE /api/service/invitations/{id}": {
    id: "revokeInvitation",
    summary: "Revoke an invitation",
    description: "For the owner. Its link stops working.",
    tag: "Service",
    requestParams: INVITATION,
    responses: { "204": { description: "Revoked" } },
    failures: ["noPerson", ...OWNER_ONLY, "payloadTooLarge", "unsupportedMediaType"],
  },
})
