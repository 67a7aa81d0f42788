-- What is published to Home Assistant: the people who switched it on, and how it went.

create table restwell.home_assistant (
  user_id text primary key references restwell.person on delete cascade,
  -- Part of the topics and identifiers. It names no person.
  device text not null unique,
  -- The figures that were published once. One that has no value any more stays, as unknown.
  figures jsonb not null default '[]',
  -- The newest scored night, when Restwell had it, and whether its event was sent.
  night date,
  night_arrived_at timestamptz,
  is_night_announced boolean not null default false,
  -- Null before the first publication.
  published_at timestamptz,
  -- The history in Home Assistant: whose address it was sent to, what of each month, and when all months were last looked at.
  history_target text,
  history_months jsonb not null default '{}',
  history_checked_at timestamptz
);

-- The topics of this installation, and the last faults. `broker` is MQTT, `history` is Home Assistant's own address.
create table restwell.home_assistant_link (
  link text primary key check (link in ('broker', 'history')),
  installation text not null,
  -- Since when it fails, and how. Null while it works.
  failing_since timestamptz,
  failure text
);

-- Each change of a person's data is published. The jobs are requested in its transaction.
create function restwell.request_publication(person text) returns void language sql as $$
  insert into restwell.job (kind, key, user_id, priority, due_at)
  select kind, h.device, h.user_id, 1, '-infinity'
  from restwell.home_assistant h, unnest(array['home_assistant', 'home_assistant_history']) as kind
  where h.user_id = person
  on conflict (kind, key) do update set due_at = excluded.due_at;
$$;
create function restwell.publish_person() returns trigger language plpgsql as $$
begin
  perform restwell.request_publication(new.user_id);
  return null;
end $$;
create trigger publish after update of data_version on restwell.person
  for each row when (new.data_version <> old.data_version) execute function restwell.publish_person();
create trigger publish after insert on restwell.home_assistant
  for each row execute function restwell.publish_person();

-- What is retained at the broker goes with the switch, and with the account.
create function restwell.unpublish_person() returns trigger language plpgsql as $$
begin
  insert into restwell.job (kind, key, priority, due_at) values ('home_assistant', 'remove ' || old.device, 1, '-infinity');
  return null;
end $$;
create trigger unpublish after delete on restwell.home_assistant
  for each row execute function restwell.unpublish_person();
