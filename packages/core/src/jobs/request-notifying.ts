// Asks for the job that tells a person what there is to tell.
import { type Kysely, sql } from "kysely"
import { type Database, lockData } from "../store/database.ts"
import { addJob } from "./job-queue.ts"

/** The person's data changed in a way of which they may want to be told. In the transaction of the change, after its connections. */
export async function requestNotifying(database: Kysely<Database>, userId: string): Promise<void> {
  // Most people of a large installation have no settings, and then there is nothing to look for.
  const settings = await database
    .selectFrom("notification_settings")
    .select("user_id")
    .where("user_id", "=", userId)
    .executeTakeFirst()
  if (!settings) return
  await lockData(database, userId)
  await addJob({ database }, { kind: "notify", key: userId, userId, priority: 0, due: "at_once" })
}

interface Arrived {
  readonly userId: string
  readonly provider: string
  readonly at: Date
}

/** A history has arrived, by a first sync or an import: the person gets one message about all of it. In the transaction of the change, after its connections. */
export async function noteArrivedHistory(database: Kysely<Database>, { userId, provider, at }: Arrived): Promise<void> {
  await lockData(database, userId)
  await sql`
    insert into restwell.arrived_history (user_id, provider, arrived_at)
    select user_id, ${provider}, ${at} from restwell.notification_settings where user_id = ${userId}
    on conflict (user_id, provider) do update set arrived_at = excluded.arrived_at
  `.execute(database)
  await requestNotifying(database, userId)
}
