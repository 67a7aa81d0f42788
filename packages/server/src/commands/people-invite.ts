import { createInvitation, PLANS, type Plan } from "@restwell/core"
import { z } from "zod"
import { invitationLink } from "../links/links.ts"
import { CommandFailed } from "./command.ts"
import { baseUrlOf, withStore } from "./with-store.ts"

export interface InviteArguments {
  readonly email: string | undefined
  /** One of the plans, which the command line has checked. */
  readonly plan: string | undefined
  readonly isJson: boolean
}

/** `restwell people invite`: prints a link that creates one account. */
export const main = ({ email, plan, isJson }: InviteArguments): Promise<void> =>
  withStore(async (store) => {
    const invited = email === undefined ? undefined : addressOf(email)
    const { id, token, expiresAt } = await createInvitation(store, { email: invited, plan: planOf(plan ?? "free") })
    const url = invitationLink(await baseUrlOf(store), token)
    const whose = invited === undefined ? "the person who opens it first" : invited
    process.stdout.write(
      isJson
        ? `${JSON.stringify({ id, link: url, expires_at: expiresAt.toISOString() })}\n`
        : `${url}\nIt creates one account, for ${whose}, until ${expiresAt.toISOString()}.\n`,
    )
  })

/** @throws {CommandFailed} */
export function planOf(text: string): Plan {
  const plan = PLANS.find((known) => known === text)
  if (plan === undefined) throw new CommandFailed(`the plan must be one of ${PLANS.join(", ")}, not ${text}`)
  return plan
}

function addressOf(text: string): string {
  const parsed = z.email().max(254).safeParse(text.trim().toLowerCase())
  if (!parsed.success) throw new CommandFailed(`${text} is no email address, like ada@example.com`)
  return parsed.data
}
