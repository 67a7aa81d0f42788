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
