import type { Context } from "../context/context.ts"

const MOST_FAILURES = 20

/** What the owner has to know about e-mails: how many wait, which could not be sent, and when the last one was. */
export async function readMailStatus({ database, clock }: Pick<Context, "database" | "clock">) {
  const now = clock.now()
  const [counts, failures] = await Promise.all([
    database
      .selectFrom("mail")
      .select((row) => [
        row.fn.countAll<string>().filterWhere("sent_at", "is", null).filterWhere("expires_at", ">", now).as("waiting"),
        row.fn.max("sent_at").as("lastSentAt"),
      ])
      .executeTakeFirstOrThrow(),
    database
      .selectFrom("mail")
      .leftJoin("user", "user.id", "mail.user_id")
      .leftJoin("invitation", "invitation.id", "mail.invitation_id")
      .select((row) => [
        "mail.id",
        "kind",
        "error",
        "attempts",
        "mail.created_at as createdAt",
        "mail.expires_at as expiresAt",
        "due_at as dueAt",
        row.fn.coalesce("mail.address", "user.email", "invitation.email").as("address"),
      ])
      .where("sent_at", "is", null)
      .where("error", "is not", null)
      .orderBy("mail.created_at", "desc")
      .limit(MOST_FAILURES)
      .execute(),
  ])
  return {
    waiting: Number(counts.waiting),
    lastSentAt: counts.lastSentAt,
    failures: failures.map(({ error, dueAt, expiresAt, ...mail }) => ({
      ...mail,
      error: error ?? "",
      // Null once it is given up.
      nextTryAt: dueAt < expiresAt && expiresAt > now ? dueAt : null,
    })),
  }
}
