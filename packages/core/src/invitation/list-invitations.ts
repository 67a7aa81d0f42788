import type { Context } from "../context/context.ts"

/** Invitations that nobody has accepted, newest first. Expired ones are listed for as long as they are stored. */
export const listInvitations = ({ database }: Pick<Context, "database">) =>
  database
    .selectFrom("invitation")
    .select(["id", "email", "plan", "created_at as createdAt", "expires_at as expiresAt"])
    .orderBy("created_at", "desc")
    .orderBy("id")
    .execute()

export type Invitation = Awaited<ReturnType<typeof listInvitations>>[number]
