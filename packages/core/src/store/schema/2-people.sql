-- People: what Restwell adds to an account. Every key begins with the user's id, and every row ends with the account.
-- Rows that are updated in place leave room on their page (fillfactor), or their indexes would grow with every update.

create table restwell.person (
  user_id text primary key references restwell."user" (id) on delete cascade,
  plan text not null default 'free' check (plan in ('free', 'pro')),
  time_zone text,
  data_version bigint not null default 0,
  utc_offset_minutes integer
) with (fillfactor = 85);

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
) with (fillfactor = 85);

create table restwell.usage (
  user_id text not null references restwell.person on delete cascade,
  month date not null,
  used integer not null,
  by_day integer[] not null check (cardinality(by_day) = 31),
  primary key (user_id, month)
) with (fillfactor = 85);

-- Attempts at what could be guessed. The subject is a hash: of an address, an account or a network.
create table restwell.attempt (
  subject bytea primary key,
  count integer not null,
  began_at timestamptz not null,
  expires_at timestamptz not null
);
