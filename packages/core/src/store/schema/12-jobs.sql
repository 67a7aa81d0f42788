-- Jobs that wait or run. `core/src/jobs` claims them.

create table restwell.job (
  kind text not null check (kind in ('sync', 'import', 'mail', 'backup', 'subscription', 'delivery', 'notify',
    'home_assistant', 'home_assistant_history')),
  -- What it is about. There is one job of a kind for each.
  key text not null,
  -- Whose it is. Null for one of the service.
  user_id text references restwell.person on delete cascade,
  -- The order of arrival. Clocks may go back.
  number bigint not null generated always as identity,
  -- The highest runs first.
  priority integer not null,
  -- By the clock of the service. Infinite while it runs, until somebody asks for it again: then it runs once more.
  due_at timestamptz not null,
  -- The run that has it, which shows by the database's clock that it lives. Another one takes over when it was silent for too long.
  claim uuid,
  alive_at timestamptz,
  primary key (kind, key)
) with (fillfactor = 70);
create index job_of_person on restwell.job (user_id);

-- Tells the processes that there is something to do, or another setting. Each one also looks by itself, seldom.
create function restwell.announce() returns trigger language plpgsql as $$
begin
  perform pg_notify('restwell', tg_table_name);
  return null;
end $$;
create trigger announce after insert or update of due_at on restwell.job
  for each row when (new.due_at < 'infinity') execute function restwell.announce();
create trigger announce after insert or update of next_sync_at, status on restwell.connection
  for each row execute function restwell.announce();
create trigger announce after insert or update of due_at on restwell.vendor_event
  for each row execute function restwell.announce();
create trigger announce after insert or update or delete on restwell.service_setting
  for each statement execute function restwell.announce();

-- Every email has a job that sends it, and that ends with it.
create function restwell.queue_mail() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into restwell.job (kind, key, priority, due_at) values ('mail', new.id, 0, '-infinity');
  else
    delete from restwell.job where kind = 'mail' and key = old.id::text;
  end if;
  return null;
end $$;
create trigger queue after insert or delete on restwell.mail
  for each row execute function restwell.queue_mail();
