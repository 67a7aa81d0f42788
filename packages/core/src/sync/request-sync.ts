import { isEnded } from "../connection/states.ts"
import type { ConnectionId, Context } from "../context/context.ts"
import { InvalidRequest, NotFound } from "../context/errors.ts"

/**
 * Requests a sync for a person. It also looks for late changes.
 * @throws {NotFound} when the provider is not connected
 * @throws {InvalidRequest} when it has to be connected again first
 */
export async function requestSync(context: Context, connection: ConnectionId): Promise<void> {
  const stored = await context.database
    .selectFrom("connection")
    .select("status")
    .where("user_id", "=", connection.userId)
    .where("provider", "=", connection.provider)
    .executeTakeFirst()
  if (!stored || isEnded(stored.status)) throw new NotFound(`provider ${connection.provider} is not connected`)
  if (stored.status === "reauthorization_required")
    throw new InvalidRequest(`${connection.provider} no longer accepts the authorization, connect it again`, "provider")
  await context.database
    .updateTable("connection")
    .set({ reconciled_at: null, refresh_at: null, retry_after: null, next_sync_at: context.clock.now() })
    .where("user_id", "=", connection.userId)
    .where("provider", "=", connection.provider)
    .execute()
  await context.jobs.requestSync(connection)
}
