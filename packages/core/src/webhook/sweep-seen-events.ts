import type { Context } from "../context/context.ts"

/** Longer than the age of any accepted delivery. */
const REMEMBERED_MS = 3 * 3_600_000

/** Deletes the keys of deliveries that would be refused for their age. */
export async function sweepSeenEvents({ database, clock }: Pick<Context, "database" | "clock">): Promise<void> {
  await database
    .deleteFrom("vendor_event_seen")
    .where("seen_at", "<", new Date(clock.now().getTime() - REMEMBERED_MS))
    .execute()
}
