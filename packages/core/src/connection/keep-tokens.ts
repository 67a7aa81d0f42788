import { setTimeout as pause } from "node:timers/promises"
import type { TokenSet } from "@restwell/providers"
import type { ConnectionId, Context } from "../context/context.ts"
import { databaseTrouble } from "../store/database-trouble.ts"
import { applyEvent } from "./states.ts"
import { openToken, readGrant, storeGrant } from "./stored-grant.ts"

/** A pair that the vendor has given out, and the refresh token that died for it. */
export interface RefreshedPair {
  readonly tokens: TokenSet
  readonly replaced: string
}

/** Before each try, milliseconds: a database that restarts is back within a minute. */
const PAUSES_MS = [200, 1_000, 2_000, 5_000, 10_000, 20_000, 30_000]

/**
 * Keeps a pair whose transaction was lost with the database: without it the person would have to connect again. Where another has taken its
 * place meanwhile, that one stands; where the old one was already found dead, the connection is well again.
 */
export async function keepTokens(context: Context, connection: ConnectionId, pair: RefreshedPair): Promise<void> {
  for (const pauseMs of PAUSES_MS) {
    await pause(pauseMs, undefined, { ref: false })
    try {
      return await storeInPlace(context, connection, pair)
    } catch (error) {
      if (databaseTrouble(error) === undefined) throw error
    }
  }
  context.logger.error(connection, "the vendor's new tokens could not be kept, the person has to connect again")
}

async function storeInPlace(context: Context, connection: ConnectionId, { tokens, replaced }: RefreshedPair) {
  await context.database.transaction().execute(async (transaction) => {
    const grant = await readGrant(transaction, connection, "lock")
    if (!grant || openToken(context, connection, grant, "refresh_token") !== replaced) return
    await storeGrant(transaction, context, connection, tokens)
    await applyEvent(transaction, context, connection, { type: "authorization_recovered" })
  })
}
