import { type Kysely, sql } from "kysely"

/**
 * What measurements of a filled store led to; figures are in ARCHITECTURE.md.
 * - Records by their start are asked for of all kinds at once: the newest one of a person is found by one entry of the index instead of by
 *   reading them all, and the index is smaller.
 * - Rows that are updated in place need room on their page, or their index grows with every update.
 * - A person's events are found by the primary key, which begins with the person as all keys do.
 */
const size = `
drop index restwell.record_by_start;
create index record_by_start on restwell.record (user_id, started_at);

alter table restwell.usage set (fillfactor = 85);
alter table restwell.person set (fillfactor = 85);
alter table restwell.api_key set (fillfactor = 85);

alter table restwell.security_event drop constraint security_event_pkey, add primary key (user_id, id);
drop index restwell.security_event_by_person;
`

export const settleSize = {
  async up(database: Kysely<unknown>): Promise<void> {
    await sql.raw(size).execute(database)
  },
}
