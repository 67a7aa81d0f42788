import type { Context } from "../context/context.ts"

/** The id of the owner, who is the first person of this installation. Undefined before anybody has signed up. */
export async function readOwnerId({ database }: Pick<Context, "database">): Promise<string | undefined> {
  const first = await database
    .selectFrom("user")
    .select("id")
    .orderBy("createdAt")
    .orderBy("id")
    .limit(1)
    .executeTakeFirst()
  return first?.id
}
