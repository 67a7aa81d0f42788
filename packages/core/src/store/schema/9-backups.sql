-- This installation. A backup does not contain it: where it is restored is an installation of its own.
create table restwell.installation (
  id uuid primary key default gen_random_uuid(),
  is_only boolean not null default true unique check (is_only),
  -- Of the schema's files and of the tables that they made: `migrate.ts`.
  fingerprint text not null
);

-- Backups: one row for each that this installation made or tried. A backup does not contain them, because they name files of this place.
create table restwell.backup (
  id uuid primary key default gen_random_uuid(),
  origin text not null check (origin in ('schedule', 'command')),
  file text not null,
  -- The machine that wrote the file.
  host text not null,
  has_secret boolean not null,
  -- `requested`: the owner wants one now, and the next worker that looks begins it.
  status text not null check (status in ('requested', 'running', 'done', 'failed')),
  started_at timestamptz not null default now(),
  ended_at timestamptz,
  bytes bigint,
  -- One sentence for the operator.
  error text,
  -- The last sign of life of the process that writes it.
  alive_at timestamptz not null default now()
);
create index backup_by_start on restwell.backup (started_at);
-- One scheduled backup at a time, over all processes.
create unique index backup_running on restwell.backup (status) where status = 'running' and origin = 'schedule';
