-- Assistants: what people allowed them, and what the OAuth authorization server keeps.
-- Codes, tokens and grants are found by the SHA-256 of their id. The ids themselves are not stored.

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

-- The answer to a refresh request, sealed under a key made of the refresh token, for a client that lost the answer.
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
