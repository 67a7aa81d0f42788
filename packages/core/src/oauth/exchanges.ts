import { AsyncLocalStorage } from "node:async_hooks"
import type { ControlledTransaction, Kysely } from "kysely"
import type { Context } from "../context/context.ts"
import type { Database } from "../store/database.ts"
import { hashOfOauthId } from "./oauth-id.ts"

/** Another request has used this code or token. */
export class AlreadyUsed extends Error {
  override readonly name = "AlreadyUsed"
}

/** An exchange of a code or refresh token for new tokens. */
interface Exchange {
  /** True once another request turned out to have used the code or token first. */
  isLost: boolean
  transaction?: ControlledTransaction<Database> | undefined
}

/**
 * Runs each exchange in one transaction. The current exchange follows the request (AsyncLocalStorage), because oidc-provider cannot
 * pass it to its adapter.
 */
export function createExchanges({ database, clock }: Pick<Context, "database" | "clock">) {
  const current = new AsyncLocalStorage<Exchange>()
  return {
    /** The transaction of the current exchange, or the database outside of one. */
    database: (): Kysely<Database> => current.getStore()?.transaction ?? database,
    /** Commits what the exchange consumed and issued if `run` returns true, else rolls back. */
    async run(run: (exchange: Pick<Exchange, "isLost">) => Promise<boolean>): Promise<void> {
      const exchange: Exchange = { isLost: false }
      try {
        const isDone = await current.run(exchange, () => run(exchange))
        if (isDone) await exchange.transaction?.commit().execute()
      } finally {
        if (exchange.transaction && !exchange.transaction.isCommitted) await exchange.transaction.rollback().execute()
      }
    },
    /** Marks a code or refresh token as used, in the current exchange. @throws {AlreadyUsed} */
    async consume(kind: string, id: string): Promise<void> {
      const exchange = current.getStore()
      if (!exchange) throw new Error(`${kind} consumed outside an exchange`)
      exchange.transaction ??= await database.startTransaction().execute()
      const hash = hashOfOauthId(kind, id)
      const { numUpdatedRows } = await exchange.transaction
        .updateTable("oauth_record")
        .set({ consumed_at: clock.now() })
        .where("id_hash", "=", hash)
        .where("consumed_at", "is", null)
        .executeTakeFirstOrThrow()
      if (numUpdatedRows === 0n) {
        exchange.isLost = true
        // Roll back now: the next query of this request must not wait for a second connection while this one is open.
        await exchange.transaction.rollback().execute()
        exchange.transaction = undefined
        throw new AlreadyUsed(`${kind} was used before`)
      }
      // A client that uses the successor has received the reply.
      await exchange.transaction.deleteFrom("refresh_reply").where("successor_hash", "=", hash).execute()
    },
  }
}
