import {
  createAccessLog,
  openDatabase,
  readAccessLog,
  readAccount,
  readSecurityEvents,
  readTrends,
  recordSecurityEvent,
} from "@restwell/core"
import type { TestDatabase } from "@restwell/testing/database"
import { createWorld, type World } from "@restwell/testing/world"
import { afterAll, beforeAll, expect, test } from "vitest"
import { fillPopulation } from "../../bench/population/fill-population.ts"
import { userIdOfMember } from "../../bench/population/member.ts"
import { openTemplateSync } from "../../bench/population/template-sync.ts"
import { type ExplainedPool, openExplainedPool, type Scan } from "./explained-pool.ts"

let world: World
let explained: ExplainedPool
const PEOPLE = 300
const ACCESS = {
  operation: "get_sleep",
  types: ["sleep"],
  startDate: "2026-11-01",
  endDate: "2026-11-20",
  recordCount: 20,
  outcome: "answered",
  clientId: "client",
  assistant: "Assistant",
}

beforeAll(async () => {
  world = await createWorld({ now: new Date() })
  const { connection } = world.store
  await fillPopulation({ connection, cohorts: [{ first: 0, people: PEOPLE, days: 8 }], templates: 2 })
  await planAsForMillions(world.store)
  explained = openExplainedPool(connection)
})
afterAll(async () => {
  await explained.pool.end()
  await world.close()
})

const READ_BY_A_READ = ["api_key", "connection", "person", "record", "usage", "user"]

/** Multiplies the planner's row counts, so that it plans as if there were millions of people. */
async function planAsForMillions({ pool }: TestDatabase): Promise<void> {
  await pool.query(
    `insert into restwell.assistant (user_id, client_id, name, redirect_host, scopes, declined, connected_at)
     select user_id, 'client', 'Assistant', 'localhost', '{}', '{}', now() from restwell.person`,
  )
  await pool.query("analyze")
  await pool.query(
    "update pg_class set reltuples = reltuples * 10000 where relnamespace = 'restwell'::regnamespace and relkind = 'r'",
  )
}

/** Index conditions that limit a scan to one person, where they do not name user_id. */
const NAMES_THE_PERSON: Readonly<Record<string, RegExp>> = { user: /\(id = / }
/** It reads one row of anybody else: whether there is one. */
const IS_THERE_ANYBODY_ELSE = /from "restwell"."user" where "id" <> \$1 limit \$2$/
/** Tables that are searched by a credential or by the vendor's id of a person, to find the person. */
const DIRECTORIES: Readonly<Record<string, RegExp>> = { api_key: /key_hash = /, connection: /member_id = / }

async function personTables(store: TestDatabase): Promise<ReadonlySet<string>> {
  const { rows } = await store.pool.query<{ table: string }>(
    `select distinct table_name as table from information_schema.columns
     where table_schema = 'restwell' and column_name in ('user_id', 'userId') union select 'user'`,
  )
  return new Set(rows.map(({ table }) => table))
}

/** Scans of tables with rows of people that no index condition limits to one person. */
async function scansOfAllPeople(scans = explained.takeScans()): Promise<Scan[]> {
  const tables = await personTables(world.store)
  return scans
    .filter(({ table, statement }) => tables.has(table) && !IS_THERE_ANYBODY_ELSE.test(statement))
    .filter(
      ({ table, condition }) =>
        !(NAMES_THE_PERSON[table] ?? /user_?id\)?(?:::text)? = /i).test(condition) &&
        !DIRECTORIES[table]?.test(condition),
    )
}

test("every statement of a sync and of a read is limited to one person by an index", async () => {
  const sync = await openTemplateSync(explained.pool)
  await sync.addPerson(0, 20)
  await sync.close()
  const scans = explained.takeScans()
  expect(scans.map(({ table }) => table)).toEqual(expect.arrayContaining(READ_BY_A_READ))
  expect(await scansOfAllPeople(scans)).toEqual([])
})

test("every statement of the dashboard and the connector is limited to one person by an index", async () => {
  const context = { ...world.context, database: openDatabase(explained.pool) }
  const userId = userIdOfMember(7)
  await readTrends(context, userId, { days: 30 })
  await readAccount(context, userId)
  await createAccessLog({ ...context, pool: explained.pool })(userId, ACCESS)
  await readAccessLog(context, userId, "12")
  await recordSecurityEvent(context, userId, { type: "signed_out" })
  await readSecurityEvents(context, userId, "12")
  expect(await scansOfAllPeople()).toEqual([])
})

test("finds a statement that is not limited to one person, even inside a function", async () => {
  await explained.pool.query(`select count(*) from restwell.record where kind = 'sleep' and provider_id = 'one'`)
  expect(await scansOfAllPeople()).toHaveLength(1)
  await explained.pool.query(
    `do $$ begin update restwell.usage set used = 0 where used > 5 and month = '2026-01-01'; end $$`,
  )
  expect(await scansOfAllPeople()).toHaveLength(1)
})
