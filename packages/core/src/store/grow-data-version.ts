import { sql, type Transaction } from "kysely"
import type { Database } from "./database.ts"

/** Raises a person's data version: their answers may differ from now on. */
export async function growDataVersion(transaction: Transaction<Database>, userId: string): Promise<void> {
  await transaction
    .updateTable("person")
    .set({ data_version: sql`data_version + 1` })
    .where("user_id", "=", userId)
    .execute()
}
