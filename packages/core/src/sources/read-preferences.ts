import { sql } from "kysely"
import type { Context } from "../context/context.ts"
import type { SourcePreferences } from "../store/source-preferences.ts"

/** What the person set: the order by type, and the sources of single dates, newest first. */
export async function readPreferences(
  { database }: Pick<Context, "database">,
  userId: string,
): Promise<SourcePreferences> {
  const [orders, choices] = await Promise.all([
    database.selectFrom("source_order").select(["type", "providers"]).where("user_id", "=", userId).execute(),
    database
      .selectFrom("source_choice")
      .select((row) => ["type", sql<string>`${row.ref("date")}::text`.as("date"), "provider"])
      .where("user_id", "=", userId)
      .orderBy("source_choice.date", "desc")
      .orderBy("type")
      .execute(),
  ])
  return { order: Object.fromEntries(orders.map(({ type, providers }) => [type, providers])), choices }
}
