import type { Context } from "../context.ts"

const BATCH = 200

/** Asks for a sync of every connection whose time has come. Any number of processes may ask; it is one piece of work. */
export async function requestDueSyncs(context: Context): Promise<void> {
  const due = await context.database
    .selectFrom("connection")
    .select(["user_id", "provider"])
    .where("next_sync_at", "<=", context.clock.now())
    .where("status", "not in", ["disconnected", "reauthorization_required"])
    .orderBy("next_sync_at")
    .limit(BATCH)
    .execute()
  for (const { user_id, provider } of due) await context.jobs.requestSync({ userId: user_id, provider })
}
