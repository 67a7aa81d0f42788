-- Telling: where a person wants messages, and the messages that wait for a receiver or were sent. `core/src/tell` sends them.

create table restwell.receiver (
  user_id text not null references restwell.person on delete cascade,
  id uuid not null default gen_random_uuid(),
  kind text not null check (kind in ('webhook', 'ntfy', 'push')),
  url text not null,
  -- The name of a browser, and the session that turned it on: signing out ends it. Null for other kinds.
  name text,
  session_id text,
  -- The types of events that a webhook wants. Null for other kinds, which get messages alone.
  events text[],
  -- Whether events contain the record.
  include_figures boolean not null default false,
  -- What signs or opens, sealed. After a rotation the former one signs too, for a day.
  key_id text,
  secret bytea,
  former_key_id text,
  former_secret bytea,
  former_until timestamptz,
  created_at timestamptz not null,
  -- Failed attempts in a row, since when, and when the next attempt may be made.
  failures integer not null default 0,
  failing_since timestamptz,
  retry_at timestamptz,
  -- It gets nothing any more, and why.
  disabled_at timestamptz,
  disabled_reason text,
  primary key (user_id, id),
  check ((name is null) = (session_id is null)),
  check ((secret is null) = (key_id is null)),
  check ((former_secret is null) = (former_key_id is null))
) with (fillfactor = 85);

-- One message for one receiver. It is written in the transaction that stores what it is about, and has no figures of a record:
-- those are read when it is sent, so that a late attempt never brings an older state.
create table restwell.delivery (
  user_id text not null,
  receiver_id uuid not null,
  -- The receiver sees it as `webhook-id`. Attempts and redeliveries keep it.
  id uuid not null default gen_random_uuid(),
  -- The order of arrival. Clocks may go back.
  number bigint not null generated always as identity,
  type text not null,
  data jsonb not null,
  -- The vendor's id of the record it is about, or null.
  record_id text,
  created_at timestamptz not null,
  status text not null default 'waiting' check (status in ('waiting', 'delivered', 'failed')),
  attempts integer not null default 0,
  -- When the next attempt is due, by the clock of the service. Null for at once: clocks of processes differ.
  due_at timestamptz,
  first_attempt_at timestamptz,
  last_attempt_at timestamptz,
  duration_ms integer,
  -- The status and the words of the last answer. The status is null where there was none.
  answer_status integer,
  answer text,
  primary key (user_id, receiver_id, id),
  foreign key (user_id, receiver_id) references restwell.receiver on delete cascade
) with (fillfactor = 70);
create index delivery_by_number on restwell.delivery (user_id, receiver_id, number);
-- The order in which they are sent.
create index delivery_waiting on restwell.delivery (user_id, receiver_id, attempts desc, number) where status = 'waiting';
create index delivery_of_record on restwell.delivery (user_id, receiver_id, record_id) where status = 'waiting';
create index delivery_ended on restwell.delivery (created_at) where status <> 'waiting';
