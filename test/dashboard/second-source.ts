import type { TestService } from "@restwell/testing/service"

/**
 * Stores a second source of the same nights, as an Oura archive would: it sleeps longer on every fourth date, measures another HRV, and
 * knows the phases of each night. Workouts and cycles are WHOOP's alone.
 */
export async function storeSecondSource({ store }: TestService, email: string): Promise<void> {
  const { rows } = await store.pool.query(`select id from restwell."user" where email = $1`, [email])
  const [user] = rows
  await store.pool.query(
    `insert into restwell.connection
       (user_id, provider, status, status_changed_at, connected_at, last_synced_at, next_sync_at, history_complete)
     values ($1, 'oura', 'archive', now(), now(), now(), now(), true)`,
    [user.id],
  )
  await store.pool.query(
    `insert into restwell.record
       (user_id, provider, kind, provider_id, date, started_at, ended_at, utc_offset_minutes, score_state, vendor_updated_at, from_archive,
        candidate, detail, course, raw)
     select user_id, 'oura', kind, provider_id, date, started_at, ended_at, utc_offset_minutes, score_state, vendor_updated_at, true, candidate,
       case kind
         when 'sleep' then jsonb_set(detail::jsonb, '{stages,lightMs}',
           to_jsonb((detail #>> '{stages,lightMs}')::bigint + case when extract(day from date)::int % 4 = 0 then 5400000 else 0 end))
         else jsonb_set(detail::jsonb, '{hrvMs}', to_jsonb((detail #>> '{hrvMs}')::float * 1.3))
       end, case kind when 'sleep' then '{"intervalMs": 300000, "phases":
         ["light", "light", "deep", "deep", "deep", "rem", "awake", "light", "rem", "rem", "light", "deep"]}'::json end, '{}'
     from restwell.record
     where user_id = $1 and provider = 'whoop' and score_state = 'scored'
       and (kind = 'recovery' or kind = 'sleep' and not (detail #>> '{isNap}')::boolean)`,
    [user.id],
  )
  await store.pool.query("update restwell.person set data_version = data_version + 1 where user_id = $1", [user.id])
}
