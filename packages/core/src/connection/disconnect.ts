import type { ConnectionId, Context } from "../context/context.ts"
import { NotFound } from "../context/errors.ts"
import { personTransaction } from "../store/person-transaction.ts"
import { hasArchives } from "../store/project-archives.ts"
import { wipeRecords } from "../store/wipe-records.ts"
import { endGrant } from "./end-grant.ts"
import { applyEvent, isEnded } from "./states.ts"
import { takeGrants } from "./take-grants.ts"

/**
 * Ends a connection with its tokens. Stored records stay for a later connect, or are wiped.
 * What archives brought stays and answers alone.
 * The grant is ended at the vendor too. If the vendor does not answer, the connection ends all the same.
 * @throws {NotFound} when there is no such connection
 */
export async function disconnect(
  context: Context,
  { wipeData, ...connection }: ConnectionId & { readonly wipeData: boolean },
): Promise<void> {
  const taken = await personTransaction(context.database, connection.userId, async (transaction) => {
    // Lock the grant before the connection, as everywhere, so that two transactions cannot deadlock.
    const grants = await takeGrants(transaction, context, connection)
    const stored = await transaction
      .updateTable("connection")
      .set((row) => ({ generation: row("generation", "+", "1") }))
      .where("user_id", "=", connection.userId)
      .where("provider", "=", connection.provider)
      .returning("status")
      .executeTakeFirst()
    // Records kept at an earlier disconnect can still be wiped.
    if (!stored || (isEnded(stored.status) && !wipeData))
      throw new NotFound(`provider ${connection.provider} is not connected`)
    await applyEvent(transaction, context, connection, { type: "disconnected" })
    if (wipeData) await wipeRecords(transaction, connection)
    if (await hasArchives(transaction, connection))
      await applyEvent(transaction, context, connection, { type: "archive_stored" })
    return grants
  })
  for (const grant of taken) await endGrant(context, grant)
}
