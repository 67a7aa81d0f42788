import { readdir, readFile, rm, stat } from "node:fs/promises"
import { join } from "node:path"
import { restoreBackup, verifyBackup, writeBackup, writeWholeFile } from "@restwell/core"
import { createTestDatabase, makeFolder } from "@restwell/testing/database"
import { expect, test } from "vitest"
import manifest from "../../packages/server/package.json" with { type: "json" }
import { filesOf, NOW, readAnswers, readJson, SECRETS } from "./released/people.ts"

const LARGEST_BYTES = 300_000
const STALE = "the schema has changed: run `npm run fixture:backup`"

const versions = (await readdir(new URL("released/files", import.meta.url))).flatMap(
  (name) => /^(.*)\.backup$/.exec(name)?.[1] ?? [],
)

test("there is a small backup of this version", async () => {
  expect(versions).toContain(manifest.version)
  for (const version of versions) {
    const { backup, answers } = filesOf(version)
    expect((await stat(backup)).size + (await stat(answers)).size).toBeLessThan(LARGEST_BYTES)
  }
})

test("the backup of this version has all tables and columns of the schema", async () => {
  const { header } = await verifyBackup(filesOf(manifest.version).backup)
  const store = await createTestDatabase()
  const folder = await makeFolder("fresh")
  const path = join(folder, "fresh.backup")
  const options = { secrets: SECRETS, hasSecret: true, program: manifest.version, now: NOW }
  await writeWholeFile(path, (write) => writeBackup(store.pool, { ...options, write }))
  const { header: fresh } = await verifyBackup(path)
  expect(header.migrations, STALE).toEqual(fresh.migrations)
  const columnsOf = ({ tables }: typeof header) => tables.map(({ name, columns }) => ({ name, columns }))
  expect(columnsOf(header), STALE).toEqual(columnsOf(fresh))
  await store.drop()
  await rm(folder, { recursive: true })
})

test.each(versions)("a backup of %s is restored and gives the same answers", async (version) => {
  const { backup: path, answers } = filesOf(version)
  const store = await createTestDatabase()
  const backup = await verifyBackup(path)
  await restoreBackup(store.pool, { path, backup, replaces: false, beforeCommit: async () => {} })
  for (const { name, rows } of backup.header.tables) expect(rows, `${name} has no row. ${STALE}`).toBeGreaterThan(0)
  expect(await readAnswers(store), "if the answers changed on purpose: `npm run fixture:backup`").toEqual(
    await readJson(await readFile(answers)),
  )
  await store.drop()
})
