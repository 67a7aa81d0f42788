import { PREFERENCE_KEYS, type PreferencesChange, type PreferencesResponse } from "@restwell/client"
import type { Context } from "../context/context.ts"
import { growDataVersion, personTransaction } from "../store/database.ts"

/** How figures and clock times are written where nothing is stored. */
const DEFAULTS = { units: "metric", clock: "24h", first_weekday: "monday" } as const

type Store = Pick<Context, "database">

/** How the person wants figures and clock times to be written, and which of it is stored. */
export async function readPreferences({ database }: Store, userId: string): Promise<PreferencesResponse> {
  const row = await database
    .selectFrom("person")
    .select(PREFERENCE_KEYS)
    .where("user_id", "=", userId)
    .executeTakeFirstOrThrow()
  return {
    units: row.units ?? DEFAULTS.units,
    clock: row.clock ?? DEFAULTS.clock,
    first_weekday: row.first_weekday ?? DEFAULTS.first_weekday,
    time_zone: row.time_zone,
    trend_cards: row.trend_cards,
    stored: PREFERENCE_KEYS.filter((key) => row[key] !== null),
  }
}

/** Stores the keys that are given. */
export async function savePreferences({ database }: Store, userId: string, change: PreferencesChange): Promise<void> {
  const { time_zone } = change
  const given = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined))
  if (Object.keys(given).length === 0) return
  await personTransaction(database, userId, async (transaction) => {
    await transaction.updateTable("person").set(given).where("user_id", "=", userId).execute()
    // Which date is today may be another one now.
    if (time_zone !== undefined) await growDataVersion(transaction, userId)
  })
}
