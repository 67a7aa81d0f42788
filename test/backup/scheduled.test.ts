import { readdir, rm, utimes, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { type BackupSchedule, readBackups, runDueBackup, verifyBackup } from "@restwell/core"
import { makeFolder } from "@restwell/testing/database"
import { TEST_SECRET } from "@restwell/testing/service"
import { createWorld, type World } from "@restwell/testing/world"
import { afterEach, beforeEach, expect, test } from "vitest"

const HOUR_MS = 3_600_000

let world: World
let directory: string
beforeEach(async () => {
  world = await createWorld({ days: 2 })
  directory = await makeFolder("backups")
})
afterEach(async () => {
  await world.close()
  await rm(directory, { recursive: true })
})

const scheduleOf = (more: Partial<BackupSchedule> = {}): BackupSchedule => ({
  directory,
  keep: 2,
  everyHours: 24,
  hasSecret: true,
  ...more,
})

const run = (schedule: BackupSchedule, signal = new AbortController().signal): Promise<void> =>
  runDueBackup({ ...world.context, pool: world.store.pool, secrets: () => [TEST_SECRET], signal }, schedule)

/** Moves the log into the past, which is what the passing of time does. */
const letPass = async (hours: number): Promise<void> => {
  await world.store.pool.query(
    `update restwell.backup set started_at = started_at - make_interval(hours => $1),
       ended_at = ended_at - make_interval(hours => $1), alive_at = alive_at - make_interval(hours => $1)`,
    [hours],
  )
  await world.simulator.clock.advance(hours * HOUR_MS)
}

test("makes a backup when the interval has passed, and not before", async () => {
  await run(scheduleOf())
  await run(scheduleOf())
  await letPass(23)
  await run(scheduleOf())
  expect(await readdir(directory)).toEqual(["restwell-20261120T120000Z.backup"])
  await letPass(2)
  await run(scheduleOf())
  expect((await readdir(directory)).length).toBe(2)
})

test("keeps the newest backups, and touches no other file", async () => {
  await writeFile(join(directory, "restwell-of-ada.backup"), "")
  const left = "restwell-20200101T000000Z.backup.00000000-0000-0000-0000-000000000000.partial"
  await writeFile(join(directory, left), "")
  await utimes(join(directory, left), 0, 0)
  for (let day = 0; day < 4; day += 1) {
    await run(scheduleOf())
    await letPass(25)
  }
  expect((await readdir(directory)).toSorted()).toEqual([
    "restwell-20261122T140000Z.backup",
    "restwell-20261123T150000Z.backup",
    "restwell-of-ada.backup",
  ])
})

test("makes one backup when several processes look at once", async () => {
  await Promise.all(Array.from({ length: 8 }, () => run(scheduleOf())))
  expect((await readdir(directory)).length).toBe(1)
})

test("names the last backup", async () => {
  await run(scheduleOf({ hasSecret: false }))
  const { last, failure, running } = await readBackups(world.context)
  const file = join(directory, "restwell-20261120T120000Z.backup")
  expect({ last, failure, running }).toMatchObject({
    last: { origin: "schedule", file, hasSecret: false, error: null },
    failure: null,
    running: null,
  })
  expect(last?.bytes).toBeGreaterThan(1000)
  expect((await verifyBackup(file)).secrets).toBeUndefined()
})

test("shows a failure until a backup is complete again, deletes nothing, and tries again after a while", async () => {
  await run(scheduleOf({ keep: 1 }))
  await letPass(25)
  const file = join(directory, "file")
  await writeFile(file, "")
  await run(scheduleOf({ directory: join(file, "backups") }))
  expect(await readBackups(world.context)).toMatchObject({
    last: { file: join(directory, "restwell-20261120T120000Z.backup") },
    failure: { error: "the folder for backups cannot be used: a part of the path is a file: choose another folder" },
  })
  await run(scheduleOf({ keep: 1 }))
  expect((await readBackups(world.context)).failure).not.toBeNull()
  await letPass(1)
  await run(scheduleOf({ keep: 1 }))
  expect((await readBackups(world.context)).failure).toBeNull()
})

test("repeats the backup of a process that died", async () => {
  await world.store.pool.query(
    `insert into restwell.backup (origin, file, host, has_secret, status, started_at, alive_at)
     values ('schedule', '/gone', 'gone', true, 'running', now() - interval '2 minutes', now() - interval '2 minutes')`,
  )
  expect((await readBackups(world.context)).running).toBeNull()
  await run(scheduleOf())
  expect((await readBackups(world.context)).last?.file).toMatch(/20261120T120000Z/)
})

test("leaves neither a file nor an entry when the process stops", async () => {
  await run(scheduleOf(), AbortSignal.abort())
  expect(await readdir(directory)).toEqual([])
  expect(await readBackups(world.context)).toEqual({ last: null, failure: null, running: null, isRequested: false })
})
