import type { TokenSet } from "@restwell/providers"
import type { ConnectionId, Context } from "../context/context.ts"
import { databaseTrouble } from "../store/database-trouble.ts"
import { personTransaction } from "../store/person-transaction.ts"
import { applyEvent } from "./states.ts"
import { openRefreshToken, readGrant, storeGrant } from "./stored-grant.ts"

/** A new pair, and the refresh token that it replaces. */
export interface RefreshedPair {
  readonly tokens: TokenSet
  readonly replaced: string
}

/** Waits before each try, milliseconds. A database that restarts is back within a minute. */
const WAITS_MS = [200, 1_000, 2_000, 5_000, 10_000, 20_000, 30_000]

/**
 * Stores a refreshed pair whose transaction was lost. Without it the person would have to connect again. A pair that replaced it
 * meanwhile stays. A connection that was marked as revoked meanwhile recovers.
 */
export async function persistTokens(context: Context, connection: ConnectionId, pair: RefreshedPair): Promise<void> {
  for (const waitMs of WAITS_MS) {
    await context.wait(waitMs)
    try {
      return await storePair(context, connection, pair)
    } catch (error) {
      if (databaseTrouble(error) === undefined) throw error
    }
  }
  context.logger.error(connection, "could not store the vendor's new tokens, the person has to connect again")
}

async function storePair(context: Context, connection: ConnectionId, { tokens, replaced }: RefreshedPair) {
  await personTransaction(context.database, connection.userId, async (transaction) => {
    const grant = await readGrant(transaction, connection, "lock")
    if (!grant || openRefreshToken(context, connection, grant) !== replaced) return
    await storeGrant(transaction, context, connection, tokens)
    await applyEvent(transaction, context, connection, { type: "authorization_recovered" })
  })
}
