// Connections to vendors whose people make a key of their own there.
import { sourceName } from "@restwell/client/figures"
import {
  AccessTokenRejected,
  type NormalizedProfile,
  ProviderError,
  RateLimited,
  RequestRefused,
} from "@restwell/providers"
import type { ConnectionId, Context } from "../context/context.ts"
import { InvalidRequest, Unavailable } from "../context/errors.ts"
import type { ConnectionStatus } from "../store/connection-tables.ts"
import { personTransaction } from "../store/database.ts"
import { startDeadline } from "./end-grant.ts"
import { KEY_LIFETIME_SECONDS } from "./grants.ts"
import { refuseOtherMember } from "./shared-member.ts"
import { storeConnection } from "./store-connection.ts"
import { keyAdapterOf } from "./vendor-app.ts"

/**
 * Asks the vendor once with the key, stores it sealed, and requests the first sync. A second key replaces the first and keeps the data.
 * @throws {NotFound} for a vendor without keys
 * @throws {InvalidRequest} with the field `key` when the vendor does not accept it
 * @throws {Conflict} when the key is another person's: of another account here, or not of the stored data. A key that names nobody replaces any
 * @throws {Unavailable} when the vendor does not answer
 */
export async function connectWithKey(
  context: Context,
  connection: ConnectionId,
  key: string,
): Promise<{ readonly status: ConnectionStatus }> {
  keyAdapterOf(context, connection.provider)
  const profile = await readOwner(context, connection, key)
  const tokens = { accessToken: key, expiresInSeconds: KEY_LIFETIME_SECONDS, scopes: [] }
  const { status } = await personTransaction(context.database, connection.userId, async (transaction) => {
    await refuseOtherMember(transaction, context, connection, profile)
    return storeConnection(transaction, context, { connection, tokens, read: profile })
  })
  await context.jobs.requestSync(connection)
  return { status }
}

const RETRY_AFTER_SECONDS = 30

/** The person whose key it is. Events, copies and the next key are compared with them. */
async function readOwner(context: Context, connection: ConnectionId, key: string): Promise<NormalizedProfile> {
  const adapter = keyAdapterOf({ adapters: context.adaptersFor("person", connection.userId) }, connection.provider)
  const name = sourceName(connection.provider)
  try {
    return await startDeadline(context, connection)(adapter.fetchProfile(key))
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error
    const fields = { ...connection, error: error.name, reason: error.message }
    context.logger.warn(fields, "could not read whose key it is")
    // Vendors refuse a key with 400, 404 and 422 too, and a key is all that the call asks with.
    if (error instanceof AccessTokenRejected || error instanceof RequestRefused)
      throw new InvalidRequest(`${name} does not accept this key, copy it again from there`, "key", { cause: error })
    const retryAfter = error instanceof RateLimited ? error.retryAfterSeconds : RETRY_AFTER_SECONDS
    throw new Unavailable(`${name} does not answer, so the key was not stored: try again in a moment`, retryAfter, {
      cause: error,
    })
  }
}
