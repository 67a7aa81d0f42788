import { type Kysely, sql } from "kysely"

/** A month's requests by its days: the first one of a month, on that day. */
const usageByDay = `
alter table restwell.usage add column by_day integer[] not null default array_fill(0, array[31]);

create function restwell.first_of_month(day integer) returns integer[] language sql immutable as $$
  select array_fill(0, array[day - 1]) || 1 || array_fill(0, array[31 - day])
$$;
`

/** As in 0002, but for the day that is counted with the month. */
const readHealth = `
create or replace function restwell.read_health(requests jsonb, at timestamptz, plan_limits jsonb) returns table (
  "position" integer, outcome text, user_id text, monthly_limit integer, used integer,
  from_date date, to_date date, today date, utc_offset_minutes integer, time_zone text, etag text,
  provider text, status text, last_synced_at timestamptz, sync_due boolean, records json, profile jsonb
) language plpgsql as $$
declare
  request record;
  this_month date := date_trunc('month', at at time zone 'UTC')::date;
  day_of_month integer := extract(day from at at time zone 'UTC');
  granted integer;
  version bigint;
begin
  for request in
    select r.*, p.user_id as known_user_id, p.plan, p.data_version,
           p.utc_offset_minutes as known_offset, p.time_zone as known_zone
    from jsonb_to_recordset(requests) as r(
      "position" integer, key_hash text, user_id text, peek boolean, charge boolean, kinds text[], wants_profile boolean,
      days integer, start_date date, end_date date, tag_prefix text, if_none_match text[])
    left join restwell.api_key k on k.key_hash = decode(r.key_hash, 'hex')
    left join restwell.person p on p.user_id = coalesce(k.user_id, r.user_id)
    order by p.user_id, r."position"
  loop
    "position" := request."position";
    outcome := null; records := null; profile := null; etag := null; sync_due := false; used := 0;
    from_date := null; to_date := null; today := null;
    provider := null; status := null; last_synced_at := null;
    user_id := request.known_user_id;
    utc_offset_minutes := request.known_offset;
    time_zone := request.known_zone;
    monthly_limit := (plan_limits ->> request.plan)::integer;

    if user_id is null then
      outcome := 'unauthorized';
      return next;
      continue;
    end if;

    select u.used into used from restwell.usage u where u.user_id = request.known_user_id and u.month = this_month;
    used := coalesce(used, 0);
    if request.key_hash is not null then
      update restwell.api_key k set last_used_at = at
      where k.user_id = request.known_user_id and k.key_hash = decode(request.key_hash, 'hex')
        and (k.last_used_at is null or k.last_used_at < at - interval '1 minute');
    end if;
    if request.peek then
      outcome := 'peeked';
      return next;
      continue;
    end if;

    select c.provider, c.status, c.last_synced_at into provider, status, last_synced_at
    from restwell.connection c
    where c.user_id = request.known_user_id and c.status <> 'disconnected'
    order by c.connected_at limit 1;
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
    update restwell.connection c set sync_requested_at = at
    where (c.user_id, c.provider) in (
      select d.user_id, d.provider from restwell.connection d
      where d.user_id = request.known_user_id and d.provider = read_health.provider
        and d.status <> 'reauthorization_required'
        and (d.last_synced_at is null or d.last_synced_at < at - interval '15 minutes')
        and (d.sync_requested_at is null or d.sync_requested_at < at - interval '1 minute')
      for update skip locked);
    sync_due := found;

    etag := restwell.entity_tag(request.tag_prefix, from_date, to_date, request.data_version);
    if etag = any (request.if_none_match) or '*' = any (request.if_none_match) then
      outcome := 'not_modified';
      return next;
      continue;
    end if;

    if request.charge then
      granted := null;
      if monthly_limit > 0 then
        insert into restwell.usage as u (user_id, month, used, by_day)
        values (request.known_user_id, this_month, 1, restwell.first_of_month(day_of_month))
        on conflict on constraint usage_pkey do update
        set used = u.used + 1, by_day[day_of_month] = u.by_day[day_of_month] + 1 where u.used < monthly_limit
        returning u.used into granted;
      end if;
      if granted is null then
        used := greatest(used, monthly_limit);
        outcome := 'quota_exceeded';
        return next;
        continue;
      end if;
      used := granted;
    end if;

    -- One statement, one snapshot: the records, and the version and status they are answered under.
    select p.data_version, coalesce(c.status, read_health.status), coalesce(c.last_synced_at, read_health.last_synced_at),
      (select coalesce(json_agg(json_build_object(
                'kind', h.kind, 'date', h.date, 'scoreState', h.score_state, 'cycleProviderId', h.cycle_provider_id,
                'skinTempDeviation', h.skin_temp_deviation, 'detail', h.detail)
                order by h.started_at desc, h.provider_id collate "C" desc), '[]')
       from restwell.record h
       where h.user_id = p.user_id and h.provider = read_health.provider
         and h.kind = any (request.kinds) and h.date between from_date and to_date),
      (select f.data from restwell.profile f
       where request.wants_profile and f.user_id = p.user_id and f.provider = read_health.provider)
    into version, status, last_synced_at, records, profile
    from restwell.person p
    left join restwell.connection c
      on c.user_id = p.user_id and c.provider = read_health.provider and c.status <> 'disconnected'
    where p.user_id = request.known_user_id;
    etag := restwell.entity_tag(request.tag_prefix, from_date, to_date, version);
    outcome := 'answer';
    return next;
  end loop;
end $$;
`

/** Requests are counted by their day as well, in the statement that counts them, so that the days of a month sum up to it. */
export const countUsageByDay = {
  async up(database: Kysely<unknown>): Promise<void> {
    await sql.raw(usageByDay).execute(database)
    await sql.raw(readHealth).execute(database)
  },
}
