-- People: what Restwell adds to an account. Every key begins with the user's id, and every row ends with the account.
-- Rows that are updated in place leave room on their page (fillfactor), or their indexes would grow with every update.

create table restwell.person (
  user_id text primary key references restwell."user" (id) on delete cascade,
  plan text not null default 'free' check (plan in ('free', 'pro')),
  time_zone text,
  data_version bigint not null default 0,
  utc_offset_minutes integer,
  -- Whether an email tells the person when a connection has to be renewed.
  reconnect_mail boolean not null default true,
  -- How the page and assistants write figures and clock times. Null until the person or their browser sets it.
  units text check (units in ('metric', 'imperial')),
  clock text check (clock in ('24h', '12h')),
  first_weekday text check (first_weekday in ('monday', 'sunday', 'saturday')),
  -- Names of weekdays. Null for Saturday and Sunday.
  days_off text[],
  -- The order of the cards of the page Trends, and those that are hidden. Cards of later versions are in neither.
  trend_cards text[],
  hidden_cards text[],
  -- Whether the person answered the question for a main device with none.
  no_main_device boolean,
  -- Those of the columns above that the browser suggested. An import of an export replaces them.
  suggested_preferences text[] not null default '{}'
) with (fillfactor = 85);

-- Invitations that nobody has accepted. `token_hash` is the SHA-256 of the link's token, which is not stored.
-- `claimed_for` is the address of the account that is being created with it.
create table restwell.invitation (
  id uuid primary key default gen_random_uuid(),
  token_hash bytea not null unique,
  email text,
  plan text not null check (plan in ('free', 'pro')),
  created_at timestamptz not null,
  expires_at timestamptz not null,
  claimed_for text,
  claimed_at timestamptz
);

-- The invitation ends in the transaction that creates its account, so that one link never makes two accounts.
create function restwell.create_person() returns trigger language plpgsql as $$
declare
  invited_plan text;
begin
  with accepted as (delete from restwell.invitation where claimed_for = new.email returning plan)
    select max(plan) into invited_plan from accepted;
  insert into restwell.person (user_id, plan) values (new.id, coalesce(invited_plan, 'free'));
  return new;
end $$;
create trigger create_person after insert on restwell."user" for each row execute function restwell.create_person();

-- A person has one key that opens everything, which has no name, and may have others with a name that open less.
create table restwell.api_key (
  user_id text not null references restwell.person on delete cascade,
  id uuid not null default gen_random_uuid(),
  key_hash bytea not null unique,
  prefix text not null,
  name text,
  types text[],
  days integer,
  expires_at timestamptz,
  created_at timestamptz not null,
  last_used_at timestamptz,
  primary key (user_id, id),
  check (name is not null or (types is null and days is null and expires_at is null))
) with (fillfactor = 85);
create unique index primary_api_key on restwell.api_key (user_id) where name is null;

-- Links for others. Each opens the report of some types and of the last dates until its end.
create table restwell.share (
  user_id text not null references restwell.person on delete cascade,
  id uuid not null default gen_random_uuid(),
  -- SHA-256 of the token, which is not stored.
  token_hash bytea not null unique,
  prefix text not null,
  name text not null,
  types text[],
  days integer,
  expires_at timestamptz not null,
  created_at timestamptz not null,
  last_viewed_at timestamptz,
  primary key (user_id, id)
) with (fillfactor = 85);

create table restwell.usage (
  user_id text not null references restwell.person on delete cascade,
  month date not null,
  used integer not null,
  by_day integer[] not null check (cardinality(by_day) = 31),
  primary key (user_id, month)
) with (fillfactor = 85);

-- Attempts at what could be guessed. The subject is a hash: of an address, an account or a network.
create table restwell.attempt (
  subject bytea primary key,
  count integer not null,
  began_at timestamptz not null,
  expires_at timestamptz not null
);
create index attempt_by_end on restwell.attempt (expires_at);

-- Links that set a new password. A link works once: using one deletes all of the person's.
create table restwell.password_reset (
  user_id text not null references restwell."user" (id) on delete cascade,
  token_hash bytea not null unique,
  removes_two_factor boolean not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  primary key (user_id, token_hash)
);

-- Emails to send. They contain no link: its token is made when the email is sent.
-- A request for a password reset names an address, and the sender finds out whether it has an account.
create table restwell.mail (
  id uuid primary key default gen_random_uuid(),
  kind text not null check (kind in ('password_reset', 'reconnect', 'invitation', 'passkey_added', 'passkey_removed', 'notice')),
  user_id text references restwell."user" (id) on delete cascade,
  address text,
  provider text,
  invitation_id uuid references restwell.invitation on delete cascade,
  -- What it says, in restwell.notice.
  notice_id uuid,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  attempts integer not null default 0,
  sent_at timestamptz,
  error text
);
create index mail_by_person on restwell.mail (user_id);

-- The owner of this installation. The set-up or the operator's command appoints one, no sign-up does.
create table restwell.owner (
  is_only boolean primary key default true check (is_only),
  user_id text not null references restwell."user" (id) on delete cascade
);

-- The new owner gets the plan pro. The owner may choose another one afterwards.
create function restwell.give_owner_pro() returns trigger language plpgsql as $$
begin
  update restwell.person set plan = 'pro' where user_id = new.user_id;
  return new;
end $$;
create trigger give_owner_pro after insert or update of user_id on restwell.owner
  for each row execute function restwell.give_owner_pro();

-- Settings that the owner makes on the page Service, by the names of the environment variables that take precedence.
-- Sealed with the operator's secret.
create table restwell.service_setting (
  name text primary key,
  key_id text not null,
  sealed bytea not null,
  updated_at timestamptz not null
);
