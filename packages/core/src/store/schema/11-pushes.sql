-- Pushes: a program on the person's phone sends what the phone knows, with a token that can do nothing else.

create table restwell.ingest_token (
  user_id text not null references restwell.person on delete cascade,
  id uuid not null default gen_random_uuid(),
  -- SHA-256 of the token, which is not stored.
  token_hash bytea not null unique,
  prefix text not null,
  name text not null,
  created_at timestamptz not null,
  last_used_at timestamptz,
  primary key (user_id, id)
) with (fillfactor = 85);

-- Pushed rows that records are made of, by the UTC day of their start: gzip of JSON, packed by archives/pushed-rows.ts. Every push merges
-- its rows and makes the records of these days again, so that the store depends on the rows alone, and not on their order or batches.
create table restwell.pushed_day (
  user_id text not null,
  import_id uuid not null,
  day date not null,
  rows bytea not null,
  -- Short hashes of the rows that have an id, by which the day of a stored version is found.
  ids integer[] not null,
  primary key (user_id, import_id, day),
  foreign key (user_id, import_id) references restwell.import on delete cascade
) with (fillfactor = 85);
alter table restwell.pushed_day alter column rows set storage external;

-- Pushes that are received and not stored yet, and the reports of slow ones. The body is stored before the push is acknowledged.
create table restwell.push (
  user_id text not null,
  id uuid not null default gen_random_uuid(),
  -- A token that ends ends its pushes.
  token_id uuid not null,
  provider text not null,
  is_gzip boolean not null,
  -- How its counts are added up, where the program says it.
  aggregation text,
  status text not null check (status in ('receiving', 'queued', 'done', 'failed')),
  -- True once the sender was told to ask for the report. Others are deleted with their end.
  is_acknowledged boolean not null default false,
  -- The pieces that are stored, and what they changed.
  pieces integer not null default 0,
  report jsonb not null default '{"stored": 0, "unchanged": 0, "ignored": []}',
  error text,
  created_at timestamptz not null,
  -- The process that stores it. Another one takes over when it was silent for too long, by the database's clock.
  claimed_by uuid,
  claimed_at timestamptz,
  -- How many processes died while they stored it.
  deaths integer not null default 0,
  primary key (user_id, id),
  foreign key (user_id, token_id) references restwell.ingest_token on delete cascade
) with (fillfactor = 85);
create index push_by_token on restwell.push (user_id, token_id);
create index push_waiting on restwell.push (claimed_at) where status in ('receiving', 'queued');

create table restwell.push_part (
  user_id text not null,
  push_id uuid not null,
  part integer not null,
  bytes bytea not null,
  primary key (user_id, push_id, part),
  foreign key (user_id, push_id) references restwell.push on delete cascade
);
alter table restwell.push_part alter column bytes set storage external;

-- Rows that were stored on the newest UTC day of pushes.
create table restwell.push_usage (
  user_id text primary key references restwell.person on delete cascade,
  day date not null,
  rows bigint not null
) with (fillfactor = 85);
