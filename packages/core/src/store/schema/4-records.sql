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
  detail jsonb not null,
  raw jsonb not null,
  -- True for a copy from our own export, where the vendor itself had delivered the record.
  was_direct boolean not null default false,
  -- What several sources are chosen by, so that the details of other records need not be read. Names, each with a comma behind it.
  figures text not null generated always as (
    case when detail #> '{data,isNap}' = 'true' then 'nap,' else '' end
    || case when detail #> '{data,stages}' is not null then 'stages,' else '' end
    || case when detail #> '{data,score}' is not null then 'score,' else '' end
    || case when detail #> '{data,metrics,hrv}' is not null then 'hrv,' else '' end
    || case when detail #> '{data,metrics,restingHeartRate}' is not null then 'resting_heart_rate,' else '' end
    || case when detail #> '{data,strain}' is not null then 'strain,' else '' end
    || case when detail #> '{data,metrics,calories}' is not null then 'calories,' else '' end) stored,
  primary key (user_id, provider, kind, provider_id)
);
create index record_by_date on restwell.record (user_id, provider, kind, date);
-- Without the kind: the newest record of a person is one entry of this index.
create index record_by_start on restwell.record (user_id, started_at);

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
  reason text not null,
  raw jsonb not null,
  seen_at timestamptz not null,
  retried_by text,
  retries integer not null default 0,
  retry_at timestamptz not null default '-infinity',
  primary key (user_id, provider, kind, digest)
);
create index rejected_record_by_retry on restwell.rejected_record (retry_at);
