import type { Context } from "../context/context.ts"
import { NotFound } from "../context/errors.ts"
import { newLinkToken } from "../link/link-token.ts"
import type { Plan } from "../quota/plans.ts"

export const INVITATION_DAYS = 7
const DAY_MS = 86_400_000

type Store = Pick<Context, "database" | "clock">

export interface InvitationLink {
  readonly id: string
  readonly token: string
  readonly expiresAt: Date
}

/** Makes a link that creates one account, even where sign-ups are closed. @param email the only address that may accept it */
export async function createInvitation(
  { database, clock }: Store,
  { email, plan }: { readonly email?: string | undefined; readonly plan: Plan },
): Promise<InvitationLink> {
  const { token, tokenHash } = newLinkToken()
  const now = clock.now()
  const expiresAt = endOf(now)
  const { id } = await database
    .insertInto("invitation")
    .values({ token_hash: tokenHash, email: email ?? null, plan, created_at: now, expires_at: expiresAt })
    .returning("id")
    .executeTakeFirstOrThrow()
  return { id, token, expiresAt }
}

/** Replaces the link of an open invitation. The former link stops working. @throws {NotFound} */
export async function renewInvitation({ database, clock }: Store, id: string): Promise<InvitationLink> {
  const { token, tokenHash } = newLinkToken()
  const expiresAt = endOf(clock.now())
  const { numUpdatedRows } = await database
    .updateTable("invitation")
    .set({ token_hash: tokenHash, expires_at: expiresAt })
    .where("id", "=", id)
    .executeTakeFirst()
  if (numUpdatedRows === 0n) throw new NotFound(NO_INVITATION)
  return { id, token, expiresAt }
}

/** @throws {NotFound} */
export async function revokeInvitation({ database }: Pick<Context, "database">, id: string): Promise<void> {
  const { numDeletedRows } = await database.deleteFrom("invitation").where("id", "=", id).executeTakeFirst()
  if (numDeletedRows === 0n) throw new NotFound(NO_INVITATION)
}

const NO_INVITATION = "there is no open invitation with this id: it was accepted or revoked"

const endOf = (now: Date): Date => new Date(now.getTime() + INVITATION_DAYS * DAY_MS)
