-- Values within the day. A row has the samples of one person, type, source and UTC day, packed by store/packed-samples.ts. One row a
-- sample would take 25 times the space.

create table restwell.series_day (
  user_id text not null references restwell.person on delete cascade,
  type text not null,
  provider text not null,
  -- The UTC day in which the samples begin.
  day date not null,
  -- The device or app that a collector names. Empty where there is none.
  device text not null default '',
  -- How an HRV was computed. Empty for other types.
  method text not null default '',
  -- The vendor's id of the record that the samples are a part of. They change and end with it. Empty for samples on their own.
  record_id text not null default '',
  count integer not null check (count between 1 and 100000),
  samples bytea not null,
  primary key (user_id, type, provider, day, device, method, record_id)
);
create index series_day_by_record on restwell.series_day (user_id, provider, record_id) where record_id <> '';
-- Packed samples hardly shrink, and reading them uncompressed is faster.
alter table restwell.series_day alter column samples set storage external;

-- Samples of a vendor that cannot be used, and workouts that it hides, counted by reason. A read of the day, or of the record, replaces them.
create table restwell.series_left_out (
  user_id text not null references restwell.person on delete cascade,
  provider text not null,
  type text not null,
  day date not null,
  record_id text not null default '',
  reason text not null,
  count integer not null check (count > 0),
  primary key (user_id, provider, type, day, record_id, reason)
);
create index series_left_out_by_record on restwell.series_left_out (user_id, provider, record_id) where record_id <> '';

-- Every import keeps its own samples, so that undoing one leaves what another one also brought.
create table restwell.import_series_day (
  user_id text not null,
  import_id uuid not null,
  type text not null,
  provider text not null,
  day date not null,
  device text not null default '',
  -- What the device says that it is. Null where its name alone tells it.
  device_kind text,
  method text not null default '',
  record_id text not null default '',
  -- True for samples of our own export that the vendor itself had delivered.
  was_direct boolean not null default false,
  count integer not null check (count between 1 and 100000),
  samples bytea not null,
  primary key (user_id, import_id, type, provider, day, device, method, record_id),
  foreign key (user_id, import_id) references restwell.import on delete cascade
);
create index import_series_day_by_day on restwell.import_series_day (user_id, type, provider, day);
alter table restwell.import_series_day alter column samples set storage external;

-- All samples that count. Those of a record that the vendor itself has hide the archive's copy, and so does what hides the record.
create view restwell.series as
  select s.user_id, s.type, s.provider, s.day, s.device, null::text as device_kind, s.method, s.record_id, s.count, s.samples,
    false as from_archive, null::bigint as import_number
  from restwell.series_day s
  union all
  select j.user_id, j.type, j.provider, j.day, j.device, j.device_kind, j.method, j.record_id, j.count, j.samples, not j.was_direct, i.number
  from restwell.import_series_day j
  join restwell.import i on i.user_id = j.user_id and i.id = j.import_id and i.status = 'done'
  where j.record_id = '' or (exists (
    select from restwell.record r
    where r.user_id = j.user_id and r.provider = j.provider and r.kind = 'sleep' and r.provider_id = j.record_id)
  -- A night of which the archive has the samples alone.
  or not exists (
    select from restwell.import_record a
    where a.user_id = j.user_id and a.import_id = j.import_id and a.provider = j.provider and a.kind = 'sleep' and a.provider_id = j.record_id))
  and not exists (
    select from restwell.series_day d
    where d.user_id = j.user_id and d.provider = j.provider and d.record_id = j.record_id and d.record_id <> '');
