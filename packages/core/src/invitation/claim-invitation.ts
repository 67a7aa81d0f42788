import { findUserByEmail } from "../account/find-user.ts"
import type { Context } from "../context/context.ts"
import { Conflict, InvalidRequest, NotFound } from "../context/errors.ts"
import { hashOfToken } from "../link/link-token.ts"
import type { Plan } from "../quota/plans.ts"

type Store = Pick<Context, "database" | "clock">

/** Longer than any request that creates an account. A claim whose process was killed ends after it. */
const CLAIM_MS = 10 * 60_000

const INVALID =
  "this invitation is not valid: it was accepted, replaced or revoked, or it has expired. Ask for a new one"

/** An open invitation by its link. It stays open. @throws {NotFound} */
export async function findInvitation(
  { database, clock }: Store,
  token: string,
): Promise<{ readonly email: string | null; readonly plan: Plan }> {
  const found = await database
    .selectFrom("invitation")
    .select(["email", "plan"])
    .where("token_hash", "=", hashOfToken(token))
    .where("expires_at", ">", clock.now())
    .executeTakeFirst()
  if (!found) throw new NotFound(INVALID)
  return found
}

/**
 * Reserves an invitation for an account that is about to be created. The database ends it with that account. Of two people with one link,
 * one gets the account. A claim that came to nothing can be repeated with the same address.
 * @throws {NotFound} @throws {InvalidRequest} for another address than the invited one
 * @throws {Conflict} for an address that has an account, and while somebody else accepts it
 */
export async function claimInvitation(
  { database, clock }: Store,
  { token, email }: { readonly token: string; readonly email: string },
): Promise<void> {
  const invitation = await findInvitation({ database, clock }, token)
  if (invitation.email !== null && invitation.email !== email)
    throw new InvalidRequest(`email must be the address that was invited, ${invitation.email}`, "email")
  // Claimed for nothing, it would be closed to the right address for a while.
  if ((await findUserByEmail({ database }, email)) !== undefined)
    throw new Conflict("this email address has an account, sign in instead")
  const now = clock.now()
  const { numUpdatedRows } = await database
    .updateTable("invitation")
    .set({ claimed_for: email, claimed_at: now })
    .where("token_hash", "=", hashOfToken(token))
    .where("expires_at", ">", now)
    .where((row) =>
      row.or([
        row("claimed_for", "is", null),
        row("claimed_for", "=", email),
        row("claimed_at", "<", new Date(now.getTime() - CLAIM_MS)),
      ]),
    )
    .executeTakeFirst()
  if (numUpdatedRows === 0n)
    throw new Conflict("somebody else is accepting this invitation right now, ask for one of your own")
}
