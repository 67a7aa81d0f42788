import type { Context } from "../context/context.ts"

/** The owner sees unsent e-mails and open invitations for this long. */
const KEPT_MS = 7 * 86_400_000

/** Deletes expired links, and e-mails of the week before. */
export async function sweepLinksAndMail({ database, clock }: Pick<Context, "database" | "clock">): Promise<void> {
  const now = clock.now()
  const before = new Date(now.getTime() - KEPT_MS)
  await database.deleteFrom("password_reset").where("expires_at", "<", now).execute()
  await database.deleteFrom("invitation").where("expires_at", "<", before).execute()
  await database.deleteFrom("mail").where("expires_at", "<", before).execute()
}
