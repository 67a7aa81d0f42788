-- One read from one snapshot: the person, the month's usage, the sources that may answer, and their records of some dates. Of several
-- sources also the records of the dates around are read, because the same workout may have another date there.
--   $1 SHA-256 of the API key or null, $2 the person's id where there is no key, $3 month,
--   $4 kinds, and journal where it is wanted, $5 first and $6 last date of the records, $7 whether profiles are wanted,
--   $8 the only source to read, or null, $9 whether every record is wanted as a whole, chosen or not,
--   $10 versions of the data that the caller has answers of: no records are read where the data still have one of them
select p.user_id as "userId", p.plan, p.data_version as "dataVersion", p.utc_offset_minutes as "utcOffsetMinutes",
  p.time_zone as "timeZone", p.days_off as "daysOff",
  -- What a key with a name opens, and until when.
  (select json_build_object('types', k.types, 'days', k.days, 'expiresAt', k.expires_at)
   from restwell.api_key k where k.key_hash = $1::bytea and k.name is not null) as key,
  not known.is_known as "hasRecords", u.used, s.sources,
  (select '[' || coalesce(string_agg(restwell.stored_record(r, r.detail), ',' order by r.started_at desc, r.provider_id collate "C" desc, r.provider), '') || ']'
   from unnest(whole.kinds, whole.providers) as of (kind, provider)
   -- A nap may be a part of the night of the next date.
   cross join lateral (select case when of.kind = 'sleep' then 1 else s.margin end as dates) around
   join restwell.record r on r.user_id = p.user_id and r.kind = of.kind and r.provider = of.provider
     and r.date between $5::date - around.dates and $6::date + around.dates) as facts,
  -- Of several sources, the other ones' records to choose from.
  (select '[' || string_agg(restwell.stored_record(r, r.candidate), ',') || ']'
   from unnest(whole.other_kinds, whole.other_providers) as of (kind, provider)
   join restwell.record r on r.user_id = p.user_id and r.kind = of.kind and r.provider = of.provider
     and r.date between $5::date - s.margin and $6::date + s.margin) as candidates,
  -- What several sources are chosen and listed by. One source needs nothing.
  case when json_array_length(s.sources) > 1 then json_build_object(
    'order', (select coalesce(json_object_agg(o.type, o.providers), '{}') from restwell.source_order o where o.user_id = p.user_id),
    'choices', (select coalesce(json_agg(d), '[]') from (
       select o.type, o.date, o.provider from restwell.source_choice o
       where o.user_id = p.user_id and o.date between $5::date - s.margin and $6::date + s.margin) d)) end as preferences,
  (select coalesce(json_agg(f), '[]') from (
     select j.provider, j.date, j.factor, j.question, j.answer, j.value, j.is_chosen as "isChosen"
     from restwell.journal j
     where 'journal' = any ($4::text[]) and not known.is_known and j.user_id = p.user_id
       and (j.provider = any (s.read) or (j.provider = 'restwell' and ($8::text is null or $8 = 'restwell')))
       -- One source alone, and every source, answer with all that they have.
       and (j.is_chosen or $8 is not null or $9::boolean)
       and j.date between $5::date and $6::date
     order by j.date desc, j.started_at desc, j.factor, j.question collate "C", j.provider, j.provider_id collate "C") f) as answers,
  -- What the sources lack: records that were set aside, and collections that fail. Of an archive alone nothing is asked any more.
  (select coalesce(json_agg(json_build_object('provider', x.provider, 'kind', x.kind, 'date', x.date)), '[]')
   from restwell.rejected_record x
   where not known.is_known and x.user_id = p.user_id and x.date between $5::date and $6::date
     and x.kind = any ($4::text[]) and x.provider = any (s.read)) as "setAside",
  (select coalesce(json_agg(g.gap || jsonb_build_object('provider', c.provider) order by c.provider, g.position), '[]')
   from restwell.connection c
   cross join lateral jsonb_array_elements(c.gaps) with ordinality as g (gap, position)
   where not known.is_known and c.user_id = p.user_id and c.provider = any (s.read) and c.status <> 'archive'
     and g.gap -> 'holds' ?| $4::text[]) as gaps,
  -- A person without a vendor may still read what they entered.
  case when 'journal' = any ($4::text[]) or json_array_length(s.sources) = 0
    then exists (select from restwell.own_journal o where o.user_id = p.user_id) else false end as "hasOwnJournal",
  (select coalesce(json_agg(f), '[]') from (
     select f.provider, f.data from restwell.profile f
     where $7::boolean and not known.is_known and f.user_id = p.user_id and f.provider = any (s.read)) f) as profiles
from restwell.person p
left join restwell.usage u on u.user_id = p.user_id and u.month = $3::date
cross join lateral (select p.data_version = any ($10::bigint[]) as is_known) known
cross join lateral (
  select coalesce(json_agg(json_build_object('provider', c.provider, 'status', restwell.shown_status(c.status, c.pushed_at),
        'lastSyncedAt', coalesce(c.pushed_at, c.last_synced_at), 'addedAt', coalesce(c.first_connected_at, c.connected_at),
        'archivedAt', case when restwell.shown_status(c.status, c.pushed_at) = 'archive' then c.archived_at end,
        'waiting', case when c.status = 'syncing' then json_build_object('status', c.status, 'reason', c.waiting_reason, 'message', c.waiting_message,
          'until', c.waiting_until, 'fetchedBackTo', c.fetched_back_to) end)
      order by c.provider), '[]') as sources,
    array_agg(c.provider) filter (where $8::text is null or c.provider = $8) as read,
    case when count(*) > 1 and $8::text is null then 1 else 0 end as margin
  from restwell.connection c where c.user_id = p.user_id and c.status <> 'disconnected') s
-- Whose records are read as a whole: of each kind those of the source that probably answers, so that most reads of several sources need
-- no second statement. Which source does answer is not decided here.
cross join lateral (
  select array_agg(kind) filter (where is_first) as kinds, array_agg(provider) filter (where is_first) as providers,
    array_agg(kind) filter (where not is_first) as other_kinds, array_agg(provider) filter (where not is_first) as other_providers
  from (
    select wanted.kind, c.provider, $9::boolean or row_number() over (
      partition by wanted.kind order by array_position(o.providers, c.provider), c.status = 'archive', c.pushed_at is not null,
        coalesce(c.first_connected_at, c.connected_at), c.provider) = 1 as is_first
    from unnest(case when known.is_known then '{}' else $4::text[] end) as wanted (kind)
    join restwell.connection c on c.user_id = p.user_id and c.provider = any (s.read)
    left join restwell.source_order o on o.user_id = c.user_id and o.type = wanted.kind) of_kind) whole
where p.user_id = case
  when $1::bytea is null then $2 else (select k.user_id from restwell.api_key k where k.key_hash = $1::bytea) end
