import { randomUUID } from "node:crypto"
import { sql, type Transaction } from "kysely"
import { recordSecurityEvent } from "../audit/security-events.ts"
import type { Context } from "../context/context.ts"
import { NotFound } from "../context/errors.ts"
import { hashOfToken } from "../link/link-token.ts"
import type { Database } from "../store/database.ts"
import { lockPerson } from "../store/person-transaction.ts"
import { findPasswordReset, INVALID_RESET_LINK } from "./find-password-reset.ts"

export interface NewPassword {
  readonly token: string
  /** As better-auth stores it. */
  readonly passwordHash: string
  /** The visitor's network, for the security log. */
  readonly network: string
}

/**
 * Sets the password with a link, ends all sessions, and deletes the person's links. Of simultaneous uses of one link, one succeeds.
 * @throws {NotFound} when the link was used or has expired
 */
export async function resetPassword(
  context: Pick<Context, "database" | "clock">,
  { token, passwordHash, network }: NewPassword,
): Promise<void> {
  const { userId } = await findPasswordReset(context, token)
  await context.database.transaction().execute(async (transaction) => {
    await lockPerson(transaction, userId)
    const link = await transaction
      .deleteFrom("password_reset")
      .where("user_id", "=", userId)
      .where("token_hash", "=", hashOfToken(token))
      .returning("removes_two_factor")
      .executeTakeFirst()
    if (!link) throw new NotFound(INVALID_RESET_LINK)
    await transaction.deleteFrom("password_reset").where("user_id", "=", userId).execute()
    await storePassword(transaction, userId, passwordHash, context.clock.now())
    await sql`delete from restwell.session where "userId" = ${userId}`.execute(transaction)
    const log = { database: transaction, clock: context.clock }
    await recordSecurityEvent(log, userId, { type: "password_reset", network })
    if (link.removes_two_factor && (await removeTwoFactor(transaction, userId)))
      await recordSecurityEvent(log, userId, { type: "two_factor_off", detail: "password reset", network })
  })
}

/** Sets the first password of an account that had none, such as one of Google. */
async function storePassword(
  transaction: Transaction<Database>,
  userId: string,
  passwordHash: string,
  now: Date,
): Promise<void> {
  const { numAffectedRows: changed = 0n } = await sql`
    update restwell.account set password = ${passwordHash}, "updatedAt" = ${now}
    where "userId" = ${userId} and "providerId" = 'credential'`.execute(transaction)
  if (changed > 0n) return
  await sql`
    insert into restwell.account (id, "accountId", "providerId", "userId", password, "createdAt", "updatedAt")
    values (${randomUUID()}, ${userId}, 'credential', ${userId}, ${passwordHash}, ${now}, ${now})`.execute(transaction)
}

/** True if codes were on. */
async function removeTwoFactor(transaction: Transaction<Database>, userId: string): Promise<boolean> {
  const { numAffectedRows: removed = 0n } = await sql`
    delete from restwell."twoFactor" where "userId" = ${userId}`.execute(transaction)
  await sql`update restwell."user" set "twoFactorEnabled" = false where id = ${userId}`.execute(transaction)
  return removed > 0n
}
