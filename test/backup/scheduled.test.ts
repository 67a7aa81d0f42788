import { mkdir, readdir, rm, symlink, utimes, writeFile } from "node:fs/promises"
import { join } from "node:path"
import {
  type BackupSchedule,
  claimJob,
  holdJob,
  readBackups,
  requestBackup,
  runBackup,
  scheduleBackups,
  verifyBackup,
} from "@restwell/core"
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

/** What a process does that looks for work. */
async function run(
  schedule: BackupSchedule,
  { context, store: { pool } }: World = world,
  { dataDir, stopping = new AbortController().signal }: { dataDir?: string; stopping?: AbortSignal } = {},
): Promise<void> {
  await scheduleBackups(context, schedule)
  const job = await claimJob(context, [{ kind: "backup", minPriority: 0 }], context.clock.now())
  if (!job) return
  const options = { ...context, pool, dataDir, secrets: () => [TEST_SECRET] as const }
  await holdJob({ ...context, wait: async () => never }, job, {
    stopping,
    run: (signal) => runBackup({ ...options, signal }, job, schedule),
  })
}

const never = new Promise<never>(() => {})

/** Moves the log into the past, which is what the passing of time does. */
const letPass = async (hours: number, { store, simulator }: World = world): Promise<void> => {
  await store.pool.query(
    `update restwell.backup set started_at = started_at - make_interval(hours => $1),
       ended_at = ended_at - make_interval(hours => $1)`,
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

test("one that is asked for within the second of another has a name of its own", async () => {
  await run(scheduleOf())
  await requestBackup(world.context)
  await run(scheduleOf())
  expect((await readdir(directory)).length).toBe(2)
  expect((await readBackups(world.context)).failure).toBeNull()
})

test("names the last backup", async () => {
  await run(scheduleOf({ hasSecret: false }))
  const { last, failure, isRunning } = await readBackups(world.context)
  const file = join(directory, (await readdir(directory))[0] ?? "")
  expect({ last, failure, isRunning }).toMatchObject({
    last: { origin: "schedule", file, hasSecret: false, error: null },
    failure: null,
    isRunning: false,
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

test("an entry and a file of a wrong clock's future hide no failure, and take no other backup's place", async () => {
  await run(scheduleOf({ keep: 1 }))
  const own = (await readdir(directory))[0] ?? ""
  const later = own.replace("2026", "2027")
  await writeFile(join(directory, later), "")
  await world.store.pool.query(
    `insert into restwell.backup (origin, file, host, has_secret, status, started_at, ended_at, bytes)
     select origin, $1, host, has_secret, status, started_at + interval '1 year', ended_at + interval '1 year', bytes from restwell.backup`,
    [join(directory, later)],
  )
  expect((await readBackups(world.context)).last?.file).toContain(own)
  await letPass(25)
  await writeFile(join(directory, "file"), "")
  await run(scheduleOf({ keep: 1, directory: join(directory, "file", "backups") }))
  expect((await readBackups(world.context)).failure).not.toBeNull()
  await letPass(1)
  await run(scheduleOf({ keep: 1 }))
  const newest = own.replace("20T12", "21T14")
  expect((await readdir(directory)).toSorted()).toEqual(["file", newest, later])
  expect(await readBackups(world.context)).toMatchObject({
    last: { file: join(directory, newest) },
    failure: null,
  })
})

test("repeats the backup of a process that died", async () => {
  await requestBackup(world.context)
  await claimJob(world.context, [{ kind: "backup", minPriority: 0 }], world.context.clock.now())
  await run(scheduleOf())
  expect(await readBackups(world.context)).toMatchObject({ last: null, isRunning: true })
  await world.store.pool.query("update restwell.job set alive_at = now() - interval '16 seconds'")
  expect((await readBackups(world.context)).isRunning).toBe(false)
  await run(scheduleOf())
  expect((await readBackups(world.context)).last?.file).toMatch(/20261120T120000Z/)
})

test("makes one that is asked for at once, and forgets it neither for a schedule that changes nor for a process that stops", async () => {
  await run(scheduleOf())
  await world.simulator.clock.advance(HOUR_MS)
  await requestBackup(world.context)
  await requestBackup(world.context)
  expect((await readBackups(world.context)).isRunning).toBe(true)
  await scheduleBackups(world.context, scheduleOf({ everyHours: 48 }))
  await run(scheduleOf(), world, { stopping: AbortSignal.abort() })
  expect((await readdir(directory)).length).toBe(1)
  for (let look = 0; look < 3; look += 1) await run(scheduleOf())
  expect((await readdir(directory)).length).toBe(2)
  expect((await readBackups(world.context)).isRunning).toBe(false)
})

test("a shorter or longer interval counts from the last backup", async () => {
  await run(scheduleOf())
  await letPass(12)
  await run(scheduleOf({ everyHours: 48 }))
  await letPass(13)
  await run(scheduleOf({ everyHours: 48 }))
  expect((await readdir(directory)).length).toBe(1)
  await run(scheduleOf({ everyHours: 24 }))
  expect((await readdir(directory)).length).toBe(2)
})

test("leaves neither a file nor an entry when the process stops, and waits for another one", async () => {
  await run(scheduleOf(), world, { stopping: AbortSignal.abort() })
  expect(await readdir(directory)).toEqual([])
  expect(await readBackups(world.context)).toEqual({ last: null, failure: null, isRunning: true })
})
