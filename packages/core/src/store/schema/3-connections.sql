-- Connections to vendors: their state, their sealed tokens, the events that vendors sent, and the calls that were made.

create table restwell.connection (
  user_id text not null references restwell.person on delete cascade,
  provider text not null,
  status text not null,
  status_reason text,
  status_changed_at timestamptz not null,
  -- Since when it does not work, and whether receivers of events were told. Null while it works.
  failing_since timestamptz,
  is_failure_told boolean not null default false,
  generation bigint not null default 0,
  connected_at timestamptz not null,
  -- Null for a source that was connected once.
  first_connected_at timestamptz,
  -- When the vendor itself was first connected. Null for what archives and pushes alone have brought.
  first_live_at timestamptz,
  member_id text,
  last_synced_at timestamptz,
  last_event_at timestamptz,
  -- The newest push from a phone. Answers show such a source as one that works, although it has no grant: restwell.shown_status.
  pushed_at timestamptz,
  -- When the newest archive that this source has data of was uploaded.
  archived_at timestamptz,
  next_sync_at timestamptz not null,
  listed_at timestamptz,
  refresh_at timestamptz,
  reconciled_at timestamptz,
  reconciliations integer not null default 0,
  retry_after timestamptz,
  failures integer not null default 0,
  sync_requested_at timestamptz,
  person_requested_at timestamptz,
  waiting_reason text check (waiting_reason in ('vendor_limit', 'minute_limit', 'day_limit', 'fair_share')),
  waiting_message text,
  waiting_until timestamptz,
  fetched_back_to timestamptz,
  history_complete boolean not null default false,
  -- When the history was complete for the first time, which the person is told once. A vendor may get older parts of it later.
  history_told_at timestamptz,
  -- Collections of the vendor that give nothing, and those whose past is still read: [{collection, reason, since, ...}], StoredGap of
  -- store/connection-tables.ts.
  gaps jsonb not null default '[]',
  -- Values within the day that are no parts of records: when they were last read, up to where, and how far back. They are read back to
  -- `samples_goal`, which is null for where the history begins.
  samples_read_at timestamptz,
  samples_until timestamptz,
  samples_back_to timestamptz,
  samples_goal timestamptz,
  primary key (user_id, provider)
);
-- The status that answers show. A source that a phone pushes to works without a connection.
create function restwell.shown_status(status text, pushed_at timestamptz) returns text language sql immutable parallel safe
return case when status = 'archive' and pushed_at is not null then 'ok' else status end;

create index connection_due on restwell.connection (next_sync_at)
  where status not in ('disconnected', 'archive', 'reauthorization_required');
create index connection_failing on restwell.connection (failing_since) where failing_since is not null and not is_failure_told;
create index connection_by_member on restwell.connection (provider, member_id);

create table restwell.vendor_grant (
  user_id text not null,
  provider text not null,
  key_id text not null,
  access_token bytea not null,
  refresh_key_id text,
  refresh_token bytea,
  expires_at timestamptz not null,
  scopes text[] not null,
  primary key (user_id, provider),
  foreign key (user_id, provider) references restwell.connection on delete cascade,
  check ((refresh_token is null) = (refresh_key_id is null))
);

create table restwell.authorization_request (
  user_id text not null references restwell.person on delete cascade,
  provider text not null,
  state text not null,
  session_id text not null,
  expires_at timestamptz not null,
  primary key (user_id, provider, state)
);

-- An event asks for one record to be read again. One row waits per record. A repeated event gets a new version,
-- so that the transaction that handled the older one leaves it in place.
create sequence restwell.vendor_event_version;
create table restwell.vendor_event (
  user_id text not null,
  provider text not null,
  kind text not null check (kind in ('sleep', 'recovery', 'workout', 'cycle')),
  named_by text not null check (named_by in ('record', 'sleep')),
  provider_id text not null,
  version bigint not null default nextval('restwell.vendor_event_version'),
  received_at timestamptz not null,
  due_at timestamptz not null,
  primary key (user_id, provider, kind, named_by, provider_id),
  foreign key (user_id, provider) references restwell.connection on delete cascade
);

-- Deliveries that were received, kept for as long as a vendor may repeat one.
create table restwell.vendor_event_seen (
  provider text not null,
  event_key bytea not null,
  seen_at timestamptz not null,
  primary key (provider, event_key)
);
create index vendor_event_seen_by_time on restwell.vendor_event_seen (provider, seen_at);

-- The app's subscription to the webhooks of a vendor that requires one. `next_at`: when to look after it again.
create table restwell.vendor_subscription (
  provider text primary key,
  callback_url text not null,
  -- When all was well last.
  kept_at timestamptz not null,
  ends_at timestamptz,
  -- What the vendor signs webhooks with, sealed. Null where it signs with the app's own secret.
  key_id text,
  secret bytea,
  check ((key_id is null) = (secret is null))
);

-- The budget of each vendor app, which all people and processes share. Where the vendor limits each person's key, `provider` is the
-- vendor's name, a slash and a hash of the person. Rows are deleted after two days, so there are at most
-- as many as the vendor allows calls. `person` is a hash of whom a call was for. `is_spare` tells requested syncs and history
-- from the news.
create table restwell.vendor_call (
  provider text not null,
  called_at timestamptz not null,
  person bigint,
  is_spare boolean not null
);
create index vendor_call_by_time on restwell.vendor_call (provider, called_at desc);
create index vendor_call_by_person on restwell.vendor_call (provider, person, is_spare, called_at desc);

create table restwell.vendor_call_count (
  provider text not null,
  day date not null,
  purpose text not null,
  calls integer not null,
  primary key (provider, day, purpose)
);

create table restwell.vendor_pause (
  provider text primary key,
  until timestamptz not null
);

-- When less than `most` of a vendor's calls lie in a window that slides, at the latest when it is over. `at` or earlier is now.
-- Calls after `at` count: another process may be ahead by a moment, or have taken one while this call waited for the lock.
create function restwell.calls_free_at(vendor text, at timestamptz, length interval, most integer)
returns timestamptz language plpgsql stable as $$
declare
  oldest timestamptz;
begin
  if most < 1 then return at + length; end if;
  select c.called_at into oldest from restwell.vendor_call c
  where c.provider = vendor
  order by c.called_at desc offset most - 1 limit 1;
  return coalesce(oldest + length, '-infinity');
end $$;

-- The same for the calls of one person, news and spare ones apart: a person's requests and history never cost them their news.
create function restwell.own_calls_free_at(
  vendor text, at timestamptz, length interval, most integer, caller text, for_spare boolean
) returns timestamptz language plpgsql stable as $$
declare
  oldest timestamptz;
begin
  if most < 1 then return at + length; end if;
  select c.called_at into oldest from restwell.vendor_call c
  where c.provider = vendor and c.person = hashtextextended(caller, 0) and c.is_spare = for_spare
  order by c.called_at desc offset most - 1 limit 1;
  return coalesce(oldest + length, '-infinity');
end $$;

-- The limits of one window: calls of all people, calls of this person, and calls of all people beyond this person's share.
create type restwell.call_window as (allowed integer, share integer, beyond integer);

-- Takes one call from a vendor's budget, atomically for all processes. Returns 0 when the call may be made, else the seconds
-- to wait and the reason. Both windows slide, and are one second longer than the vendor's, for calls that travel at different
-- speeds. A wait for the day ends when `several` calls are free: with one, a step would begin and break off.
-- A clock that was wrong may have written calls or pauses of the far future: those are removed or ignored.
create function restwell.take_vendor_call(
  vendor text, caller text, at timestamptz, call_purpose text, for_spare boolean, in_minute restwell.call_window,
  in_day restwell.call_window, several integer, out wait double precision, out reason text
) language plpgsql as $$
declare
  one_minute constant interval := '61 seconds';
  one_day constant interval := '86401 seconds';
  free_at timestamptz;
begin
  perform pg_advisory_xact_lock(hashtext('restwell.vendor_call'), hashtext(vendor));
  delete from restwell.vendor_call c where c.provider = vendor and c.called_at > at + interval '10 minutes';
  if found then
    delete from restwell.vendor_pause p where p.provider = vendor;
  end if;
  select waits.until, waits.why into free_at, reason from (
    select p.until, 'vendor_limit' as why from restwell.vendor_pause p
    where p.provider = vendor and p.until <= at + interval '1 day 1 minute'
    union all
    select restwell.calls_free_at(vendor, at, one_minute, in_minute.allowed), 'minute_limit'
    union all
    select restwell.calls_free_at(vendor, at, one_day, in_day.allowed), 'day_limit'
    union all
    select least(restwell.own_calls_free_at(vendor, at, one_minute, in_minute.share, caller, for_spare),
      restwell.calls_free_at(vendor, at, one_minute, in_minute.beyond)), 'minute_limit'
    where in_minute.beyond < in_minute.allowed
    union all
    select least(restwell.own_calls_free_at(vendor, at, one_day, in_day.share, caller, for_spare),
      restwell.calls_free_at(vendor, at, one_day, in_day.beyond)), 'fair_share'
    where in_day.beyond < in_day.allowed
  ) as waits order by waits.until desc limit 1;
  if reason = 'day_limit' and free_at > at then
    free_at := restwell.calls_free_at(vendor, at, one_day, in_day.allowed - several);
  elsif reason = 'fair_share' and free_at > at then
    free_at := least(restwell.own_calls_free_at(vendor, at, one_day, in_day.share - several, caller, for_spare),
      restwell.calls_free_at(vendor, at, one_day, in_day.beyond - several));
  end if;
  if free_at > at then
    wait := extract(epoch from free_at - at);
    return;
  end if;
  insert into restwell.vendor_call (provider, called_at, person, is_spare)
  values (vendor, at, hashtextextended(caller, 0), for_spare);
  delete from restwell.vendor_call c where c.provider = vendor and c.called_at < at - interval '2 days';
  insert into restwell.vendor_call_count as n (provider, day, purpose, calls)
  values (split_part(vendor, '/', 1), (at at time zone 'UTC')::date, call_purpose, 1)
  on conflict (provider, day, purpose) do update set calls = n.calls + 1;
  wait := 0;
end $$;
