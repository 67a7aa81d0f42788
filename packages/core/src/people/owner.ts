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
