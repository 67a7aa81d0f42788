import { type Kysely, sql } from "kysely"

/**
 * What vendors tell of on their own. An event is a hint to read a record again: of each record one waits at most, and it is gone with the
 * transaction that stored what was read, unless it was told anew meanwhile (`version`). What was seen is remembered for as long as a
 * vendor's delivery may be repeated.
 */
const tables = `
alter table restwell.connection
  add column member_id text,
  add column listed_at timestamptz,
  add column refresh_at timestamptz,
  add column last_event_at timestamptz,
  add column held_until timestamptz,
  add column reconciliations integer not null default 0;
update restwell.connection c set
  listed_at = c.last_synced_at,
  refresh_at = c.next_sync_at,
  member_id = (select p.raw -> 'profile' ->> 'user_id' from restwell.profile p
               where p.user_id = c.user_id and p.provider = c.provider);
create index connection_by_member on restwell.connection (provider, member_id);

create sequence restwell.vendor_event_version;
create table restwell.vendor_event (
  user_id text not null,
  provider text not null,
  kind text not null check (kind in ('sleep', 'recovery', 'workout', 'cycle')),
  named_by text not null check (named_by in ('record', 'sleep')),
  provider_id text not null,
  version bigint not null default nextval('restwell.vendor_event_version'),
  received_at timestamptz not null,
  ripe_at timestamptz not null,
  primary key (user_id, provider, kind, named_by, provider_id),
  foreign key (user_id, provider) references restwell.connection on delete cascade
);

create table restwell.vendor_event_seen (
  provider text not null,
  event_key bytea not null,
  seen_at timestamptz not null,
  primary key (provider, event_key)
);
create index vendor_event_seen_by_time on restwell.vendor_event_seen (provider, seen_at);

alter table restwell.rejected_record
  add column retried_by text,
  add column retries integer not null default 0,
  add column retry_at timestamptz not null default '-infinity';
create index rejected_record_by_retry on restwell.rejected_record (retry_at);
`

/**
 * As in 0003, but for what each call is for, counted by UTC day, and for a clock that was ahead and came back. Calls of the future tell of one:
 * they go, and with them the pause that was reported among them. No vendor asks for a pause of more than a day, so a longer one is of such a
 * clock as well. Ten minutes are more than the clocks of replicas are apart.
 */
const takeVendorCall = `
create table restwell.vendor_call_count (
  provider text not null,
  day date not null,
  purpose text not null,
  calls integer not null,
  primary key (provider, day, purpose)
);

drop function restwell.take_vendor_call(text, timestamptz, integer, integer);
create function restwell.take_vendor_call(vendor text, at timestamptz, per_minute integer, per_day integer, call_purpose text)
returns double precision language plpgsql as $$
declare
  free_at timestamptz;
begin
  perform pg_advisory_xact_lock(hashtext('restwell.vendor_call'), hashtext(vendor));
  delete from restwell.vendor_call c where c.provider = vendor and c.called_at > at + interval '10 minutes';
  if found then
    delete from restwell.vendor_pause p where p.provider = vendor;
  end if;
  select max(candidate) into free_at from (
    select p.until as candidate from restwell.vendor_pause p
    where p.provider = vendor and p.until <= at + interval '1 day 1 minute'
    union all
    (select c.called_at + interval '61 seconds' from restwell.vendor_call c where c.provider = vendor and c.called_at <= at
     order by c.called_at desc offset per_minute - 1 limit 1)
    union all
    (select c.called_at + interval '86401 seconds' from restwell.vendor_call c where c.provider = vendor and c.called_at <= at
     order by c.called_at desc offset per_day - 1 limit 1)
  ) as limits;
  if free_at > at then
    return extract(epoch from free_at - at);
  end if;
  insert into restwell.vendor_call (provider, called_at) values (vendor, at);
  delete from restwell.vendor_call c where c.provider = vendor and c.called_at < at - interval '2 days';
  insert into restwell.vendor_call_count as n (provider, day, purpose, calls)
  values (vendor, (at at time zone 'UTC')::date, call_purpose, 1)
  on conflict (provider, day, purpose) do update set calls = n.calls + 1;
  return 0;
end $$;
`

export const createVendorEvents = {
  async up(database: Kysely<unknown>): Promise<void> {
    await sql.raw(tables).execute(database)
    await sql.raw(takeVendorCall).execute(database)
  },
}
