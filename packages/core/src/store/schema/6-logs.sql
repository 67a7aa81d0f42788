-- Logs of a person: who read what, and what happened to the account. Rows are only ever added.
-- They are deleted after 90 days, by the database's own clock, or with the account. Equal reads of a UTC day become one entry after a week.

create table restwell.access_log (
  user_id text not null,
  id bigint generated always as identity,
  at timestamptz not null,
  reader text not null check (reader in ('api_key', 'assistant', 'share')),
  -- The name of a share, and of a key that has one.
  key_name text,
  client_id text,
  assistant text,
  operation text not null,
  types text[] not null,
  start_date date,
  end_date date,
  record_count integer,
  outcome text not null,
  reads integer not null default 1 check (reads > 0),
  primary key (user_id, id),
  check (reader <> 'assistant' or (client_id is not null and assistant is not null and key_name is null))
);
create index access_log_by_time on restwell.access_log (at);

create table restwell.security_event (
  user_id text not null references restwell."user" (id) on delete cascade,
  id bigint generated always as identity,
  at timestamptz not null,
  type text not null,
  detail text,
  network text,
  primary key (user_id, id)
);
create index security_event_by_time on restwell.security_event (at);

create function restwell.keep_log() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    if old.at < now() - interval '90 days' or not exists (select from restwell."user" u where u.id = old.user_id) then
      return old;
    end if;
  end if;
  raise exception '% is append-only', tg_table_name;
end $$;

-- After a week, an entry may count more reads, and the one transaction that adds them up may delete the others.
create function restwell.keep_access_log() returns trigger language plpgsql as $$
declare
  counted restwell.access_log := new;
begin
  if old.at < now() - interval '7 days' then
    if tg_op = 'DELETE' and current_setting('restwell.folds_access_log', true) = 'on' then
      return old;
    end if;
    counted.reads := old.reads;
    if tg_op = 'UPDATE' and counted is not distinct from old and new.reads >= old.reads then
      return new;
    end if;
  end if;
  if tg_op = 'DELETE' and (
    old.at < now() - interval '90 days' or not exists (select from restwell."user" u where u.id = old.user_id)) then
    return old;
  end if;
  raise exception '% is append-only', tg_table_name;
end $$;
create trigger keep_access_log before update or delete on restwell.access_log
  for each row execute function restwell.keep_access_log();
create trigger keep_whole_access_log before truncate on restwell.access_log
  for each statement execute function restwell.keep_log();
create trigger keep_security_event before update or delete on restwell.security_event
  for each row execute function restwell.keep_log();
create trigger keep_whole_security_event before truncate on restwell.security_event
  for each statement execute function restwell.keep_log();

-- The access log has no foreign key: checking it would cost every counted read a lock. A deleted account's entries are
-- deleted last, after its usage rows: a read that is being counted has then written its entry or writes none.
-- PostgreSQL fires triggers in the order of their names, and those of foreign keys begin with RI.
create function restwell.delete_access_log() returns trigger language plpgsql as $$
begin
  delete from restwell.access_log where user_id = old.user_id;
  return null;
end $$;
create trigger delete_access_log after delete on restwell.person
  for each row execute function restwell.delete_access_log();
