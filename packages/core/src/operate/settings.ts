import { sql } from "kysely"
import { UnreadableSecret } from "../base/encryption.ts"
import type { Context } from "../context/context.ts"

type Store = Pick<Context, "database" | "cipher" | "clock">

/** What the owner has set on the page Service. */
export interface ServiceSettings {
  /** Values by the names of environment variables. */
  readonly values: ReadonlyMap<string, string>
  /** Names of values that this secret does not open. */
  readonly unreadable: readonly string[]
}

export const settingBelongsTo = (name: string): string => `service_setting/${name}`

/** Returns all settings of the database. */
export async function readServiceSettings({ database, cipher }: Omit<Store, "clock">): Promise<ServiceSettings> {
  const rows = await database.selectFrom("service_setting").select(["name", "key_id", "sealed"]).execute()
  const values = new Map<string, string>()
  const unreadable: string[] = []
  for (const { name, key_id: keyId, sealed: bytes } of rows)
    try {
      values.set(name, cipher.open({ keyId, bytes }, settingBelongsTo(name)))
    } catch (error) {
      if (!(error instanceof UnreadableSecret)) throw error
      unreadable.push(name)
    }
  return { values, unreadable: unreadable.toSorted() }
}

/** Returns a text that changes with every change of the settings. */
export async function readSettingsVersion({ database }: Pick<Store, "database">): Promise<string> {
  // xmin is the transaction that wrote the row.
  const { rows } = await sql<{ version: string | null }>`
    select string_agg(name || ' ' || xmin::text, ',' order by name) as version from restwell.service_setting`.execute(
    database,
  )
  return rows[0]?.version ?? ""
}

/** Stores settings in one transaction, which may be the caller's. Null removes one. */
export async function writeServiceSettings(
  { database, cipher, clock }: Store,
  settings: Readonly<Record<string, string | null>>,
): Promise<void> {
  const write = async (transaction: Context["database"]) => {
    for (const [name, value] of Object.entries(settings).toSorted()) {
      if (value === null) {
        await transaction.deleteFrom("service_setting").where("name", "=", name).execute()
        continue
      }
      const { keyId: key_id, bytes: sealed } = cipher.seal(value, settingBelongsTo(name))
      const row = { key_id, sealed, updated_at: clock.now() }
      await transaction
        .insertInto("service_setting")
        .values({ name, ...row })
        .onConflict((conflict) => conflict.column("name").doUpdateSet(row))
        .execute()
    }
  }
  await (database.isTransaction ? write(database) : database.transaction().execute(write))
}
