-- What people are told without asking: what they chose, and what was sent.

-- Without a row, nothing is sent. The briefing and each rule have the time from which they count, so that a change tells nothing of a
-- morning that is over.
create table restwell.notification_settings (
  user_id text primary key references restwell.person on delete cascade,
  briefing jsonb not null,
  briefing_since timestamptz not null,
  rules jsonb not null,
  -- By the rule's id.
  rules_since jsonb not null,
  quiet jsonb,
  ntfy_url text,
  -- An access token of ntfy, sealed with the operator's secret.
  ntfy_key_id text,
  ntfy_token bytea,
  home_assistant boolean not null,
  check ((ntfy_token is null) = (ntfy_key_id is null)),
  check (ntfy_token is null or ntfy_url is not null)
) with (fillfactor = 85);

-- The mornings that were scored, each with what is done of it. A night is told once, however often it changes afterwards.
create table restwell.morning (
  user_id text not null references restwell.person on delete cascade,
  date date not null,
  -- When the score was first seen.
  scored_at timestamptz not null,
  rules_judged_at timestamptz,
  briefed_at timestamptz,
  primary key (user_id, date)
) with (fillfactor = 85);

-- A history that has arrived, by a first sync or an import, until its summary is sent. Nothing else is sent of it.
create table restwell.arrived_history (
  user_id text not null references restwell.person on delete cascade,
  provider text not null,
  arrived_at timestamptz not null,
  primary key (user_id, provider)
);

-- What was handed to the channels, in the same transaction.
create table restwell.notice (
  user_id text not null references restwell.person on delete cascade,
  id uuid not null default gen_random_uuid(),
  -- What it is about: the briefing, a rule by its id, or the summary of a history. There is one of each for a date.
  subject text not null,
  date date not null,
  channels text[] not null,
  message jsonb not null,
  sent_at timestamptz not null,
  primary key (user_id, id),
  unique (user_id, date, subject)
);
alter table restwell.mail add foreign key (user_id, notice_id) references restwell.notice on delete cascade;
