import type { Auth } from "./better-auth.ts"

/** Deletes what is left of a person's sessions that ended by themselves: better-auth deletes one only when its cookie comes back. */
export async function deleteExpiredSessions(auth: Auth, userId: string, now: Date): Promise<void> {
  const { adapter } = await auth.$context
  await adapter.deleteMany({
    model: "session",
    where: [
      { field: "userId", value: userId },
      { field: "expiresAt", operator: "lt", value: now },
    ],
  })
}
