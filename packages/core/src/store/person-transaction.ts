import type { Kysely, Transaction } from "kysely"
import type { Database } from "./database.ts"

/**
 * Runs a transaction that changes rows of one person. It locks the account before any other row, as the deletion of an account does, so
 * that the two cannot deadlock. A deletion waits for it, and the transaction finds nothing after a deletion.
 */
export const personTransaction = <Result>(
  database: Kysely<Database>,
  userId: string,
  work: (transaction: Transaction<Database>) => Promise<Result>,
): Promise<Result> =>
  database.transaction().execute(async (transaction) => {
    await lockPerson(transaction, userId)
    return work(transaction)
  })

/** Lets others read and change rows of the person, but not delete the account. */
export async function lockPerson(transaction: Transaction<Database>, userId: string): Promise<void> {
  await transaction.selectFrom("user").select("id").where("id", "=", userId).forKeyShare().execute()
}
