// A start refuses tables that another build of Restwell made, whose reads would all fail.
import { migrate, readDatabaseState } from "@restwell/core"
import { createTestDatabase } from "@restwell/testing/database"
import { expect, onTestFinished, test } from "vitest"

async function newStore() {
  const store = await createTestDatabase()
  onTestFinished(() => store.drop())
  return store
}

test("starts one after the other are of the same build", async () => {
  const store = await newStore()
  await migrate(store.database)
  await migrate(store.database)
  expect((await readDatabaseState(store)).schema).toEqual({ isEmpty: false, pending: [], newer: [], isForeign: false })
})

test.each([
  "update restwell.installation set fingerprint = 'of another build'",
  "delete from restwell.installation",
  "drop table restwell.installation",
  "create table restwell.mood (user_id text)",
  "drop table restwell.source_choice",
  "alter table restwell.record add column mood text",
  "alter table restwell.record drop column candidate",
  "alter table restwell.record rename column candidate to candidates",
  "alter table restwell.connection alter column provider type varchar(40)",
  "drop view restwell.series",
])("after `%s` a start is refused, and changes nothing", async (change) => {
  const store = await newStore()
  await store.pool.query(change)
  await expect(migrate(store.database)).rejects.toThrow(
    /^the tables of the database are not those of this Restwell: start the build that made them, .* Nothing was changed$/,
  )
  expect((await readDatabaseState(store)).schema.isForeign).toBe(true)
})
