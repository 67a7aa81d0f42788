import { rm } from "node:fs/promises"
import { join } from "node:path"
import { createTestDatabase, makeFolder, type TestDatabase } from "@restwell/testing/database"
import { afterAll, beforeAll, expect, test } from "vitest"
import { fillPopulation } from "../../bench/population/fill-population.ts"
import { embeddedPlace, externalPlace } from "./places.ts"
import { killBackups, killRestores, type Place, timeCommand } from "./survive-kills.ts"

const KILLS = Number(process.env["BACKUP_KILLS"] ?? 20)

let folder: string
let store: TestDatabase
let backups: [string, string]
beforeAll(async () => {
  folder = await makeFolder("kills")
  store = await createTestDatabase()
  const place = externalPlace(store)
  backups = [join(folder, "some.backup"), join(folder, "more.backup")]
  // Both are of almost the same size, so that one's duration is the other's.
  const cohorts = [
    { first: 0, people: 100, days: 60 },
    { first: 100, people: 1, days: 60 },
  ]
  for (const [index, file] of backups.entries()) {
    await fillPopulation({ connection: store.connection, cohorts: cohorts.slice(index, index + 1), templates: 2 })
    await timeCommand(["backup", file], place)
  }
})
afterAll(async () => {
  await store.drop()
  await rm(folder, { recursive: true })
})

test.each(["external", "embedded"])(`${KILLS} kills of each command, with the %s PostgreSQL`, async (kind) => {
  const place: Place = kind === "external" ? externalPlace(store) : embeddedPlace(join(folder, "data"))
  const restored = await killRestores({ place, folder, count: KILLS }, backups)
  await rm(join(folder, "measured.backup"), { force: true })
  const written = await killBackups({ place, folder, count: KILLS })
  process.stdout.write(
    `${kind}: ${KILLS} kills of a restore left the old data ${restored.before} times and the new ${restored.after} times, ` +
      `${restored.late} came after its end; ${KILLS} kills of a backup left no file ${written.before} times and a whole one ` +
      `${written.after} times, ${written.unfinished} came while it was written, ${written.late} after its end\n`,
  )
  for (const { before, late } of [restored, written]) {
    expect(before).toBeGreaterThan(KILLS / 4)
    expect(late).toBeLessThan(KILLS / 2)
  }
  expect(written.unfinished).toBeGreaterThan(0)
})
