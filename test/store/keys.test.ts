import { createTestDatabase, type TestDatabase } from "@restwell/testing/database"
import { afterAll, beforeAll, expect, test } from "vitest"

let store: TestDatabase
beforeAll(async () => {
  store = await createTestDatabase()
})
afterAll(() => store.drop())

/** Keys that do not begin with the person, and why. A store distributed by person replicates these tables to all machines. */
const DIRECTORIES: Readonly<Record<string, string>> = {
  user_pkey: "the person",
  user_email_key: "a sign-in knows only the email address",
  session_pkey: "better-auth's own",
  session_token_key: "a cookie identifies the person",
  account_pkey: "better-auth's own",
  passkey_pkey: "better-auth's own",
  twoFactor_pkey: "better-auth's own",
  passkey_credentialID_key: "a passkey identifies the person",
  api_key_key_hash_key: "a key identifies the person",
  ingest_token_token_hash_key: "a token identifies the person",
  share_token_hash_key: "a link identifies the person",
  password_reset_token_hash_key: "a link identifies the person",
  job_pkey: "jobs of the service have no person, and each process claims the next one of all",
  mail_pkey: "a request for a new password names an address alone",
  owner_pkey: "one row, which names the owner",
  oauth_record_pkey: "a token identifies the person",
  home_assistant_device_key: "a job of a device identifies the person, and no two people share topics",
}

/** Selects the tables with rows of people. */
const PERSON_TABLES = `
  select c.oid, c.relname, a.attnum as person from pg_class c
  join pg_attribute a on a.attrelid = c.oid
    and a.attname = any (case c.relname when 'user' then array['id'] else array['user_id', 'userId'] end)
  where c.relnamespace = 'restwell'::regnamespace and c.relkind = 'r'`

/** Selects keys that do not begin with the person, and tables without a primary key. */
async function keysWithoutPerson({ pool }: TestDatabase): Promise<string[]> {
  const { rows } = await pool.query<{ name: string }>(
    `with tables as (${PERSON_TABLES})
     select i.indexrelid::regclass::text as name from tables t join pg_index i on i.indrelid = t.oid and i.indisunique
     where i.indkey[0] <> t.person or t.relname = 'user'
     union all
     select t.relname from tables t
     where not exists (select from pg_index i where i.indrelid = t.oid and i.indisprimary)`,
  )
  return rows.map(({ name }) => name.replace("restwell.", "").replaceAll('"', "")).toSorted()
}

/** Selects foreign keys between tables of people that do not include the person. */
async function referencesWithoutPerson({ pool }: TestDatabase): Promise<string[]> {
  const { rows } = await pool.query<{ name: string }>(
    `with tables as (${PERSON_TABLES})
     select r.conname as name from pg_constraint r
     join tables f on f.oid = r.conrelid
     join tables t on t.oid = r.confrelid
     where r.contype = 'f' and not exists (
       select from unnest(r.conkey, r.confkey) as pair(own, other) where pair.own = f.person and pair.other = t.person)`,
  )
  return rows.map(({ name }) => name)
}

test("every table of people has a primary key, and all its keys begin with the person", async () => {
  expect(await keysWithoutPerson(store)).toEqual(Object.keys(DIRECTORIES).toSorted())
})

test("every foreign key between tables of people includes the person", async () => {
  expect(await referencesWithoutPerson(store)).toEqual([])
})

test("finds a key or a foreign key without the person", async () => {
  const other = await createTestDatabase()
  await other.pool.query(
    `create table restwell.note (
       id bigint primary key, user_id text not null, of_user text, of_provider text,
       foreign key (of_user, of_provider) references restwell.connection)`,
  )
  await other.pool.query("create table restwell.keyless (user_id text not null)")
  expect(await keysWithoutPerson(other)).toEqual([...Object.keys(DIRECTORIES), "keyless", "note_pkey"].toSorted())
  expect(await referencesWithoutPerson(other)).toEqual(["note_of_user_of_provider_fkey"])
  await other.drop()
})
