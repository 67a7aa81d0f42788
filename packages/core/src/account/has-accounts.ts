import type { Context } from "../context/context.ts"

/** True once anyone has signed up here. */
export async function hasAccounts({ database }: Pick<Context, "database">): Promise<boolean> {
  return (await database.selectFrom("user").select("id").limit(1).executeTakeFirst()) !== undefined
}
