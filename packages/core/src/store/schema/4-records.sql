-- Health data: the normalised records with the vendor's payload beside them, profiles, and records that could not be read.

-- Names of the figures that a record has, each with a comma behind it. With page_only, assistants must not get the record.
create function restwell.figures_of(detail jsonb) returns text language sql immutable parallel safe
return case when detail -> 'isNap' = 'true' then 'nap,' else '' end
  || case when detail -> 'assistants' = 'false' then 'page_only,' else '' end
  || case when detail #> '{stages,remMs}' is not null then 'stages,' else '' end
  || case when detail -> 'scorePercent' is not null then 'score,' else '' end
  || case when detail -> 'hrvMs' is not null then 'hrv,' else '' end
  || case when detail -> 'restingHeartRateBpm' is not null then 'resting_heart_rate,' else '' end
  || case when detail -> 'strain' is not null then 'strain,' else '' end
  || case when detail -> 'energyKcal' is not null then 'calories,' else '' end;

-- Time asleep: light, deep and REM sleep, or the figure of a device without stages. Null where neither is known.
create function restwell.asleep_of(detail jsonb) returns double precision language sql immutable parallel safe
return (
  with stages as (select detail -> 'stages' as of)
  select coalesce((of ->> 'lightMs')::float8 + (of ->> 'deepMs')::float8 + coalesce((of ->> 'remMs')::float8, 0), (detail ->> 'asleepMs')::float8)
  from stages);

-- What a record is chosen by among those of several sources: a Candidate of `statements/health-fact.ts`. Only naps and workouts are chosen
-- one by one.
create function restwell.candidate_of(
  kind text, provider text, provider_id text, from_archive boolean, date date, started_at timestamptz, ended_at timestamptz, score_state text,
  detail jsonb)
returns text language sql immutable parallel safe
return json_build_object(
  'kind', kind, 'provider', provider, 'fromArchive', from_archive, 'date', to_char(date, 'YYYY-MM-DD'),
  'figures', restwell.figures_of(detail), 'isAwaited', kind = 'cycle' and (score_state = 'pending' or ended_at is null),
  'night', case when kind = 'sleep' and detail -> 'isNap' = 'false' then json_build_object(
    'startMs', (extract(epoch from started_at) * 1000)::bigint, 'endMs', (extract(epoch from ended_at) * 1000)::bigint,
    'device', detail -> 'device', 'asleepMs', restwell.asleep_of(detail), 'isPending', score_state = 'pending') end,
  'activity', case when kind = 'workout' or detail -> 'isNap' = 'true' then json_build_object(
    'providerId', provider_id, 'startMs', (extract(epoch from started_at) * 1000)::bigint,
    'endMs', (extract(epoch from ended_at) * 1000)::bigint) end)::text;

-- A record as answers and statistics need it: a HealthFact of `statements/health-fact.ts`. Instants are milliseconds since the epoch.
create function restwell.fact_of(
  kind text, provider text, provider_id text, from_archive boolean, date date, started_at timestamptz, ended_at timestamptz,
  utc_offset_minutes integer, score_state text, cycle_provider_id text, skin_temp_deviation double precision, detail jsonb)
returns text language sql immutable parallel safe
return (jsonb_build_object(
  'kind', kind, 'provider', provider, 'providerId', provider_id, 'fromArchive', from_archive, 'date', to_char(date, 'YYYY-MM-DD'),
  'figures', restwell.figures_of(detail), 'scoreState', score_state, 'device', detail -> 'device',
  'startMs', (extract(epoch from started_at) * 1000)::bigint, 'utcOffsetMinutes', coalesce(utc_offset_minutes, 0))
  || case kind
    when 'sleep' then jsonb_build_object(
      'endMs', (extract(epoch from ended_at) * 1000)::bigint,
      'startUtcOffsetMinutes', detail -> 'startUtcOffsetMinutes', 'endUtcOffsetMinutes', detail -> 'endUtcOffsetMinutes',
      'isNap', detail -> 'isNap', 'durationMs', detail -> 'durationMs', 'score', detail -> 'scorePercent',
      'efficiency', detail -> 'efficiencyPercent', 'consistency', detail -> 'consistencyPercent',
      'respiratoryRate', detail -> 'respiratoryRatePerMinute', 'needMs', detail -> 'needMs',
      'stages', detail -> 'stages', 'asleepMs', detail -> 'asleepMs',
      'heartRate', nullif(jsonb_strip_nulls(jsonb_build_object('mean', detail -> 'averageHeartRateBpm',
        'lowest', detail -> 'lowestHeartRateBpm', 'lowestAtMs', detail -> 'lowestHeartRateAtMs')), '{}'))
    when 'recovery' then jsonb_build_object(
      'cycleProviderId', cycle_provider_id, 'score', detail -> 'scorePercent', 'hrv', detail -> 'hrvMs', 'hrvMethod', detail -> 'hrvMethod',
      'restingHeartRate', detail -> 'restingHeartRateBpm', 'spo2', detail -> 'spo2Percent',
      'skinTempCelsius', detail -> 'skinTempCelsius', 'skinTempDeviation', skin_temp_deviation)
    when 'workout' then jsonb_build_object(
      'endMs', (extract(epoch from ended_at) * 1000)::bigint,
      'startUtcOffsetMinutes', detail -> 'startUtcOffsetMinutes', 'endUtcOffsetMinutes', detail -> 'endUtcOffsetMinutes',
      'countsAsWorkout', detail -> 'countsAsWorkout', 'durationMs', detail -> 'durationMs',
      'sportType', detail -> 'sportType', 'strain', detail -> 'strain',
      'averageHeartRate', detail -> 'averageHeartRateBpm', 'maxHeartRate', detail -> 'maxHeartRateBpm',
      'calories', detail -> 'energyKcal', 'distance', detail -> 'distanceMeters', 'zones', detail -> 'zones')
    when 'cycle' then jsonb_build_object(
      'endMs', (extract(epoch from ended_at) * 1000)::bigint,
      'startUtcOffsetMinutes', detail -> 'startUtcOffsetMinutes', 'endUtcOffsetMinutes', detail -> 'endUtcOffsetMinutes',
      'strain', detail -> 'strain', 'calories', detail -> 'energyKcal',
      'averageHeartRate', detail -> 'averageHeartRateBpm', 'maxHeartRate', detail -> 'maxHeartRateBpm',
      'steps', detail -> 'steps', 'activeCalories', detail -> 'activeEnergyKcal', 'distanceMeters', detail -> 'distanceMeters')
  end)::text;

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
  -- What sources are chosen by, and what answers and statistics are made of. Reading them takes a quarter of the time of `detail`. They
  -- stand before the large columns: a history is read in 6.4 ms so, in 8.8 ms after them.
  candidate text generated always as (
    restwell.candidate_of(
      kind, provider, provider_id, from_archive and not was_direct, date, started_at, ended_at, score_state, detail)) stored,
  fact text generated always as (
    restwell.fact_of(kind, provider, provider_id, from_archive and not was_direct, date, started_at, ended_at, utc_offset_minutes,
      score_state, cycle_provider_id, skin_temp_deviation, detail)) stored,
  detail jsonb not null,
  raw jsonb not null,
  primary key (user_id, provider, kind, provider_id)
);
create index record_by_date on restwell.record (user_id, provider, kind, date);
-- Without the kind: the newest record of a person is one entry of this index.
create index record_by_start on restwell.record (user_id, started_at);
-- The few records that are used without a field are counted without reading the others.
create index record_with_left_out on restwell.record (provider) where detail ? 'leftOut';

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
  retried_by text,
  retries integer not null default 0,
  retry_at timestamptz not null default '-infinity',
  primary key (user_id, provider, kind, digest)
);
create index rejected_record_by_date on restwell.rejected_record (user_id, date);
create index rejected_record_by_retry on restwell.rejected_record (retry_at);
