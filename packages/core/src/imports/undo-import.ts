import { sql, type Transaction } from "kysely"
import { applyEvent } from "../connection/states.ts"
import type { ConnectionId, Context } from "../context/context.ts"
import { NotFound } from "../context/errors.ts"
import type { Database } from "../store/database.ts"
import { deriveOffset } from "../store/derive-dates.ts"
import { growDataVersion } from "../store/grow-data-version.ts"
import { personTransaction } from "../store/person-transaction.ts"
import { ALL_TIME, hasArchives, projectArchives } from "../store/project-archives.ts"
import { providersOf } from "./finish-import.ts"
import { removeRestored } from "./restore-preferences.ts"

/**
 * Removes an import with all that it alone brought. What another import or the vendor also has stays. One that still runs is stopped.
 * @throws {NotFound} when the person has no such import
 */
export async function undoImport(context: Context, userId: string, id: string): Promise<void> {
  await personTransaction(context.database, userId, async (transaction) => {
    // Lock the import before the connections, as its own run does.
    const { rows } = await sql`
      select from restwell.import where user_id = ${userId} and id::text = ${id} and status <> 'receiving' for update
    `.execute(transaction)
    if (rows.length === 0) throw new NotFound("there is no such import")
    const providers = await providersOf(transaction, { userId, id })
    for (const provider of providers) await lockConnection(transaction, { userId, provider })
    await removeRestored(transaction, { userId, id })
    await transaction.deleteFrom("import").where("user_id", "=", userId).where("id", "=", id).execute()
    for (const provider of providers) await removeCopies(transaction, context, { userId, provider })
    await growDataVersion(transaction, userId)
  })
}

async function lockConnection(transaction: Transaction<Database>, { userId, provider }: ConnectionId): Promise<void> {
  await sql`select from restwell.connection where user_id = ${userId} and provider = ${provider} for update`.execute(
    transaction,
  )
}

async function removeCopies(
  transaction: Transaction<Database>,
  context: Context,
  connection: ConnectionId,
): Promise<void> {
  await projectArchives(transaction, connection, ALL_TIME)
  await deriveOffset(transaction, connection)
  if (await hasArchives(transaction, connection)) return
  const status = await applyEvent(transaction, context, connection, { type: "archives_removed" })
  if (status !== "disconnected") return
  // A first import made this connection. Every connect after it grows the generation.
  await transaction
    .deleteFrom("connection")
    .where("user_id", "=", connection.userId)
    .where("provider", "=", connection.provider)
    .where("generation", "=", "0")
    .execute()
}
