-- Connections to vendors: their state, their sealed tokens, the events that vendors sent, and the calls that were made.

create table restwell.connection (
  user_id text not null references restwell.person on delete cascade,
  provider text not null,
  status text not null,
  status_reason text,
  status_changed_at timestamptz not null,
  generation bigint not null default 0,
  connected_at timestamptz not null,
  member_id text,
  last_synced_at timestamptz,
  last_event_at timestamptz,
  next_sync_at timestamptz not null,
  listed_at timestamptz,
  refresh_at timestamptz,
  reconciled_at timestamptz,
  reconciliations integer not null default 0,
  retry_after timestamptz,
  failures integer not null default 0,
  sync_requested_at timestamptz,
  fetched_back_to timestamptz,
  history_complete boolean not null default false,
  primary key (user_id, provider)
);
create index connection_due on restwell.connection (next_sync_at)
  where status not in ('disconnected', 'archive', 'reauthorization_required');
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

-- The budget of each vendor app, which all people and processes share.
create table restwell.vendor_call (
  provider text not null,
  called_at timestamptz not null
);
create index vendor_call_by_time on restwell.vendor_call (provider, called_at desc);

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

-- Takes one call from a vendor's budget, atomically for all processes. Returns 0 when the call may be made, else the
-- seconds to wait. Both windows slide, and are one second longer than the vendor's, for calls that travel at different speeds.
-- A clock that was wrong may have written calls or pauses of the future: those are removed or ignored.
create function restwell.take_vendor_call(
  vendor text, at timestamptz, per_minute integer, per_day integer, call_purpose text
) returns double precision language plpgsql as $$
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
    (select c.called_at + interval '61 seconds' from restwell.vendor_call c
     where c.provider = vendor and c.called_at <= at
     order by c.called_at desc offset per_minute - 1 limit 1)
    union all
    (select c.called_at + interval '86401 seconds' from restwell.vendor_call c
     where c.provider = vendor and c.called_at <= at
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
