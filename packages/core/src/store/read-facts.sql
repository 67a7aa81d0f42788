-- Whole records of some dates, if the data still have the version that they were chosen under.
--   $1 person, $2 data version, and in arrays of equal length: $3 providers, $4 kinds, $5 first and $6 last dates
select (
  select coalesce(json_agg(f), '[]') from (
    select r.kind, r.provider, r.from_archive and not r.was_direct as "fromArchive", r.date, r.figures, r.score_state as "scoreState",
      r.skin_temp_deviation as "skinTempDeviation", r.cycle_provider_id as "cycleProviderId", r.utc_offset_minutes as "utcOffsetMinutes",
      extract(epoch from r.started_at) as "startSeconds",
      case when r.detail ? 'course' then r.detail - 'course' else r.detail end as detail
    from unnest($3::text[], $4::text[], $5::date[], $6::date[]) as dates (provider, kind, first, last)
    join restwell.record r on r.user_id = p.user_id and r.provider = dates.provider and r.kind = dates.kind
      and r.date between dates.first and dates.last
    order by r.started_at desc, r.provider_id collate "C" desc, r.provider) f) as facts
from restwell.person p where p.user_id = $1 and p.data_version = $2::bigint
