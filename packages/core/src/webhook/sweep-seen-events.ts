import type { Context } from "../context/context.ts"

/** Longer than any delivery is taken. */
const REMEMBERED_MS = 3 * 3_600_000

/** Forgets what was seen so long ago that its delivery would be refused anyway. */
export async function sweepSeenEvents({ database, clock }: Pick<Context, "database" | "clock">): Promise<void> {
  await database
    .deleteFrom("vendor_event_seen")
    .where("seen_at", "<", new Date(clock.now().getTime() - REMEMBERED_MS))
    .execute()
}
