import { z } from "zod"
import { instant } from "../rest/fields.ts"
import { ConnectionSchema } from "./account.ts"

export const PLAN_NAMES = ["free", "pro"] as const
const plan = z.enum(PLAN_NAMES).meta({ example: "free" })
const address = z.string().max(254).meta({ format: "email", example: "ada@example.com" })

/** A person with an account, as the owner sees them: never a measurement. */
export const PersonSchema = z
  .object({
    id: z.string().meta({ example: "pQ2rT6yV9wZ1" }),
    name: z.string().meta({ example: "Ada Berg" }),
    email: address,
    is_owner: z.boolean().meta({ description: "True for the owner of this installation", example: false }),
    plan,
    created_at: instant("When the account was created", "2026-11-01T08:12:40.000Z"),
    connections: z
      .array(ConnectionSchema.pick({ provider: true, status: true }))
      .meta({ description: "Vendors, without disconnected ones" }),
    last_read_at: instant(
      "The last read by the person's key or an assistant within 90 days; null without one",
      "2026-11-20T07:05:00.000Z",
    ).nullable(),
  })
  .meta({ id: "Person" })

/** An invitation that nobody has accepted. */
export const OpenInvitationSchema = z
  .object({
    id: z.string().meta({ example: "0198f5d2-7a7c-7c3e-9a57-0a2b6f1f6a10" }),
    email: address.nullable().meta({ description: "The only address that may accept it; null for any", example: null }),
    plan,
    created_at: instant("When it was made", "2026-11-20T07:02:11.000Z"),
    expires_at: instant("When its link ends", "2026-11-27T07:02:11.000Z"),
  })
  .meta({ id: "OpenInvitation" })

const MailFailureSchema = z.object({
  id: z.string(),
  kind: z
    .enum(["password_reset", "reconnect", "invitation", "passkey_added", "passkey_removed", "notice"])
    .meta({ example: "invitation" }),
  address: z.string().nullable().meta({ example: "ada@example.com" }),
  error: z.string().meta({ description: "The mail server's answer to the last try", example: "connect ECONNREFUSED" }),
  attempts: z.int().meta({ example: 3 }),
  created_at: instant("When it was asked for", "2026-11-20T07:02:11.000Z"),
  next_try_at: instant("The next try; null once it is given up", "2026-11-20T07:06:11.000Z").nullable(),
})

/** GET /api/service/people. */
export const PeopleResponseSchema = z
  .object({
    people: z.array(PersonSchema).meta({ description: "In the order of their sign-ups" }),
    has_more: z
      .boolean()
      .meta({ description: "True when there are more people than one response lists", example: false }),
    invitations: z.array(OpenInvitationSchema).meta({ description: "Newest first" }),
    sign_up: z.enum(["open", "closed"]).meta({ description: "Whether people can sign up without an invitation" }),
    mail: z
      .object({
        is_set_up: z.boolean().meta({ example: true }),
        waiting: z.int().meta({ description: "Emails that wait to be sent", example: 0 }),
        last_sent_at: instant("When the last one was sent, within a week", "2026-11-20T07:02:11.000Z").nullable(),
        failures: z
          .array(MailFailureSchema)
          .meta({ description: "Emails that the mail server has not taken, newest first" }),
      })
      .meta({ description: "Email of this installation" }),
  })
  .meta({ id: "PeopleResponse" })

/** POST /api/service/invitations. */
export const InviteRequestSchema = z
  .object({
    email: address.optional().meta({ description: "The only address that may accept it", example: "ada@example.com" }),
    plan: plan.default("free"),
    send: z.boolean().default(false).meta({ description: "Sends the link to the address, instead of returning it" }),
  })
  .meta({ id: "InviteRequest" })

/** A link that was made, which no later response shows again. */
export const LinkResponseSchema = z
  .object({
    link: z.string().nullable().meta({
      description: "The link; null when it is sent by email",
      example: "https://restwell.example/invite#5mX...",
    }),
    expires_at: instant("When it ends", "2026-11-27T07:02:11.000Z"),
  })
  .meta({ id: "LinkResponse" })

export const SetPlanRequestSchema = z.object({ plan }).meta({ id: "SetPlanRequest" })

/** POST /api/service/people/{id}/reset-link, beside what confirms that it is the owner who asks. */
export const ResetLinkRequestSchema = z.object({
  remove_two_factor: z.boolean().default(false).meta({ description: "Using the link also turns sign-in codes off" }),
})

/** DELETE /api/service/people/{id}, beside what confirms that it is the owner who asks. */
export const RemovePersonRequestSchema = z.object({
  email: address.meta({ description: "The person's address, as a confirmation" }),
})

export type Person = z.infer<typeof PersonSchema>
export type OpenInvitation = z.infer<typeof OpenInvitationSchema>
export type PeopleResponse = z.infer<typeof PeopleResponseSchema>
export type MailFailure = PeopleResponse["mail"]["failures"][number]
