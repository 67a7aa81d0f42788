import { type Kysely, sql } from "kysely"
import { countHeldSql } from "./0010-count-held.sql.ts"
import { readWholeSql } from "./0010-read-whole.sql.ts"

/**
 * The access log without what each of its entries cost a read: its reference to the account, and an index of its own for the person. Its key
 * begins with the person, and the entries of a deleted account are deleted last, after the rows that reads are counted in: whoever was
 * counting one has then written its entry, or writes none. Equal reads of one moment are one entry.
 */
const accessLog = `
alter table restwell.access_log drop constraint access_log_user_id_fkey;
alter table restwell.access_log drop constraint access_log_pkey;
drop index restwell.access_log_by_person;
alter table restwell.access_log add primary key (user_id, id);
alter table restwell.access_log add column reads integer not null default 1 check (reads > 0);

create function restwell.forget_accesses() returns trigger language plpgsql as $$
begin
  delete from restwell.access_log where user_id = old.user_id;
  return null;
end $$;
-- PostgreSQL fires triggers in the order of their names: after those of the references to a person, which begin with RI.
create trigger forget_accesses after delete on restwell.person for each row execute function restwell.forget_accesses();
`

/** A record's part of an answer, made when it is stored: \`shown\` is its JSON, as the presentation \`shown_as\` spells it. */
const shown = `
alter table restwell.record add column shown text, add column shown_as text;
`

export const createHeldAnswers = {
  async up(database: Kysely<unknown>): Promise<void> {
    await sql.raw(accessLog).execute(database)
    await sql.raw(shown).execute(database)
    await sql.raw(readWholeSql).execute(database)
    await sql.raw(countHeldSql).execute(database)
  },
}
