/** Writes the backup and the answers that are kept for this version: `npm run fixture:backup`. Those of released versions never change. */
import { mkdir, rm, writeFile } from "node:fs/promises"
import { dirname } from "node:path"
import { migrate, openPool, writeBackup, writeWholeFile } from "@restwell/core"
import { databaseOf, NOT_DURABLE, startPostgres } from "@restwell/testing/database"
import manifest from "../packages/server/package.json" with { type: "json" }
import { addPeople, compressJson, filesOf, NOW, readAnswers, SECRETS } from "../test/backup/released/people.ts"

const { backup, answers } = filesOf(manifest.version)
const postgres = await startPostgres({ settings: NOT_DURABLE })
const pool = openPool({ ...postgres.connection, max: 4 }, () => {})
try {
  const store = databaseOf(pool, postgres.connection)
  await migrate(store.database)
  await addPeople(store)
  await mkdir(dirname(backup), { recursive: true })
  await rm(backup, { force: true })
  const options = { secrets: SECRETS, hasSecret: true, program: manifest.version, now: NOW }
  const { bytes } = await writeWholeFile(backup, (write) => writeBackup(pool, { ...options, write }))
  await writeFile(answers, await compressJson(await readAnswers(store)))
  process.stdout.write(`${backup}: ${bytes} bytes\n`)
} finally {
  await pool.end()
  await postgres.remove()
}
