-- Counts a batch of reads and writes them to the access log: one row for each read that was counted or refused for want of room.
--   $1 reads   jsonb array of {key_hash, user_id, version, utc_offset_minutes, token_hash, terms, times, client_id, assistant,
--              operation, types, start_date, end_date, record_count}
--   $2 time, $3 month, $4 day of the month, $5 monthly limits by plan
-- A read with a version counts only while the person's data have that version and offset: its cached response is then valid.
-- A read with a token counts only while the token gives access on the same terms.
-- Of a read's times only those are granted that the month has room for. Usage rows are locked in the order of user ids,
-- so that two batches never wait for each other in a circle. Everything but the locked usage is of this
-- statement's snapshot. A counted read of an assistant is noted on its row, which is skipped while another replica has locked it.
with requested as materialized (
  select r.position, p.user_id, (($5::jsonb) ->> p.plan)::integer as monthly_limit, r.times, r.client_id, r.assistant, r.operation,
    r.types, r.start_date, r.end_date, r.record_count
  from rows from (jsonb_to_recordset($1::jsonb) as (
    key_hash text, user_id text, version bigint, utc_offset_minutes integer, token_hash text, terms text, times integer,
    client_id text, assistant text, operation text, types text[], start_date date, end_date date, record_count integer))
    with ordinality as r (key_hash, user_id, version, utc_offset_minutes, token_hash, terms, times, client_id, assistant,
    operation, types, start_date, end_date, record_count, position)
  left join restwell.api_key k on k.key_hash = decode(r.key_hash, 'hex')
  join restwell.person p on p.user_id = case when r.key_hash is null then r.user_id else k.user_id end
  where (r.version is null or (r.version = p.data_version and r.utc_offset_minutes is not distinct from p.utc_offset_minutes))
    and (r.token_hash is null or r.terms = restwell.terms_of_access(decode(r.token_hash, 'hex'), p.user_id, r.client_id, $2::timestamptz))
), locked as materialized (
  select r.*, u.used from requested r join restwell.usage u on u.user_id = r.user_id and u.month = $3::date
  order by u.user_id collate "C", r.position
  for no key update of u
), granted as materialized (
  select before.*, greatest(0, least(times, monthly_limit - used_before)) as granted
  from (
    select l.*, used + coalesce(sum(times) over (
      partition by user_id order by position rows between unbounded preceding and 1 preceding), 0)::integer as used_before
    from locked l) before
), counted as (
  update restwell.usage u set used = u.used + g.granted, by_day[$4::integer] = u.by_day[$4::integer] + g.granted
  from (select user_id, sum(granted)::integer as granted from granted group by user_id) g
  where u.user_id = g.user_id and u.month = $3::date and g.granted > 0
), logged as (
  insert into restwell.access_log
    (user_id, at, reader, client_id, assistant, operation, types, start_date, end_date, record_count, outcome, reads)
  select user_id, $2::timestamptz, case when client_id is null then 'api_key' else 'assistant' end, client_id, assistant, operation,
    types, start_date, end_date, record_count, 'answered', granted
  from granted where granted > 0
  order by position
), free as (
  select a.user_id, a.client_id from restwell.assistant a
  where (a.user_id, a.client_id) in (select user_id, client_id from granted where granted > 0 and client_id is not null)
  order by a.user_id, a.client_id
  for no key update skip locked
), noted as (
  update restwell.assistant a set last_read_at = $2::timestamptz
  from free where a.user_id = free.user_id and a.client_id = free.client_id
)
select position::integer as position, monthly_limit as "monthlyLimit", used_before as "usedBefore", granted from granted
