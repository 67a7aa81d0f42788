import { type Kysely, sql } from "kysely"
import { accountsSql } from "./accounts.sql.ts"

/** Every table of a person begins its key with the user's id and ends with the account. */
const tables = `
create table restwell.person (
  user_id text primary key references restwell."user" (id) on delete cascade,
  plan text not null default 'free' check (plan in ('free', 'pro')),
  time_zone text,
  data_version bigint not null default 0,
  utc_offset_minutes integer
);

create function restwell.create_person() returns trigger language plpgsql as $$
begin
  insert into restwell.person (user_id) values (new.id);
  return new;
end $$;
create trigger create_person after insert on restwell."user" for each row execute function restwell.create_person();

create table restwell.api_key (
  user_id text primary key references restwell.person on delete cascade,
  key_hash bytea not null unique,
  prefix text not null,
  created_at timestamptz not null,
  last_used_at timestamptz
);

create table restwell.usage (
  user_id text not null references restwell.person on delete cascade,
  month date not null,
  used integer not null,
  primary key (user_id, month)
);

create table restwell.connection (
  user_id text not null references restwell.person on delete cascade,
  provider text not null,
  status text not null,
  status_reason text,
  status_changed_at timestamptz not null,
  generation bigint not null default 0,
  connected_at timestamptz not null,
  last_synced_at timestamptz,
  next_sync_at timestamptz not null,
  reconciled_at timestamptz,
  failures integer not null default 0,
  sync_requested_at timestamptz,
  fetched_back_to timestamptz,
  history_complete boolean not null default false,
  primary key (user_id, provider)
);
create index connection_due on restwell.connection (next_sync_at) where status not in ('disconnected', 'reauthorization_required');

create table restwell.vendor_grant (
  user_id text not null,
  provider text not null,
  key_id text not null,
  access_token bytea not null,
  refresh_token bytea,
  expires_at timestamptz not null,
  scopes text[] not null,
  primary key (user_id, provider),
  foreign key (user_id, provider) references restwell.connection on delete cascade
);

create table restwell.authorization_request (
  user_id text not null references restwell.person on delete cascade,
  provider text not null,
  state text not null,
  session_id text not null,
  expires_at timestamptz not null,
  primary key (user_id, provider, state)
);

create table restwell.record (
  user_id text not null references restwell.person on delete cascade,
  provider text not null,
  kind text not null check (kind in ('sleep', 'recovery', 'workout', 'cycle')),
  provider_id text not null,
  date date,
  started_at timestamptz,
  ended_at timestamptz,
  utc_offset_minutes integer,
  score_state text not null check (score_state in ('scored', 'pending', 'unscorable')),
  vendor_updated_at timestamptz not null,
  sleep_provider_id text,
  cycle_provider_id text,
  skin_temp_deviation double precision,
  detail jsonb not null,
  raw jsonb not null,
  primary key (user_id, provider, kind, provider_id)
);
create index record_by_date on restwell.record (user_id, provider, kind, date);
create index record_by_start on restwell.record (user_id, provider, kind, started_at);

create table restwell.profile (
  user_id text not null references restwell.person on delete cascade,
  provider text not null,
  data jsonb not null,
  raw jsonb not null,
  fetched_at timestamptz not null,
  primary key (user_id, provider)
);

create table restwell.rejected_record (
  user_id text not null references restwell.person on delete cascade,
  provider text not null,
  kind text not null,
  digest bytea not null,
  provider_id text,
  reason text not null,
  raw jsonb not null,
  seen_at timestamptz not null,
  primary key (user_id, provider, kind, digest)
);

create table restwell.vendor_call (
  provider text not null,
  called_at timestamptz not null
);
create index vendor_call_by_time on restwell.vendor_call (provider, called_at desc);

create table restwell.attempt (
  subject bytea primary key,
  count integer not null,
  began_at timestamptz not null,
  expires_at timestamptz not null
);

create table restwell.vendor_pause (
  provider text primary key,
  until timestamptz not null
);
`

export const createTables = {
  async up(database: Kysely<unknown>): Promise<void> {
    await sql.raw(accountsSql).execute(database)
    await sql.raw(tables).execute(database)
  },
}
