-- The journal: entries that a vendor's API has, beside the answers that archives brought (`journal_answer`).

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

-- All answers that count. Of an answer that several imports have, the newest import's does. The vendor's own entry hides its copy in an
-- archive. Copies of an answer have one date, which keeps the search for them short.
create view restwell.journal as
  select e.user_id, e.provider, e.date, e.at as started_at, e.utc_offset_minutes, e.question, e.factor, e.answer, e.provider_id
  from restwell.journal_entry e
  union all
  select j.user_id, j.provider, j.date, j.cycle_started_at, j.utc_offset_minutes, j.question, j.factor, j.answer, j.provider_id
  from restwell.journal_answer j
  join restwell.import i on i.user_id = j.user_id and i.id = j.import_id and i.status = 'done'
  where not exists (
      select from restwell.journal_answer o
      join restwell.import n on n.user_id = o.user_id and n.id = o.import_id and n.status = 'done'
      where o.user_id = j.user_id and o.date = j.date and o.provider = j.provider and o.cycle_started_at = j.cycle_started_at
        and o.question = j.question and o.provider_id = j.provider_id and n.number > i.number)
    and not exists (
      select from restwell.journal_entry e
      where e.user_id = j.user_id and e.provider = j.provider and e.provider_id = j.provider_id);
