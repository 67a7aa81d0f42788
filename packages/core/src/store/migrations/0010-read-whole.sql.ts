/**
 * As `read_health` in 0008, which stays for processes of the version before, but: one request may stand for several equal reads of one moment (\`times\`), of which as many are granted as the month allows,
 * a body that the service holds is not read again (\`held\`, its entity tag), and people are locked in an order that does not hang on the
 * database's collation: in that of \`count_held\`. Of one person a key goes first, since its row is locked before the count.
 */
export const readWholeSql = `
create function restwell.read_whole(requests jsonb, at timestamptz, plan_limits jsonb) returns table (
  "position" integer, outcome text, user_id text, monthly_limit integer, used integer, granted integer,
  from_date date, to_date date, today date, utc_offset_minutes integer, time_zone text, data_version bigint, etag text,
  provider text, status text, last_synced_at timestamptz, sync_due boolean, record_count integer, records text, are_shown boolean, profile jsonb
) language plpgsql set plan_cache_mode = force_generic_plan set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
declare
  request record;
  this_month date := date_trunc('month', at at time zone 'UTC')::date;
  day_of_month integer := extract(day from at at time zone 'UTC');
  requested_at timestamptz;
  entry restwell.access_log;
  entries restwell.access_log[] := '{}';
  -- What lies further ahead was written while the machine's clock was wrong, and counts as unset.
  too_late timestamptz := at + interval '5 minutes';
begin
  for request in
    select r."position", r.key_hash, r.user_id, r.peek, r.charge, coalesce(r.times, 1) as times, r.kinds, r.wants_profile, r.days,
           r.start_date, r.end_date, r.tag_prefix, r.if_none_match, r.type, r.shown_as, r.held, r.held_count,
           p.user_id as known_user_id, p.plan, p.data_version as known_version,
           p.utc_offset_minutes as known_offset, p.time_zone as known_zone, k.last_used_at as key_used_at, u.used as known_used,
           c.provider as known_provider, c.status as known_status, c.last_synced_at as known_synced_at,
           c.sync_requested_at as known_requested_at
    from jsonb_to_recordset(requests) as r(
      "position" integer, key_hash text, user_id text, peek boolean, charge boolean, times integer, kinds text[], wants_profile boolean,
      days integer, start_date date, end_date date, tag_prefix text, if_none_match text[], type text, shown_as text, held text,
      held_count integer)
    left join restwell.api_key k on k.key_hash = decode(r.key_hash, 'hex')
    left join restwell.person p on p.user_id = coalesce(k.user_id, r.user_id)
    left join restwell.usage u on u.user_id = p.user_id and u.month = this_month
    left join lateral (
      select * from restwell.connection d
      where d.user_id = p.user_id and d.status <> 'disconnected'
      order by d.connected_at limit 1) c on true
    order by p.user_id collate "C", r.key_hash is null, r."position"
  loop
    "position" := request."position";
    outcome := null; records := null; are_shown := null; profile := null; etag := null; sync_due := false; used := coalesce(request.known_used, 0); granted := request.times;
    from_date := null; to_date := null; today := null; data_version := null; record_count := null;
    provider := request.known_provider; status := request.known_status; last_synced_at := request.known_synced_at;
    requested_at := request.known_requested_at;
    user_id := request.known_user_id;
    utc_offset_minutes := request.known_offset;
    time_zone := request.known_zone;
    monthly_limit := (plan_limits ->> request.plan)::integer;

    if user_id is null then
      outcome := 'unauthorized';
      return next;
      continue;
    end if;

    if request.key_hash is not null and (request.key_used_at is null
      or request.key_used_at < at - interval '1 minute' or request.key_used_at > too_late)
    then
      perform from restwell."user" u where u.id = request.known_user_id for key share;
      update restwell.api_key k set last_used_at = at
      where k.user_id = request.known_user_id and k.key_hash = decode(request.key_hash, 'hex')
        and (k.last_used_at is null or k.last_used_at < at - interval '1 minute' or k.last_used_at > too_late);
    end if;
    if request.peek then
      outcome := 'peeked';
      return next;
      continue;
    end if;

    if provider is null then
      outcome := 'no_provider';
      return next;
      continue;
    end if;

    today := case
      when request.known_offset is not null then (at at time zone 'UTC' + make_interval(mins => request.known_offset))::date
      else (at at time zone coalesce(request.known_zone, 'UTC'))::date
    end;
    to_date := coalesce(request.end_date, today);
    from_date := coalesce(request.start_date, to_date - request.days + 1);
    if from_date > to_date or to_date - from_date >= 90 then
      outcome := 'invalid_range';
      return next;
      continue;
    end if;

    -- A reader of old data asks for new ones, and does not wait: once a minute, and never behind a sync that writes.
    if status <> 'reauthorization_required'
      and (last_synced_at is null or last_synced_at < at - interval '15 minutes' or last_synced_at > too_late)
      and (requested_at is null or requested_at < at - interval '1 minute' or requested_at > too_late)
    then
      perform from restwell."user" u where u.id = request.known_user_id for key share;
      update restwell.connection c set sync_requested_at = at
      where (c.user_id, c.provider) in (
        select d.user_id, d.provider from restwell.connection d
        where d.user_id = request.known_user_id and d.provider = read_whole.provider
          and d.status <> 'reauthorization_required'
          and d.sync_requested_at is not distinct from requested_at
        for update skip locked);
      sync_due := found;
    end if;

    etag := restwell.entity_tag(request.tag_prefix, from_date, to_date, request.known_version);
    if etag = any (request.if_none_match) or '*' = any (request.if_none_match) then
      outcome := 'not_modified';
      return next;
      continue;
    end if;

    if request.charge then
      -- Nothing but this one row is locked here, or the person is held already.
      update restwell.usage u set used = u.used + request.times, by_day[day_of_month] = u.by_day[day_of_month] + request.times
      where u.user_id = request.known_user_id and u.month = this_month and u.used + request.times <= monthly_limit
      returning u.used - request.times into granted;
      if found then
        used := granted;
        granted := request.times;
      else
        perform from restwell."user" u where u.id = request.known_user_id for key share;
        if not found then
          outcome := 'unauthorized';
          return next;
          continue;
        end if;
        insert into restwell.usage as u (user_id, month, used) values (request.known_user_id, this_month, 0)
        on conflict on constraint usage_pkey do nothing;
        -- The row is held from here on, so what is granted is what is left.
        select u.used into used from restwell.usage u
        where u.user_id = request.known_user_id and u.month = this_month for no key update;
        granted := greatest(least(request.times, monthly_limit - used), 0);
        if granted = 0 then
          used := greatest(used, monthly_limit);
          outcome := 'quota_exceeded';
          return next;
          continue;
        end if;
        update restwell.usage u set used = u.used + granted, by_day[day_of_month] = u.by_day[day_of_month] + granted
        where u.user_id = request.known_user_id and u.month = this_month;
      end if;
    end if;

    -- One statement, one snapshot: the records, and the version and status they are answered under.
    select p.data_version, coalesce(c.status, read_whole.status), coalesce(c.last_synced_at, read_whole.last_synced_at),
      found_records.list, found_records.are_shown, found_records.count,
      (select f.data from restwell.profile f
       where request.wants_profile and f.user_id = p.user_id and f.provider = read_whole.provider)
    into data_version, status, last_synced_at, records, are_shown, record_count, profile
    from restwell.person p
    left join lateral (
      select count(*) as count, coalesce(bool_and((h.shown_as = request.shown_as) is true), true) as are_shown,
        coalesce(string_agg(
              case when h.shown_as = request.shown_as then
                replace(
                  replace(h.shown, '"date":""', '"date":"' || h.date || '"'),
                  '"skin_temp_deviation_celsius":null',
                  '"skin_temp_deviation_celsius":' || coalesce(h.skin_temp_deviation::text, 'null'))
              else
                '["' || h.kind || '","' || h.date || '","' || h.score_state || '",'
                  || coalesce(to_json(h.cycle_provider_id)::text, 'null') || ','
                  || coalesce(h.skin_temp_deviation::text, 'null') || ',' || h.detail || ']'
              end,
              ',' order by h.started_at desc, h.provider_id collate "C" desc), '') as list
      from restwell.record h
      where h.user_id = p.user_id and h.provider = read_whole.provider
        and h.kind = any (request.kinds) and h.date between from_date and to_date) found_records
      on request.held is distinct from restwell.entity_tag(request.tag_prefix, from_date, to_date, p.data_version)
    left join restwell.connection c
      on c.user_id = p.user_id and c.provider = read_whole.provider and c.status <> 'disconnected'
    where p.user_id = request.known_user_id;
    -- The account was deleted meanwhile.
    if not found then
      outcome := 'unauthorized';
      return next;
      continue;
    end if;
    etag := restwell.entity_tag(request.tag_prefix, from_date, to_date, data_version);
    record_count := case
      when request.wants_profile then 1
      when etag = request.held then request.held_count
      else record_count
    end;
    outcome := 'answer';
    if request.charge and request.key_hash is not null then
      entry.user_id := request.known_user_id;
      entry.types := array[request.type];
      entry.start_date := case when not request.wants_profile then from_date end;
      entry.end_date := case when not request.wants_profile then to_date end;
      entry.record_count := record_count;
      entry.reads := granted;
      entries := entries || entry;
    end if;
    return next;
  end loop;

  -- A counted read is a logged read: both are there with the commit, or neither. All of a call at once, which is faster than one by one.
  if cardinality(entries) > 0 then
    insert into restwell.access_log (user_id, at, reader, operation, types, start_date, end_date, record_count, outcome, reads)
    select e.user_id, read_whole.at, 'api_key', '/api/v1/health', e.types, e.start_date, e.end_date, e.record_count, 'answered', e.reads
    from unnest(entries) with ordinality as e
    order by e.ordinality;
  end if;
end $$;
`
