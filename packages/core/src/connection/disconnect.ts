import { ProviderError } from "@restwell/providers"
import type { ConnectionId, Context } from "../context.ts"
import { NotFound } from "../errors.ts"
import { wipeRecords } from "../store/wipe-records.ts"
import { applyEvent } from "./states.ts"
import { lastAccessToken } from "./vendor-grant.ts"

/**
 * Ends a connection: no answer, no sync and no token from here on. What was stored stays for a later connect, or goes.
 * The vendor is told as well; when it does not answer, the connection ends here all the same.
 * @throws {NotFound} when there is no such connection
 */
export async function disconnect(
  context: Context,
  { wipeData, ...connection }: ConnectionId & { readonly wipeData: boolean },
): Promise<void> {
  const accessToken = await lastAccessToken(context, connection)
  await context.database.transaction().execute(async (transaction) => {
    const stored = await transaction
      .updateTable("connection")
      .set((row) => ({ generation: row("generation", "+", "1") }))
      .where("user_id", "=", connection.userId)
      .where("provider", "=", connection.provider)
      .returning("status")
      .executeTakeFirst()
    // Data kept at an earlier disconnect can still be wiped.
    if (!stored || (stored.status === "disconnected" && !wipeData))
      throw new NotFound(`provider ${connection.provider} is not connected`)
    await applyEvent(transaction, context, connection, { type: "disconnected" })
    await transaction
      .deleteFrom("vendor_grant")
      .where("user_id", "=", connection.userId)
      .where("provider", "=", connection.provider)
      .execute()
    if (wipeData) await wipeRecords(transaction, connection)
  })
  if (accessToken !== undefined) await revokeAtVendor(context, connection, accessToken)
}

/** Best effort: a vendor that does not answer cannot keep a person connected here. */
export async function revokeAtVendor(context: Context, connection: ConnectionId, accessToken: string): Promise<void> {
  const adapter = context.adapters.get(connection.provider)
  try {
    await adapter?.revokeAccess(accessToken)
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error
    context.logger.warn({ ...connection, error: error.name }, "the vendor was not told that access ended")
  }
}
