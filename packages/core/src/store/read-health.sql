-- One read from one snapshot: the person, the month's usage, the connection that answers, and the records of some dates.
--   $1 SHA-256 of the API key or null, $2 the person's id where there is no key, $3 month,
--   $4 kinds, and journal where it is wanted, $5 first and $6 last date of the records, $7 whether the profile is wanted
select p.user_id as "userId", p.plan, p.data_version as "dataVersion", p.utc_offset_minutes as "utcOffsetMinutes",
  p.time_zone as "timeZone", u.used, c.provider, c.status, c.last_synced_at as "lastSyncedAt",
  (select coalesce(json_agg(f), '[]') from (
     select r.kind, r.date, r.score_state as "scoreState", r.skin_temp_deviation as "skinTempDeviation", r.detail
     from restwell.record r
     where r.user_id = p.user_id and r.provider = c.provider and r.kind = any ($4::text[])
       and r.date between $5::date and $6::date
     order by r.started_at desc, r.provider_id collate "C" desc) f) as facts,
  (select coalesce(json_agg(f), '[]') from (
     select j.date, j.factor, j.question, j.answer
     from restwell.journal j
     where 'journal' = any ($4::text[]) and j.user_id = p.user_id and j.provider = c.provider
       and j.date between $5::date and $6::date
     order by j.date desc, j.started_at desc, j.factor, j.question collate "C", j.provider_id collate "C") f) as answers,
  (select f.data from restwell.profile f
   where $7::boolean and f.user_id = p.user_id and f.provider = c.provider) as profile
from restwell.person p
left join restwell.usage u on u.user_id = p.user_id and u.month = $3::date
left join lateral (
  select * from restwell.connection d where d.user_id = p.user_id and d.status <> 'disconnected'
  order by d.status = 'archive', d.connected_at limit 1) c on true
where p.user_id = case
  when $1::bytea is null then $2 else (select k.user_id from restwell.api_key k where k.key_hash = $1::bytea) end
