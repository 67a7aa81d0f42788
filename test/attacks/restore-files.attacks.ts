// `npm run test:attacks`: hostile backups. ATTACK_FILES says how many, ATTACK_SEED repeats a run.
import { rm } from "node:fs/promises"
import { join } from "node:path"
import { writeBackup, writeWholeFile } from "@restwell/core"
import { createTestDatabase, makeFolder } from "@restwell/testing/database"
import { createWorld } from "@restwell/testing/world"
import { expect, test } from "vitest"
import { fillEveryTable } from "../backup/fill-every-table.ts"
import { attackRestore } from "./restore-files.ts"

const { ATTACK_SEED = "1", ATTACK_FILES = "1000" } = process.env
const FILES = Number(ATTACK_FILES)

test(`${FILES} hostile backups are refused in one sentence, and nothing is changed (ATTACK_SEED=${ATTACK_SEED})`, async () => {
  const world = await createWorld({ days: 14 })
  const target = await createTestDatabase()
  const folder = await makeFolder("hostile-restore")
  const path = join(folder, "good.backup")
  await world.connect(await world.addUser(), world.simulator.people.add({ email: "ada@example.com" }))
  const client = await world.store.pool.connect()
  await fillEveryTable(client)
  client.release()
  const secrets = ["the current secret of the place, 32 chars", "a former one of the same place, 32 chars"] as const
  await writeWholeFile(path, (write) =>
    writeBackup(world.store.pool, { write, secrets, hasSecret: true, program: "0.1.0", now: new Date() }),
  )
  const hostile = join(folder, "hostile.backup")
  const refused = await attackRestore({ path, hostile, pool: target.pool, files: FILES, seed: Number(ATTACK_SEED) })
  process.stdout.write(`${FILES} hostile backups, ${refused} refused\n`)
  expect(refused).toBeGreaterThan(FILES / 2)
  await target.drop()
  await world.close()
  await rm(folder, { recursive: true })
})
