import { recordSecurityEvent } from "../audit/security-events.ts"
import type { Context } from "../context/context.ts"
import { newLinkToken } from "../link/link-token.ts"
import { personTransaction } from "../store/person-transaction.ts"

const HOUR_MS = 3_600_000
/** A link of the operator travels by hand. A link in an e-mail lies in a mailbox. */
export const RESET_HOURS = { operator: 24, email: 1 } as const

export interface PasswordResetOptions {
  /** Who asked for it. */
  readonly by: keyof typeof RESET_HOURS
  /** Using the link also turns sign-in codes off, for a person who has lost the app and the recovery codes. */
  readonly removesTwoFactor?: boolean
}

export interface PasswordResetLink {
  readonly token: string
  readonly expiresAt: Date
}

/** Makes a link that sets a new password once. Undefined if the account was deleted meanwhile. */
export async function createPasswordReset(
  { database, clock }: Pick<Context, "database" | "clock">,
  userId: string,
  { by, removesTwoFactor = false }: PasswordResetOptions,
): Promise<PasswordResetLink | undefined> {
  const { token, tokenHash } = newLinkToken()
  const now = clock.now()
  const expiresAt = new Date(now.getTime() + RESET_HOURS[by] * HOUR_MS)
  return personTransaction(database, userId, async (transaction) => {
    const { numInsertedOrUpdatedRows: created = 0n } = await transaction
      .insertInto("password_reset")
      .columns(["user_id", "token_hash", "removes_two_factor", "created_at", "expires_at"])
      .expression((from) =>
        from
          .selectFrom("user")
          .select((row) => [
            "id",
            row.val(tokenHash).as("token_hash"),
            row.val(removesTwoFactor).as("removes_two_factor"),
            row.val(now).as("created_at"),
            row.val(expiresAt).as("expires_at"),
          ])
          .where("id", "=", userId),
      )
      .executeTakeFirstOrThrow()
    if (created === 0n) return undefined
    await recordSecurityEvent({ database: transaction, clock }, userId, {
      type: "password_reset_requested",
      detail: by,
    })
    return { token, expiresAt }
  })
}
