import { createTestDatabase, type TestDatabase } from "@restwell/testing/database"
import { sql } from "kysely"
import { afterAll, beforeAll, expect, test } from "vitest"
import { openDatabase } from "../../src/index.ts"
import { changeAndDerive } from "../../src/store/statements/derive-dates.ts"
import { ALL_TIME, projectArchives } from "../../src/store/statements/project-archives.ts"

let store: TestDatabase
beforeAll(async () => {
  store = await createTestDatabase()
})
afterAll(() => store.drop())

const NOBODY = { userId: "nobody", provider: "whoop" }

test.each([
  [
    "deriving dates",
    (transaction) => changeAndDerive(transaction, NOBODY, { records: [], deleted: [] }, async () => {}),
  ],
  ["projecting archives", (transaction) => projectArchives(transaction, NOBODY, ALL_TIME)],
] satisfies [string, (transaction: Parameters<typeof changeAndDerive>[0]) => Promise<unknown>][])(
  "%s leaves the planner's settings as they were for the rest of the transaction",
  async (_, work) => {
    const settings = await openDatabase(store.pool)
      .transaction()
      .execute(async (transaction) => {
        await work(transaction)
        const { rows } = await sql`
          select current_setting('enable_nestloop') as nestloop, current_setting('enable_mergejoin') as mergejoin
        `.execute(transaction)
        return rows[0]
      })
    expect(settings).toEqual({ nestloop: "on", mergejoin: "on" })
  },
)

test("expired attempts and challenges are found by an index, however many are left", async () => {
  await store.pool.query(`
    insert into restwell.attempt (subject, count, began_at, expires_at)
    select sha256(n::text::bytea), 1, now(), now() + interval '1 hour' from generate_series(1, 20000) n`)
  await store.pool.query(`
    insert into restwell.verification (id, identifier, value, "expiresAt")
    select n::text, n::text, '', now() + interval '1 hour' from generate_series(1, 20000) n`)
  await store.pool.query("analyze restwell.attempt, restwell.verification")
  for (const [table, column] of [
    ["attempt", "expires_at"],
    ["verification", "expiresAt"],
  ]) {
    const { rows } = await store.pool.query(`explain delete from restwell.${table} where "${column}" < now()`)
    expect(JSON.stringify(rows)).toMatch(/Index Scan/)
  }
})
