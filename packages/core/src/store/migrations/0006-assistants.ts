import { type Kysely, sql } from "kysely"

/**
 * What the authorization server keeps, and what people allowed to whom. Codes, tokens and grants are found by the SHA-256 of their id alone.
 * A client's row is gone when nobody used it for long; what a person allowed to it goes with the person.
 */
const tables = `
create table restwell.oauth_client (
  client_id text primary key,
  metadata jsonb not null,
  secret_key_id text,
  secret bytea,
  created_at timestamptz not null,
  last_used_at timestamptz
);
create index oauth_client_unused on restwell.oauth_client (created_at) where last_used_at is null;

create table restwell.oauth_record (
  id_hash bytea primary key,
  kind text not null,
  payload jsonb not null,
  grant_hash bytea,
  user_id text references restwell."user" (id) on delete cascade,
  client_id text,
  consumed_at timestamptz,
  expires_at timestamptz not null
);
create index oauth_record_by_grant on restwell.oauth_record (grant_hash);
create index oauth_record_by_person on restwell.oauth_record (user_id, client_id);
create index oauth_record_by_end on restwell.oauth_record (expires_at);

-- What a refresh token was answered with, sealed under a key that only its holder has.
create table restwell.refresh_reply (
  token_hash bytea primary key references restwell.oauth_record (id_hash) on delete cascade,
  successor_hash bytea not null,
  reply bytea not null,
  reply_key_id text not null,
  replied_at timestamptz not null
);
create index refresh_reply_by_successor on restwell.refresh_reply (successor_hash);

create table restwell.signing_key (
  id text primary key,
  key_id text not null,
  sealed bytea not null,
  created_at timestamptz not null
);

create table restwell.assistant (
  user_id text not null references restwell."user" (id) on delete cascade,
  client_id text not null,
  name text not null,
  verified_host text,
  redirect_host text not null,
  scopes text[] not null,
  declined text[] not null,
  days integer,
  connected_at timestamptz not null,
  last_read_at timestamptz,
  primary key (user_id, client_id)
);

create table restwell.access_log (
  id bigint generated always as identity primary key,
  user_id text not null references restwell."user" (id) on delete cascade,
  at timestamptz not null,
  client_id text not null,
  assistant text not null,
  operation text not null,
  types text[] not null,
  start_date date,
  end_date date,
  outcome text not null
);
create index access_log_by_person on restwell.access_log (user_id, id desc);

create function restwell.keep_access_log() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' and not exists (select from restwell."user" u where u.id = old.user_id) then
    return old;
  end if;
  raise exception 'the access log is only added to';
end $$;
create trigger keep_access_log before update or delete on restwell.access_log
  for each row execute function restwell.keep_access_log();
`

export const createAssistants = {
  async up(database: Kysely<unknown>): Promise<void> {
    await sql.raw(tables).execute(database)
  },
}
