import type { Context } from "../context/context.ts"

/** Returns the id of the account with this address, or undefined. Addresses are stored in lower case. */
export async function findUserByEmail(
  { database }: Pick<Context, "database">,
  email: string,
): Promise<string | undefined> {
  const found = await database
    .selectFrom("user")
    .select("id")
    .where("email", "=", email.trim().toLowerCase())
    .executeTakeFirst()
  return found?.id
}
