// Notifications of a browser end with its session.
import type { Context } from "../context/context.ts"
import { lockData, personTransaction } from "../store/database.ts"

/** Gives a browser's notifications to the session that has taken the place of its own. */
export async function movePushToSession(
  database: Context["database"],
  userId: string,
  { from, to }: { readonly from: string; readonly to: string },
): Promise<void> {
  await database
    .updateTable("receiver")
    .set({ session_id: to })
    .where("user_id", "=", userId)
    .where("kind", "=", "push")
    .where("session_id", "=", from)
    .execute()
}

/**
 * Ends the notifications of a browser that signed out, of all browsers but one that signs the others out, or of all. In the caller's transaction
 * if `database` is one.
 */
export async function endPushOfSessions(
  database: Context["database"],
  userId: string,
  sessions: { readonly only: string } | { readonly allBut: string } | "all",
): Promise<void> {
  const end = async (transaction: Context["database"]) => {
    await lockData(transaction, userId)
    let query = transaction.deleteFrom("receiver").where("user_id", "=", userId).where("kind", "=", "push")
    if (sessions !== "all")
      query =
        "only" in sessions
          ? query.where("session_id", "=", sessions.only)
          : query.where("session_id", "<>", sessions.allBut)
    await query.execute()
  }
  await (database.isTransaction ? end(database) : personTransaction(database, userId, end))
}
