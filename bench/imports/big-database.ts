// Health Connect's export as large as that of a phone that several apps wrote to for ten years.
import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { DAY_MS, HOUR_MS } from "@restwell/client/time-units"
import type { BigArchive } from "./big-archives.ts"

/** Columns of every record, as Android has them. */
const COMMON = `row_id integer primary key autoincrement, uuid blob, last_modified_time integer, client_record_id text,
  client_record_version text, device_info_id integer, app_info_id integer, recording_method integer, dedupe_hash blob`
const BETWEEN =
  "start_time integer, start_zone_offset integer, end_time integer, end_zone_offset integer, local_date integer"
const AT = "time integer, zone_offset integer, local_date integer"
/** Parts of all rows. */
const SHARES = { heart: 0.42, steps: 0.06, energy: 0.05, spo2: 0.03 } as const

/** @param count of the rows of all tables @param folder for the database */
export async function healthConnectOf({
  count,
  days,
  folder,
}: {
  count: number
  days: number
  folder: string
}): Promise<BigArchive> {
  const path = join(folder, "health_connect_export.db")
  const firstMs = Math.floor(Date.now() / DAY_MS) * DAY_MS - (days + 1) * DAY_MS
  const spanMs = days * DAY_MS
  {
    using database = new DatabaseSync(path)
    database.exec(`pragma journal_mode = off; pragma synchronous = off;
      create table application_info_table (row_id integer primary key, package_name text, app_name text, app_icon blob);
      insert into application_info_table values (1, 'com.sec.android.app.shealth', 'Samsung Health', zeroblob(20000)),
        (2, 'com.google.android.gms', 'Google Play services', null)`)
    const fill = (table: string, columns: string, rows: number, more: (each: number) => string) => {
      const each = Math.max(1, Math.floor(spanMs / rows))
      database.exec(`create table ${table} (${COMMON}, ${columns});
        with recursive n (i) as (select 0 union all select i + 1 from n where i + 1 < ${Math.floor(rows)})
        insert into ${table} select i + 1, randomblob(16), ${firstMs} + i * ${each}, hex(randomblob(12)), '0', 1, 1 + i % 2, 2,
          randomblob(20), ${more(each)} from n`)
    }
    const span = (each: number) =>
      `${firstMs} + i * ${each}, 3600, ${firstMs} + (i + 1) * ${each}, 3600, (${firstMs} + i * ${each}) / ${DAY_MS}`
    const moment = (each: number) => `${firstMs} + i * ${each}, 3600, (${firstMs} + i * ${each}) / ${DAY_MS}`
    const heart = Math.floor(count * SHARES.heart)
    fill("heart_rate_record_table", BETWEEN, heart, span)
    database.exec(`create table heart_rate_record_series_table (parent_key integer, beats_per_minute integer, epoch_millis integer);
      insert into heart_rate_record_series_table select row_id, 50 + row_id % 90, start_time from heart_rate_record_table`)
    fill("steps_record_table", `${BETWEEN}, count integer`, count * SHARES.steps, (each) => `${span(each)}, i % 60`)
    fill(
      "active_calories_burned_record_table",
      `${BETWEEN}, energy real`,
      count * SHARES.energy,
      (each) => `${span(each)}, i % 3000`,
    )
    fill(
      "oxygen_saturation_record_table",
      `${AT}, percentage real`,
      count * SHARES.spo2,
      (each) => `${moment(each)}, 94 + i % 6`,
    )
    fill("sleep_session_record_table", `${BETWEEN}, title text, notes text`, days, (each) => {
      const startMs = `${firstMs} + i * ${each} + ${22 * HOUR_MS}`
      return `${startMs}, 3600, ${startMs} + ${8 * HOUR_MS}, 3600, 0, null, null`
    })
  }
  const bytes = await readFile(path)
  return {
    fileName: "health_connect_export.db",
    bytes,
    unpacked: bytes.length,
    barePass: async () => {
      using database = new DatabaseSync(path, { readOnly: true })
      let rows = 0
      for (const table of ["heart_rate_record_table", "heart_rate_record_series_table", "steps_record_table"])
        for (const _ of database.prepare(`select * from ${table}`).iterate()) rows += 1
      return rows
    },
  }
}
