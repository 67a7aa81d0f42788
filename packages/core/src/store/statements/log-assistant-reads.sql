-- Logs reads and refused reads of assistants, all of one moment.
--   $1 entries as JSON, $2 time
-- Skips the entries of accounts that are being deleted. Rows of assistants are locked in one order, and rows that another replica
-- has locked are skipped, so that replicas never wait for each other.
with logged as (
  insert into restwell.access_log
    (user_id, at, reader, client_id, assistant, operation, types, start_date, end_date, record_count, outcome)
  select "userId", $2::timestamptz, 'assistant', "clientId", assistant, operation, types, "startDate", "endDate",
    "recordCount", outcome
  from jsonb_to_recordset($1::jsonb) as e(
    "userId" text, "clientId" text, assistant text, operation text, types text[], "startDate" date, "endDate" date,
    "recordCount" integer, outcome text)
  join restwell."user" u on u.id = e."userId"
  order by "userId"
  for key share of u
  returning user_id, client_id, at),
free as (
  select a.user_id, a.client_id from restwell.assistant a
  where (a.user_id, a.client_id) in (select user_id, client_id from logged)
  order by a.user_id, a.client_id
  for no key update skip locked)
update restwell.assistant a set last_read_at = $2::timestamptz
from free where a.user_id = free.user_id and a.client_id = free.client_id
