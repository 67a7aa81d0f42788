import { type Kysely, sql } from "kysely"

/**
 * Both logs of a person: what was read by whom, and what happened to the account. They are only ever added to, but for what is older than
 * 90 days by the database's own clock, and for an account that is deleted.
 */
const logs = `
alter table restwell.access_log
  alter column client_id drop not null,
  alter column assistant drop not null,
  add column reader text not null default 'assistant' check (reader in ('api_key', 'assistant')),
  add column record_count integer,
  add constraint access_log_reader_known check (reader = 'api_key' or (client_id is not null and assistant is not null));
create index access_log_by_time on restwell.access_log (at);

create table restwell.security_event (
  id bigint generated always as identity primary key,
  user_id text not null references restwell."user" (id) on delete cascade,
  at timestamptz not null,
  type text not null,
  detail text,
  network text
);
create index security_event_by_person on restwell.security_event (user_id, id desc);
create index security_event_by_time on restwell.security_event (at);

create function restwell.keep_log() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    if old.at < now() - interval '90 days' or not exists (select from restwell."user" u where u.id = old.user_id) then
      return old;
    end if;
  end if;
  raise exception '% is only added to', tg_table_name;
end $$;
drop trigger keep_access_log on restwell.access_log;
drop function restwell.keep_access_log();
create trigger keep_access_log before update or delete on restwell.access_log
  for each row execute function restwell.keep_log();
create trigger keep_whole_access_log before truncate on restwell.access_log
  for each statement execute function restwell.keep_log();
create trigger keep_security_event before update or delete on restwell.security_event
  for each row execute function restwell.keep_log();
create trigger keep_whole_security_event before truncate on restwell.security_event
  for each statement execute function restwell.keep_log();
`

/**
 * As in 0005, but: a read by key is written to the access log by the transaction that counts it, and instants that a wrong clock wrote
 * keep no sync from being asked for.
 *
 * Whatever is written is written after the person is held (`for key share`), as the log's reference to them does by itself: an account's
 * deletion begins with the person, so neither ever waits for the other in a circle. A read that writes nothing holds nobody.
 *
 * Every statement finds its rows by an index on the person, whatever the dates: one plan is kept for all of them. Planning anew for each
 * read took half of its time and more.
 */
const readHealth = `
create or replace function restwell.read_health(requests jsonb, at timestamptz, plan_limits jsonb) returns table (
  "position" integer, outcome text, user_id text, monthly_limit integer, used integer,
  from_date date, to_date date, today date, utc_offset_minutes integer, time_zone text, etag text,
  provider text, status text, last_synced_at timestamptz, sync_due boolean, records json, profile jsonb
) language plpgsql set plan_cache_mode = force_generic_plan as $$
declare
  request record;
  this_month date := date_trunc('month', at at time zone 'UTC')::date;
  day_of_month integer := extract(day from at at time zone 'UTC');
  granted integer;
  version bigint;
  record_count integer;
  requested_at timestamptz;
  entry restwell.access_log;
  entries restwell.access_log[] := '{}';
  -- What lies further ahead was written while the machine's clock was wrong, and counts as unset.
  too_late timestamptz := at + interval '5 minutes';
begin
  for request in
    select r.*, p.user_id as known_user_id, p.plan, p.data_version,
           p.utc_offset_minutes as known_offset, p.time_zone as known_zone, k.last_used_at as key_used_at
    from jsonb_to_recordset(requests) as r(
      "position" integer, key_hash text, user_id text, peek boolean, charge boolean, kinds text[], wants_profile boolean,
      days integer, start_date date, end_date date, tag_prefix text, if_none_match text[], type text)
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

    select c.provider, c.status, c.last_synced_at, c.sync_requested_at into provider, status, last_synced_at, requested_at
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
    if status <> 'reauthorization_required'
      and (last_synced_at is null or last_synced_at < at - interval '15 minutes' or last_synced_at > too_late)
      and (requested_at is null or requested_at < at - interval '1 minute' or requested_at > too_late)
    then
      perform from restwell."user" u where u.id = request.known_user_id for key share;
      update restwell.connection c set sync_requested_at = at
      where (c.user_id, c.provider) in (
        select d.user_id, d.provider from restwell.connection d
        where d.user_id = request.known_user_id and d.provider = read_health.provider
          and d.status <> 'reauthorization_required'
          and d.sync_requested_at is not distinct from requested_at
        for update skip locked);
      sync_due := found;
    end if;

    etag := restwell.entity_tag(request.tag_prefix, from_date, to_date, request.data_version);
    if etag = any (request.if_none_match) or '*' = any (request.if_none_match) then
      outcome := 'not_modified';
      return next;
      continue;
    end if;

    if request.charge then
      perform from restwell."user" u where u.id = request.known_user_id for key share;
      if not found then
        outcome := 'unauthorized';
        return next;
        continue;
      end if;
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
      found_records.list, found_records.count,
      (select f.data from restwell.profile f
       where request.wants_profile and f.user_id = p.user_id and f.provider = read_health.provider)
    into version, status, last_synced_at, records, record_count, profile
    from restwell.person p
    cross join lateral (
      select count(*) as count, coalesce(json_agg(json_build_object(
                'kind', h.kind, 'date', h.date, 'scoreState', h.score_state, 'cycleProviderId', h.cycle_provider_id,
                'skinTempDeviation', h.skin_temp_deviation, 'detail', h.detail)
                order by h.started_at desc, h.provider_id collate "C" desc), '[]') as list
      from restwell.record h
      where h.user_id = p.user_id and h.provider = read_health.provider
        and h.kind = any (request.kinds) and h.date between from_date and to_date) found_records
    left join restwell.connection c
      on c.user_id = p.user_id and c.provider = read_health.provider and c.status <> 'disconnected'
    where p.user_id = request.known_user_id;
    -- The account was deleted meanwhile.
    if not found then
      outcome := 'unauthorized';
      return next;
      continue;
    end if;
    etag := restwell.entity_tag(request.tag_prefix, from_date, to_date, version);
    outcome := 'answer';
    if request.charge and request.key_hash is not null then
      entry.user_id := request.known_user_id;
      entry.types := array[request.type];
      entry.start_date := case when not request.wants_profile then from_date end;
      entry.end_date := case when not request.wants_profile then to_date end;
      entry.record_count := case when request.wants_profile then 1 else record_count end;
      entries := entries || entry;
    end if;
    return next;
  end loop;

  -- A counted read is a logged read: both are there with the commit, or neither. All of a call at once, which is faster than one by one.
  if cardinality(entries) > 0 then
    insert into restwell.access_log (user_id, at, reader, operation, types, start_date, end_date, record_count, outcome)
    select e.user_id, read_health.at, 'api_key', '/api/v1/health', e.types, e.start_date, e.end_date, e.record_count, 'answered'
    from unnest(entries) with ordinality as e
    order by e.ordinality;
  end if;
end $$;
`

export const createAudit = {
  async up(database: Kysely<unknown>): Promise<void> {
    await sql.raw(logs).execute(database)
    await sql.raw(readHealth).execute(database)
  },
}
