import type { Context } from "../context/context.ts"
import { NotFound } from "../context/errors.ts"
import { hashOfToken } from "../link/link-token.ts"

export const INVALID_RESET_LINK = "this link is not valid: it was used, or it has expired. Ask for a new one"

/** Whose password a link sets. The link stays unused. @throws {NotFound} */
export async function findPasswordReset(
  { database, clock }: Pick<Context, "database" | "clock">,
  token: string,
): Promise<{ readonly userId: string; readonly email: string; readonly removesTwoFactor: boolean }> {
  const found = await database
    .selectFrom("password_reset")
    .innerJoin("user", "user.id", "password_reset.user_id")
    .select(["user.id as userId", "user.email", "removes_two_factor as removesTwoFactor"])
    .where("token_hash", "=", hashOfToken(token))
    .where("expires_at", ">", clock.now())
    .executeTakeFirst()
  if (!found) throw new NotFound(INVALID_RESET_LINK)
  return found
}
