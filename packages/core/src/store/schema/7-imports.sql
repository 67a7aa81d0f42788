-- Archives that people upload: the file while it is read, and what it brought.
-- `record` and `profile` hold the copies that answers are made from: statements/project-archives.ts.

create table restwell.import (
  user_id text not null references restwell.person on delete cascade,
  id uuid not null default gen_random_uuid(),
  -- The order of arrival. Clocks may go back.
  number bigint not null generated always as identity,
  file_name text not null,
  size bigint not null default 0,
  kind text check (kind in (
    'whoop_archive', 'oura_archive', 'garmin_archive', 'google_takeout', 'apple_archive', 'health_connect_export',
    'gadgetbridge_export', 'sleep_as_android_export', 'restwell_export', 'push')),
  -- The provider of pushes. A person's pushes of one provider are one import that is always done.
  pushed_provider text check (pushed_provider is not null or kind is distinct from 'push'),
  status text not null check (status in ('receiving', 'queued', 'running', 'done', 'failed')),
  includes_private boolean not null,
  progress double precision not null default 0,
  -- How many processes ended one after the other while they read it, all at this progress.
  deaths integer not null default 0,
  died_at double precision not null default 0,
  report jsonb,
  -- The preferences, and the order and the choices of sources, that an export brought, so that they can be undone.
  restored jsonb,
  error text,
  created_at timestamptz not null,
  -- The last sign that somebody still sends the file, by the database's clock.
  arrived_at timestamptz not null default now(),
  primary key (user_id, id)
) with (fillfactor = 85);
create unique index import_of_pushes on restwell.import (user_id, pushed_provider);
create index import_waiting on restwell.import (number) where status in ('receiving', 'queued', 'running');

create table restwell.import_part (
  user_id text not null,
  import_id uuid not null,
  part integer not null,
  bytes bytea not null,
  primary key (user_id, import_id, part),
  foreign key (user_id, import_id) references restwell.import on delete cascade
);
-- Archives are compressed already.
alter table restwell.import_part alter column bytes set storage external;

-- Every import keeps its own rows, so that undoing one leaves what another one also brought.
create table restwell.import_record (
  user_id text not null,
  import_id uuid not null,
  provider text not null,
  kind text not null check (kind in ('sleep', 'recovery', 'workout', 'cycle')),
  provider_id text not null,
  -- True for the vendor's own id, false for an id that was made from the start.
  has_vendor_id boolean not null,
  was_direct boolean not null default false,
  -- Of the versions that several imports have, the highest counts.
  precedence double precision not null default 0,
  date date not null,
  started_at timestamptz not null,
  ended_at timestamptz,
  utc_offset_minutes integer not null,
  score_state text not null check (score_state in ('scored', 'pending', 'unscorable')),
  vendor_updated_at timestamptz not null,
  sleep_provider_id text,
  cycle_provider_id text,
  detail json not null,
  candidate json not null,
  course json,
  raw jsonb not null,
  primary key (user_id, import_id, provider, kind, provider_id),
  foreign key (user_id, import_id) references restwell.import on delete cascade
);
create index import_record_by_start on restwell.import_record (user_id, provider, started_at);

create table restwell.import_profile (
  user_id text not null,
  import_id uuid not null,
  provider text not null,
  data jsonb not null,
  raw jsonb not null,
  fetched_at timestamptz not null,
  primary key (user_id, import_id, provider),
  foreign key (user_id, import_id) references restwell.import on delete cascade
);

create table restwell.journal_answer (
  user_id text not null,
  import_id uuid not null,
  provider text not null,
  cycle_started_at timestamptz not null,
  question text not null,
  -- The vendor's id of an entry that its API has, from our own export. Empty for the answers of WHOOP's archive.
  provider_id text not null default '',
  utc_offset_minutes integer not null,
  factor text not null,
  answer boolean,
  -- An entry with an id keeps its date. Others have the date of waking of the cycle's sleep, or 12 hours after the cycle's start.
  date date not null,
  -- True if the cycle is stored. It is not where another import has the cycle with another start.
  has_cycle boolean not null default false,
  primary key (user_id, import_id, provider, cycle_started_at, question, provider_id),
  foreign key (user_id, import_id) references restwell.import on delete cascade
);
create index journal_answer_by_date on restwell.journal_answer (user_id, date);

-- Files of folders that were imported, each version once, also after the import was undone.
create table restwell.folder_file (
  user_id text not null references restwell.person on delete cascade,
  -- On the machine of the folder.
  path text not null,
  size bigint not null,
  modified_at timestamptz not null,
  -- The import of this version. It may have been undone.
  import_id uuid not null,
  -- The import of the version before, until it is known whether the new one has all of it.
  former_import_id uuid,
  primary key (user_id, path)
);
