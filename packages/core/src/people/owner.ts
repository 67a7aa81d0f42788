import { sql } from "kysely"
import type { Context } from "../context/context.ts"

/**
 * The id of the owner, who made the first account of this installation. After the owner's account is deleted, the person whose account is
 * the oldest is the owner. Undefined before anybody has signed up.
 */
export async function readOwnerId({ database }: Pick<Context, "database">): Promise<string | undefined> {
  const { rows } = await sql<{ id: string | null }>`
    select coalesce(
      (select user_id from restwell.owner),
      (select id from restwell."user" order by "createdAt", id limit 1)) as id`.execute(database)
  return rows[0]?.id ?? undefined
}

/** Removes an account that was created for the owner, if another account was faster. @returns true if it was removed */
export async function removeUnlessOwner(context: Pick<Context, "database">, userId: string): Promise<boolean> {
  if ((await readOwnerId(context)) === userId) return false
  await context.database.deleteFrom("user").where("id", "=", userId).execute()
  return true
}
