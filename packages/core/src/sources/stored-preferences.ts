import { SOURCE_TYPES, type SourceSettings } from "@restwell/client"
import { sql, type Transaction } from "kysely"
import type { Context } from "../context/context.ts"
import { type Database, growDataVersion, personTransaction } from "../store/database.ts"
import type { SourcePreferences } from "../store/record-tables.ts"

/** What the person set: the order by type, and the sources of single dates, newest first. */
export async function readSourcePreferences(
  { database }: Pick<Context, "database">,
  userId: string,
): Promise<SourcePreferences> {
  const [orders, choices, connected] = await Promise.all([
    database.selectFrom("source_order").select(["type", "providers"]).where("user_id", "=", userId).execute(),
    database
      .selectFrom("source_choice")
      .select((row) => ["type", sql<string>`${row.ref("date")}::text`.as("date"), "provider"])
      .where("user_id", "=", userId)
      .orderBy("source_choice.date", "desc")
      .orderBy("type")
      .execute(),
    database
      .selectFrom("connection")
      .select("provider")
      .where("user_id", "=", userId)
      .where("status", "<>", "disconnected")
      .execute(),
  ])
  return {
    order: Object.fromEntries(orders.map(({ type, providers }) => [type, providers])),
    choices,
    connected: connected.map(({ provider }) => provider),
  }
}

/** Stores the keys that are given: the order of each type, and all choices. Every answer that is read afterwards follows them. */
export async function writeSourcePreferences(
  { database }: Pick<Context, "database">,
  userId: string,
  settings: SourceSettings,
): Promise<void> {
  await personTransaction(database, userId, async (transaction) => {
    // First, so that two such changes wait for each other.
    await growDataVersion(transaction, userId)
    await writeOrder(transaction, userId, settings.order ?? {})
    if (settings.choices) await writeChoices(transaction, userId, settings.choices)
  })
}

async function writeOrder(
  transaction: Transaction<Database>,
  userId: string,
  order: NonNullable<SourceSettings["order"]>,
): Promise<void> {
  const types = SOURCE_TYPES.filter((type) => order[type] !== undefined)
  if (types.length === 0) return
  await transaction.deleteFrom("source_order").where("user_id", "=", userId).where("type", "in", types).execute()
  const rows = SOURCE_TYPES.flatMap((type) => {
    const providers = order[type] ?? []
    return providers.length === 0 ? [] : [{ user_id: userId, type, providers }]
  })
  if (rows.length > 0) await transaction.insertInto("source_order").values(rows).execute()
}

async function writeChoices(
  transaction: Transaction<Database>,
  userId: string,
  choices: NonNullable<SourceSettings["choices"]>,
): Promise<void> {
  await transaction.deleteFrom("source_choice").where("user_id", "=", userId).execute()
  if (choices.length === 0) return
  const rows = choices.map(({ type, date, source }) => ({ user_id: userId, type, date, provider: source }))
  await transaction.insertInto("source_choice").values(rows).execute()
}
