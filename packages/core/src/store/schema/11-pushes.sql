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
  primary key (user_id, import_id, day),
  foreign key (user_id, import_id) references restwell.import on delete cascade
) with (fillfactor = 85);
alter table restwell.pushed_day alter column rows set storage external;
