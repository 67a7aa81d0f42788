-- A person's history as the statistics need it, if the data still have the version that the question was read under. One row with the
-- dates and the answers of the journal, and a row for each record: one text of all records is 4 MB, takes 42 ms instead of 20, and nothing
-- of it can be parsed before its end.
--   $1 person, $2 data version, $3 providers, $4 kinds of records, $5 whether the journal is wanted, $6 first date,
--   $7 whether dates with a record of any kind are wanted
select
  null as fact,
  -- Counts of activities are zero on dates with a record of any kind.
  (select coalesce(json_object_agg(d.provider, d.dates), '{}') from (
    select of_date.provider, json_agg(of_date.date order by of_date.date) as dates from (
      select distinct r.provider, r.date from restwell.record r
      where $7::boolean and r.user_id = p.user_id and r.provider = any ($3::text[]) and r.date >= $6::date) of_date
    group by of_date.provider) d) as "recordDates",
  (select coalesce(json_agg(f), '[]') from (
    select j.provider, j.date, j.factor, j.question, j.answer, j.value, j.is_chosen as "isChosen"
    from restwell.journal j
    where $5::boolean and j.user_id = p.user_id and j.provider = any ($3::text[] || 'restwell'::text) and j.is_chosen
      and j.date >= $6::date
    order by j.date, j.factor, j.provider) f) as answers
from restwell.person p where p.user_id = $1 and p.data_version = $2::bigint
union all
select r.fact, null, null
from restwell.person p
join restwell.record r on r.user_id = p.user_id and r.provider = any ($3::text[]) and r.kind = any ($4::text[]) and r.date >= $6::date
where p.user_id = $1 and p.data_version = $2::bigint
