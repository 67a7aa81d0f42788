-- This installation. A backup does not contain it: where it is restored is an installation of its own.
create table restwell.installation (
  id uuid primary key default gen_random_uuid(),
  is_only boolean not null default true unique check (is_only),
  -- Of the schema's files and of the tables that they made: `migrate.ts`.
  fingerprint text not null
);

-- Backups that this installation made, and scheduled ones that failed. A backup does not contain them, because they name files of this place.
create table restwell.backup (
  id uuid primary key default gen_random_uuid(),
  origin text not null check (origin in ('schedule', 'command')),
  file text not null,
  -- The machine that wrote the file.
  host text not null,
  has_secret boolean not null,
  status text not null check (status in ('done', 'failed')),
  started_at timestamptz not null,
  ended_at timestamptz not null,
  bytes bigint,
  -- One sentence for the operator.
  error text
);
create index backup_by_start on restwell.backup (started_at);
