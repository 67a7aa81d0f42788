import type { Context } from "../context/context.ts"

/** Sets whether an e-mail tells the person when a connection has to be renewed. */
export async function setReconnectMail(
  { database }: Pick<Context, "database">,
  userId: string,
  isOn: boolean,
): Promise<void> {
  await database.updateTable("person").set({ reconnect_mail: isOn }).where("user_id", "=", userId).execute()
}
