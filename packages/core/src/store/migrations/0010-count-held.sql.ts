/**
 * Counts the reads of people whose bodies the service holds already (\`held\`, a person each, and \`lines\`, their entries in the access log):
 * where all that they were made under still stands, which are the key, the data's version, the place's clock and a sync not long ago, and the
 * month has room for all of them, counting them and writing them down is all there is to do. \`used\` is the count before. Who is not among
 * the rows has been neither counted nor locked.
 *
 * People are locked in the order of \`held\`, which is that of their ids, as in \`read_whole\`. Each is found by their id alone, in one
 * statement whose plan does not depend on how many people there are.
 */
export const countHeldSql = `
create function restwell.count_held(held jsonb, lines jsonb, at timestamptz, plan_limits jsonb) returns table (
  user_id text, monthly_limit integer, used integer
) language plpgsql set plan_cache_mode = force_generic_plan set enable_seqscan = off as $$
declare
  person record;
  this_month date := date_trunc('month', at at time zone 'UTC')::date;
  day_of_month integer := extract(day from at at time zone 'UTC');
  too_late timestamptz := at + interval '5 minutes';
  minute_ago timestamptz := at - interval '1 minute';
  quarter_ago timestamptz := at - interval '15 minutes';
  counted text[] := '{}';
begin
  for person in
    select h.user_id, decode(h.key_hash, 'hex') as key_hash, h.provider, h.data_version, h.utc_offset_minutes, h.times
    from jsonb_to_recordset(held) as h(
      user_id text, key_hash text, provider text, data_version bigint, utc_offset_minutes integer, times integer)
  loop
    update restwell.usage u set used = u.used + person.times, by_day[day_of_month] = u.by_day[day_of_month] + person.times
    from restwell.api_key k, restwell.person p, restwell.connection c
    where u.user_id = person.user_id and u.month = this_month
      and k.user_id = person.user_id and p.user_id = person.user_id and c.user_id = person.user_id
      and k.key_hash = person.key_hash and k.last_used_at between minute_ago and too_late
      and p.data_version = person.data_version and p.utc_offset_minutes = person.utc_offset_minutes
      -- A change of status, disconnecting too, grew the version.
      and c.provider = person.provider
      and (c.last_synced_at between quarter_ago and too_late or c.sync_requested_at between minute_ago and too_late
        or c.status = 'reauthorization_required')
      and u.used + person.times <= (plan_limits ->> p.plan)::integer
    returning u.user_id, (plan_limits ->> p.plan)::integer, u.used - person.times into user_id, monthly_limit, used;
    if found then
      counted := counted || user_id;
      return next;
    end if;
  end loop;
  -- A counted read is a logged read.
  insert into restwell.access_log (user_id, at, reader, operation, types, start_date, end_date, record_count, outcome, reads)
  select l.user_id, count_held.at, 'api_key', '/api/v1/health', array[l.type], l.start_date, l.end_date, l.record_count, 'answered', l.times
  from jsonb_to_recordset(lines) as l(
    user_id text, type text, start_date date, end_date date, record_count integer, times integer)
  where l.user_id = any (counted);
end $$;
`
