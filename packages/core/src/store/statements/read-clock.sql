-- Where a person's clock changed: the UTC offset at the end of each sleep and at the start of each workout, and the last ones before.
--   $1 person, $2 first and $3 last instant
select (extract(epoch from at) * 1000)::float8 as "atMs", minutes
from (select at, minutes, lag(minutes) over (order by at, minutes) as before from (
  select case r.kind when 'sleep' then r.ended_at else r.started_at end as at, r.utc_offset_minutes as minutes
  from restwell.record r
  where r.user_id = $1 and r.started_at between $2 and $3 and r.kind in ('sleep', 'workout') and r.utc_offset_minutes is not null
  union all
  (select case r.kind when 'sleep' then r.ended_at else r.started_at end, r.utc_offset_minutes
  from restwell.record r
  where r.user_id = $1 and r.started_at < $2 and r.kind in ('sleep', 'workout') and r.utc_offset_minutes is not null
  order by r.started_at desc limit 4)) points
where at is not null) clocks
where minutes is distinct from before
order by at, minutes
