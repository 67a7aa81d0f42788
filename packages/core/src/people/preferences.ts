import {
  DEFAULT_PREFERENCES,
  type DisplayPreferences,
  PREFERENCE_KEYS,
  type PreferencesChange,
  type PreferencesResponse,
} from "@restwell/client"
import type { Context } from "../context/context.ts"
import { growDataVersion, personTransaction } from "../store/database.ts"

/** What is stored, null where nothing is. */
export type StoredPreferences = { readonly [Key in keyof DisplayPreferences]: DisplayPreferences[Key] | null }

/** How figures and clock times are written. */
export const displayPreferences = ({ units, clock, first_weekday }: StoredPreferences): DisplayPreferences => ({
  units: units ?? DEFAULT_PREFERENCES.units,
  clock: clock ?? DEFAULT_PREFERENCES.clock,
  first_weekday: first_weekday ?? DEFAULT_PREFERENCES.first_weekday,
})

type Store = Pick<Context, "database">

/** How the person wants figures and clock times to be written, and which of it is stored. */
export async function readPreferences({ database }: Store, userId: string): Promise<PreferencesResponse> {
  const row = await database
    .selectFrom("person")
    .select(PREFERENCE_KEYS)
    .where("user_id", "=", userId)
    .executeTakeFirstOrThrow()
  return {
    ...displayPreferences(row),
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
