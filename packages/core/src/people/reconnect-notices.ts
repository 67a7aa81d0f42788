import type { Context } from "../context/context.ts"

type Store = Pick<Context, "database">

/** Whether an e-mail tells the person when a connection has to be renewed. */
export async function readReconnectMail({ database }: Store, userId: string): Promise<boolean> {
  const { reconnect_mail } = await database
    .selectFrom("person")
    .select("reconnect_mail")
    .where("user_id", "=", userId)
    .executeTakeFirstOrThrow()
  return reconnect_mail
}

export async function setReconnectMail({ database }: Store, userId: string, isOn: boolean): Promise<void> {
  await database.updateTable("person").set({ reconnect_mail: isOn }).where("user_id", "=", userId).execute()
}
