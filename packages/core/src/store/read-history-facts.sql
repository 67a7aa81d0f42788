-- The facts of a kind in a person's history, a row of them for each year. One row without facts where there are none, and no row if the
-- data have another version. The text of ten years in one row would need large pieces of new memory here and in the service.
--   $1 person, $2 data version, $3 providers, $4 first date, $5 kind of records
select of_year.facts from restwell.person p
left join lateral (
  select '[' || string_agg(r.fact, ',') || ']' as facts
  from restwell.record r
  where r.user_id = p.user_id and r.provider = any ($3::text[]) and r.kind = $5 and r.date >= $4::date) of_year on true
where p.user_id = $1 and p.data_version = $2::bigint
