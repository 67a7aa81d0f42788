import { endGrant } from "../connection/end-grant.ts"
import { type GrantContext, takeGrants } from "../connection/take-grants.ts"

/**
 * Deletes a person and all their data in one transaction, then revokes access at the vendors. A running sync finds no connection
 * and writes nothing.
 */
export async function deleteAccount(context: GrantContext, userId: string): Promise<void> {
  const taken = await context.database.transaction().execute(async (transaction) => {
    // Lock the account first, as `personTransaction` does, so that the two cannot deadlock.
    await transaction.selectFrom("user").select("id").where("id", "=", userId).forUpdate().execute()
    const grants = await takeGrants(transaction, context, { userId })
    await transaction.deleteFrom("user").where("id", "=", userId).execute()
    return grants
  })
  await Promise.all(taken.map((grant) => endGrant(context, grant)))
}
