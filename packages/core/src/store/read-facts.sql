-- Some records of a person as a whole, if the data still have the version that they were chosen under.
--   $1 person, $2 data version, $3 providers, $4 kinds and $5 vendor's ids of the records
select (
  select coalesce(json_agg(f), '[]') from (
    select r.kind, r.provider, r.from_archive and not r.was_direct as "fromArchive", r.date, r.score_state as "scoreState",
      r.skin_temp_deviation as "skinTempDeviation", r.cycle_provider_id as "cycleProviderId", r.utc_offset_minutes as "utcOffsetMinutes",
      case when r.detail ? 'course' then r.detail - 'course' else r.detail end as detail
    from unnest($3::text[], $4::text[], $5::text[]) as k (provider, kind, provider_id)
    join restwell.record r on r.user_id = p.user_id and r.provider = k.provider and r.kind = k.kind and r.provider_id = k.provider_id
    order by r.started_at desc, r.provider_id collate "C" desc, r.provider) f) as facts
from restwell.person p where p.user_id = $1 and p.data_version = $2::bigint
