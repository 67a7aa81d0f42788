import type { Member } from "@restwell/testing/member"
import type { TestService } from "@restwell/testing/service"

/** Copies what a connected person has up to a date, as an archive of another device. */
export async function addArchiveBeside({ store: { pool } }: TestService, { email }: Member, to: string): Promise<void> {
  await pool.query(
    `insert into restwell.connection
      (user_id, provider, status, status_changed_at, connected_at, next_sync_at, last_synced_at, history_complete)
    select id, 'polar', 'archive', now(), now(), 'infinity', null, true from restwell."user" where email = $1`,
    [email],
  )
  await pool.query(
    `insert into restwell.record
      (user_id, provider, kind, provider_id, date, started_at, ended_at, utc_offset_minutes, score_state, vendor_updated_at,
       sleep_provider_id, cycle_provider_id, skin_temp_deviation, from_archive, candidate, detail, raw)
    select user_id, 'polar', kind, provider_id, date, started_at, ended_at, utc_offset_minutes, score_state, vendor_updated_at,
      sleep_provider_id, cycle_provider_id, skin_temp_deviation, true, candidate, detail, raw
    from restwell.record where date <= $2 and user_id = (select id from restwell."user" where email = $1)`,
    [email, to],
  )
}

/** Deletes what the connection of a person has on some dates. @param where a condition of the record */
export async function deleteConnected(
  { store: { pool } }: TestService,
  { email }: Member,
  where: string,
): Promise<void> {
  const of = `user_id = (select id from restwell."user" where email = $1)`
  const { rowCount } = await pool.query(`delete from restwell.record where provider = 'whoop' and ${where} and ${of}`, [
    email,
  ])
  if (!rowCount) throw new Error("nothing was deleted")
  await pool.query(`update restwell.person set data_version = data_version + 1 where ${of}`, [email])
}
