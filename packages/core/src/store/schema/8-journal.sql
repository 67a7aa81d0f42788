-- The journal: what the person enters in the page, entries that a vendor's API has, and the answers that archives brought
-- (`journal_answer`).

-- What the person enters. It belongs to no vendor, so that no sync, disconnect or import changes it.
create table restwell.own_answer (
  user_id text not null references restwell.person on delete cascade,
  -- The local date of the waking that it belongs to.
  date date not null,
  factor text not null,
  title text not null,
  answer boolean not null,
  value double precision,
  primary key (user_id, date, factor)
);

-- A note for a date. Only the page and the export have it.
create table restwell.own_note (
  user_id text not null references restwell.person on delete cascade,
  date date not null,
  note text not null,
  primary key (user_id, date)
);

-- The same from our own exports. Every import keeps its own rows, so that undoing one leaves what another one also brought.
create table restwell.import_own_answer (
  user_id text not null,
  import_id uuid not null,
  date date not null,
  factor text not null,
  title text not null,
  answer boolean not null,
  value double precision,
  primary key (user_id, import_id, date, factor),
  foreign key (user_id, import_id) references restwell.import on delete cascade
);
create index import_own_answer_by_date on restwell.import_own_answer (user_id, date, factor);

create table restwell.import_own_note (
  user_id text not null,
  import_id uuid not null,
  date date not null,
  note text not null,
  primary key (user_id, import_id, date),
  foreign key (user_id, import_id) references restwell.import on delete cascade
);
create index import_own_note_by_date on restwell.import_own_note (user_id, date);

-- The person's own answers and notes that count: those of the page, then those of the newest import.
create view restwell.own_journal as
  select o.user_id, o.date, o.factor, o.title, o.answer, o.value from restwell.own_answer o
  union all
  select c.user_id, c.date, c.factor, c.title, c.answer, c.value
  from restwell.import_own_answer c
  join restwell.import i on i.user_id = c.user_id and i.id = c.import_id and i.status = 'done'
  where not exists (
      select from restwell.own_answer o where o.user_id = c.user_id and o.date = c.date and o.factor = c.factor)
    and not exists (
      select from restwell.import_own_answer o
      join restwell.import n on n.user_id = o.user_id and n.id = o.import_id and n.status = 'done'
      where o.user_id = c.user_id and o.date = c.date and o.factor = c.factor and n.number > i.number);

create view restwell.own_notes as
  select o.user_id, o.date, o.note from restwell.own_note o
  union all
  select c.user_id, c.date, c.note
  from restwell.import_own_note c
  join restwell.import i on i.user_id = c.user_id and i.id = c.import_id and i.status = 'done'
  where not exists (select from restwell.own_note o where o.user_id = c.user_id and o.date = c.date)
    and not exists (
      select from restwell.import_own_note o
      join restwell.import n on n.user_id = o.user_id and n.id = o.import_id and n.status = 'done'
      where o.user_id = c.user_id and o.date = c.date and n.number > i.number);

create table restwell.journal_entry (
  user_id text not null references restwell.person on delete cascade,
  provider text not null,
  provider_id text not null,
  -- The local date of the waking that it belongs to.
  date date not null,
  at timestamptz not null,
  utc_offset_minutes integer not null,
  question text not null,
  factor text not null,
  answer boolean not null,
  primary key (user_id, provider, provider_id)
);
create index journal_entry_by_date on restwell.journal_entry (user_id, date);

-- The vendors' answers that count. Of an answer that several imports have, the newest import's does. An answer of a cycle that is not stored
-- gives way to another import's of the same date: the cycle was edited after one of the archives was made. The vendor's own entry hides
-- its copy in an archive. Copies of an answer have one date, which keeps the search for them short.
create view restwell.vendor_journal as
  select e.user_id, e.provider, e.date, e.at as started_at, e.utc_offset_minutes, e.question, e.factor, e.answer, e.provider_id
  from restwell.journal_entry e
  union all
  select j.user_id, j.provider, j.date, j.cycle_started_at, j.utc_offset_minutes, j.question, j.factor, j.answer, j.provider_id
  from restwell.journal_answer j
  join restwell.import i on i.user_id = j.user_id and i.id = j.import_id and i.status = 'done'
  where not exists (
      select from restwell.journal_answer o
      join restwell.import n on n.user_id = o.user_id and n.id = o.import_id and n.status = 'done'
      where o.user_id = j.user_id and o.date = j.date and o.provider = j.provider and n.id <> i.id
        and o.question = j.question and o.provider_id = j.provider_id
        and (o.cycle_started_at = j.cycle_started_at or not j.has_cycle) and (o.has_cycle, n.number) > (j.has_cycle, i.number))
    and not exists (
      select from restwell.journal_entry e
      where e.user_id = j.user_id and e.provider = j.provider and e.provider_id = j.provider_id);

-- All answers. The person's own answer to a factor wins over the vendors' of the same date: those are not chosen.
create view restwell.journal as
  select o.user_id, 'restwell' as provider, o.date, o.date::timestamp at time zone 'UTC' as started_at, o.title as question, o.factor,
    o.answer, o.value, '' as provider_id, true as is_chosen
  from restwell.own_journal o
  union all
  select v.user_id, v.provider, v.date, v.started_at, v.question, v.factor, v.answer, null::double precision, v.provider_id,
    o.factor is null
  from restwell.vendor_journal v
  left join restwell.own_journal o on o.user_id = v.user_id and o.date = v.date and o.factor = v.factor;
