import type { Context } from "../context/context.ts"

type Store = Pick<Context, "database" | "clock">

const FIRST_PAUSE_MS = 30_000
const LONGEST_PAUSE_MS = 60 * 60_000
const LONGEST_ERROR = 500

/** The mail server has taken the e-mail. */
export async function markMailSent({ database, clock }: Store, id: string): Promise<void> {
  await database.updateTable("mail").set({ sent_at: clock.now(), error: null }).where("id", "=", id).execute()
}

/** The mail server has not taken the e-mail. It is tried again later, each time after twice as long. @returns the next try */
export async function markMailFailed(
  { database, clock }: Store,
  { id, attempt }: { readonly id: string; readonly attempt: number },
  error: string,
): Promise<Date> {
  const pauseMs = Math.min(FIRST_PAUSE_MS * 2 ** (attempt - 1), LONGEST_PAUSE_MS)
  const dueAt = new Date(clock.now().getTime() + pauseMs)
  await database
    .updateTable("mail")
    .set({ due_at: dueAt, error: error.slice(0, LONGEST_ERROR) })
    .where("id", "=", id)
    .execute()
  return dueAt
}
