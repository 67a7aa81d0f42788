import { mkdir, readdir, rm, symlink, utimes, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { type BackupSchedule, readBackups, runDueBackup, verifyBackup } from "@restwell/core"
import { makeFolder } from "@restwell/testing/database"
import { TEST_SECRET } from "@restwell/testing/service"
import { createWorld, type World } from "@restwell/testing/world"
import { afterEach, beforeEach, expect, onTestFinished, test } from "vitest"

const HOUR_MS = 3_600_000
/** Time and installation. */
const NAME = /^restwell-20261120T120000Z-[0-9a-f]{12}\.backup$/

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

const run = (
  schedule: BackupSchedule,
  { context, store: { pool } }: World = world,
  { dataDir, signal = new AbortController().signal }: { dataDir?: string; signal?: AbortSignal } = {},
): Promise<void> => runDueBackup({ ...context, pool, dataDir, secrets: () => [TEST_SECRET], signal }, schedule)

/** Moves the log into the past, which is what the passing of time does. */
const letPass = async (hours: number, { store, simulator }: World = world): Promise<void> => {
  await store.pool.query(
    `update restwell.backup set started_at = started_at - make_interval(hours => $1),
       ended_at = ended_at - make_interval(hours => $1), alive_at = alive_at - make_interval(hours => $1)`,
    [hours],
  )
  await simulator.clock.advance(hours * HOUR_MS)
}

test("makes a backup when the interval has passed, and not before", async () => {
  await run(scheduleOf())
  await run(scheduleOf())
  await letPass(23)
  await run(scheduleOf())
  expect(await readdir(directory)).toEqual([expect.stringMatching(NAME)])
  await letPass(2)
  await run(scheduleOf())
  expect((await readdir(directory)).length).toBe(2)
})

test("keeps the newest backups, and touches no other file", async () => {
  await writeFile(join(directory, "restwell-of-ada.backup"), "")
  // As `restwell backup FOLDER` names its file.
  await writeFile(join(directory, "restwell-20200101T000000Z.backup"), "")
  await run(scheduleOf())
  const own = (await readdir(directory)).find((name) => NAME.test(name)) ?? ""
  const left = `${own.replace("2026", "2020")}.00000000-0000-0000-0000-000000000000.partial`
  const ofOthers = left.replace(/-[0-9a-f]{12}\./, "-0123456789ab.")
  for (const name of [left, ofOthers]) {
    await writeFile(join(directory, name), "")
    await utimes(join(directory, name), 0, 0)
  }
  for (let day = 0; day < 3; day += 1) {
    await letPass(25)
    await run(scheduleOf())
  }
  expect((await readdir(directory)).toSorted()).toEqual([
    "restwell-20200101T000000Z.backup",
    ofOthers,
    own.replace("20T12", "22T14"),
    own.replace("20T12", "23T15"),
    "restwell-of-ada.backup",
  ])
})

test("installations with one folder keep as many backups each, and delete none of the others", async () => {
  const other = await createWorld({ days: 2 })
  onTestFinished(() => other.close())
  for (let day = 0; day < 4; day += 1) {
    for (const each of [world, other]) {
      await run(scheduleOf(), each)
      await letPass(25, each)
    }
  }
  const times = (await readdir(directory)).map((name) => /-(\d+T\d+Z)-/.exec(name)?.[1]).toSorted()
  expect(times).toEqual(["20261122T140000Z", "20261122T140000Z", "20261123T150000Z", "20261123T150000Z"])
})

test("a copy of an installation is another one, wherever its database is", async () => {
  await run(scheduleOf())
  await letPass(25)
  await run(scheduleOf(), world, { dataDir: "/srv/copy" })
  await letPass(25)
  await run(scheduleOf({ keep: 1 }))
  const names = await readdir(directory)
  expect(new Set(names.map((name) => name.slice(-19))).size).toBe(2)
  expect(names).toHaveLength(2)
})

test("a folder that belongs to a database is never used, through links and before it is made", async () => {
  const cluster = join(directory, "cluster")
  await mkdir(join(cluster, "base"), { recursive: true })
  await writeFile(join(cluster, "PG_VERSION"), "18\n")
  await symlink(cluster, join(directory, "link"))
  const dataDir = join(directory, "data")
  await mkdir(dataDir)
  for (const [folder, fault] of [
    [cluster, "it is in the data folder of a PostgreSQL"],
    [join(cluster, "base", "new", "backups"), "it is in the data folder of a PostgreSQL"],
    [join(directory, "link", "backups"), "it is in the data folder of a PostgreSQL"],
    [dataDir, "it is in DATA_DIR"],
    [join(dataDir, "..", "data", "backups"), "it is in DATA_DIR"],
  ] as const) {
    await run(scheduleOf({ directory: folder }), world, { dataDir })
    const { failure } = await readBackups(world.context)
    expect(failure?.error).toMatch(
      new RegExp(`^the folder for backups cannot be used: ${fault} .*choose another folder$`),
    )
    await letPass(1)
  }
  expect(await readdir(dataDir)).toEqual([])
  for (const fit of ["data-of-backups", "..backups"]) {
    await run(scheduleOf({ directory: join(directory, fit) }), world, { dataDir })
    expect(await readdir(join(directory, fit))).toHaveLength(1)
    await letPass(25)
  }
})

test("makes one backup when several processes look at once", async () => {
  await Promise.all(Array.from({ length: 8 }, () => run(scheduleOf())))
  expect((await readdir(directory)).length).toBe(1)
})

test("names the last backup", async () => {
  await run(scheduleOf({ hasSecret: false }))
  const { last, failure, running } = await readBackups(world.context)
  const file = join(directory, (await readdir(directory))[0] ?? "")
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
    last: { file: expect.stringContaining(join(directory, "restwell-20261120T120000Z-")) },
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
  await run(scheduleOf(), world, { signal: AbortSignal.abort() })
  expect(await readdir(directory)).toEqual([])
  expect(await readBackups(world.context)).toEqual({ last: null, failure: null, running: null, isRequested: false })
})
