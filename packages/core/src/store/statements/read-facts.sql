-- Whole records of some dates, if the data still have the version that they were chosen under.
--   $1 person, $2 data version, and in arrays of equal length: $3 providers, $4 kinds, $5 first and $6 last dates
select (
  select '[' || coalesce(string_agg(r.fact, ',' order by r.started_at desc, r.provider_id collate "C" desc, r.provider), '') || ']'
  from unnest($3::text[], $4::text[], $5::date[], $6::date[]) as dates (provider, kind, first, last)
  join restwell.record r on r.user_id = p.user_id and r.provider = dates.provider and r.kind = dates.kind
    and r.date between dates.first and dates.last) as facts
from restwell.person p where p.user_id = $1 and p.data_version = $2::bigint
