// The devices and apps whose samples phones pushed, by type and UTC day.
import type { SeriesType } from "@restwell/client"
import { sql, type Transaction } from "kysely"
import type { Database } from "../database.ts"
import type { PushesKey } from "./pushed-days.ts"

export interface DevicesOfDay {
  readonly type: SeriesType
  /** UTC, YYYY-MM-DD. */
  readonly day: string
  /** Empty where a row names none. */
  readonly devices: ReadonlySet<string>
}

/** The stored devices of some types and days. */
export async function readDevices(
  transaction: Transaction<Database>,
  { userId, id }: PushesKey,
  days: readonly DevicesOfDay[],
): Promise<readonly { readonly type: SeriesType; readonly day: string; readonly devices: readonly string[] }[]> {
  if (days.length === 0) return []
  const { rows } = await sql<{ type: SeriesType; day: string; devices: string[] }>`
    select type, day::text as day, array_agg(device) as devices from restwell.import_series_day
    where user_id = ${userId} and import_id = ${id} and record_id = ''
      and type = any(${[...new Set(days.map(({ type }) => type))]}) and day = any(${[...new Set(days.map(({ day }) => day))]}::date[])
    group by type, day
  `.execute(transaction)
  return rows
}

/** Deletes the samples of all other devices of some types and days. */
export async function deleteOtherDevices(
  transaction: Transaction<Database>,
  { userId, id }: PushesKey,
  kept: readonly DevicesOfDay[],
): Promise<void> {
  const days = kept.map(({ type, day, devices }) => ({ type, day, devices: [...devices] }))
  await sql`
    delete from restwell.import_series_day s
    using jsonb_to_recordset(${JSON.stringify(days)}::jsonb) as k (type text, day date, devices jsonb)
    where s.user_id = ${userId} and s.import_id = ${id} and s.record_id = '' and s.type = k.type and s.day = k.day
      and not k.devices ? s.device
  `.execute(transaction)
}
