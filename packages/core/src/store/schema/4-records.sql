-- Health data: the normalised records with the vendor's payload beside them, profiles, and records that could not be read.

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
  -- True for the copy of an archive's record. It gives way to the vendor's own.
  from_archive boolean not null default false,
  -- True for a copy from our own export, where the vendor itself had delivered the record.
  was_direct boolean not null default false,
  -- The record, and the fields that sources are chosen by: RECORD_SCHEMAS of packages/providers. As text they are read without work.
  detail json not null,
  candidate json not null,
  -- The phases of a night.
  course json,
  raw jsonb not null,
  primary key (user_id, provider, kind, provider_id)
);
create index record_by_date on restwell.record (user_id, provider, kind, date);
-- Without the kind: the newest record of a person is one entry of this index.
create index record_by_start on restwell.record (user_id, started_at);
-- The few records that are used without a field are counted without reading the others.
create index record_with_left_out on restwell.record (provider) where detail -> 'leftOut' is not null;

-- What is stored of a record as it is read: with what is derived from other records behind it. Of equal keys the last one counts. The last
-- brace is cut off as a byte: to count characters takes seven times as long as the rest.
create function restwell.stored_record(r restwell.record, content json) returns text language sql stable parallel safe
return convert_from(substring(textsend(content::text) from 1 for octet_length(content::text) - 1), 'UTF8')
  || ', "provider": "' || r.provider || '", "fromArchive": ' || (r.from_archive and not r.was_direct)
  || ', "date": "' || r.date || '"'
  || case when r.kind = 'recovery' then ', "startMs": ' || (extract(epoch from r.started_at) * 1000)::bigint
      || ', "utcOffsetMinutes": ' || coalesce(r.utc_offset_minutes, 0)
      || coalesce(', "skinTempDeviationCelsius": ' || r.skin_temp_deviation, '')
    else '' end
  || '}';

-- Which source the person prefers, by type, and for single dates.
create table restwell.source_order (
  user_id text not null references restwell.person on delete cascade,
  type text not null check (type in ('sleep', 'recovery', 'workout', 'cycle')),
  providers text[] not null,
  primary key (user_id, type)
);
create table restwell.source_choice (
  user_id text not null references restwell.person on delete cascade,
  type text not null check (type in ('sleep', 'recovery', 'workout', 'cycle')),
  date date not null,
  provider text not null,
  primary key (user_id, type, date)
);

create table restwell.profile (
  user_id text not null references restwell.person on delete cascade,
  provider text not null,
  data jsonb not null,
  raw jsonb not null,
  fetched_at timestamptz not null,
  from_archive boolean not null default false,
  primary key (user_id, provider)
);

create table restwell.rejected_record (
  user_id text not null references restwell.person on delete cascade,
  provider text not null,
  kind text not null,
  digest bytea not null,
  provider_id text,
  -- The date that lacks the record. Null where the payload does not tell it, and where an earlier version of the record is stored.
  date date,
  reason text not null,
  raw jsonb not null,
  seen_at timestamptz not null,
  -- Where the list begins that has a payload without an id. Null for a payload that was requested by its id.
  listed_from timestamptz,
  retried_by text,
  retries integer not null default 0,
  retry_at timestamptz not null default '-infinity',
  primary key (user_id, provider, kind, digest)
);
create index rejected_record_by_date on restwell.rejected_record (user_id, date);
create index rejected_record_by_retry on restwell.rejected_record (retry_at);
