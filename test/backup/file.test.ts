import { readdir, readFile, rm, stat, truncate, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { zstdCompressSync, zstdDecompressSync } from "node:zlib"
import {
  claimJob,
  FileExists,
  NotRestored,
  requestBackup,
  restoreBackup,
  runBackup,
  UnusableBackup,
  verifyBackup,
  writeBackup,
  writeWholeFile,
} from "@restwell/core"
import { createTestDatabase, makeFolder, type TestDatabase } from "@restwell/testing/database"
import { createWorld, type World } from "@restwell/testing/world"
import { Client } from "pg"
import { afterAll, beforeAll, expect, test } from "vitest"
import { fillEveryTable } from "./fill-every-table.ts"
import { schemaOf, storedRows } from "./stored-state.ts"

const SECRETS = ["the current secret of the place, 32 chars", "a former one of the same place, 32 chars"] as const

let world: World
let folder: string
let file: string
/** What the file has. */
let stored: Record<string, string>
beforeAll(async () => {
  world = await createWorld({ days: 14 })
  folder = await makeFolder("backup-file")
  await world.connect(await world.addUser(), world.simulator.people.add({ email: "ada@example.com" }))
  file = join(folder, "all.backup")
  await withClient(world.store, fillEveryTable)
  stored = await storedRows(world.store.pool)
  await makeBackup(file)
})
afterAll(async () => {
  await world.close()
  await rm(folder, { recursive: true })
})

async function withClient<Result>(store: TestDatabase, use: (client: Client) => Promise<Result>): Promise<Result> {
  const client = new Client(store.connection)
  await client.connect()
  return await use(client).finally(() => client.end())
}

const makeBackup = (path: string, hasSecret = true) =>
  writeWholeFile(path, (write) =>
    writeBackup(world.store.pool, { write, secrets: SECRETS, hasSecret, program: "0.1.0", now: new Date() }),
  )

async function restoreInto(store: TestDatabase, { replaces = false, path = file } = {}): Promise<void> {
  const backup = await verifyBackup(path)
  await restoreBackup(store.pool, { path, backup, replaces, beforeCommit: async () => {} })
}

test("brings back every row of every table, all sequences, and the whole schema", async () => {
  const store = await createTestDatabase()
  for (const [table, digest] of Object.entries(stored)) expect(digest, `${table} has no row`).not.toMatch(/^0 /)
  await restoreInto(store)
  expect(await storedRows(store.pool)).toEqual(stored)
  expect(await schemaOf(store.pool)).toEqual(await schemaOf(world.store.pool))
  await store.drop()
})

test("continues the numbers of new rows after the last one", async () => {
  const store = await createTestDatabase()
  await restoreInto(store)
  const add = `insert into restwell.security_event (user_id, at, type)
    select id, now(), 'signed_in' from restwell."user" limit 1 returning id`
  const [there, here] = [await store.pool.query(add), await world.store.pool.query(add)]
  expect(there.rows).toEqual(here.rows)
  await store.drop()
})

test("has the secrets or leaves them out", async () => {
  const without = join(folder, "without.backup")
  await makeBackup(without, false)
  expect((await verifyBackup(file)).secrets).toEqual(SECRETS)
  const backup = await verifyBackup(without)
  expect(backup.secrets).toBeUndefined()
  expect(backup.header.key_id).toBe((await verifyBackup(file)).header.key_id)
})

test("is readable for its owner alone, and never replaces a file", async () => {
  expect((await stat(file)).mode & 0o777).toBe(0o600)
  const before = await readFile(file)
  await expect(makeBackup(file)).rejects.toThrow(FileExists)
  expect(await readFile(file)).toEqual(before)
})

test("refuses a file that ends anywhere before its end", async () => {
  const path = join(folder, "short.backup")
  const whole = await readFile(file)
  await writeFile(path, whole)
  for (let length = whole.length - 1; length >= 0; length -= length > 2_000 ? 997 : 61) {
    await truncate(path, length)
    await expect(verifyBackup(path), `${length} bytes`).rejects.toThrow(UnusableBackup)
  }
})

test("refuses a file in which any bit is changed, or that has more at its end", async () => {
  const path = join(folder, "flipped.backup")
  const whole = await readFile(file)
  const unpacked = zstdDecompressSync(whole)
  for (let at = 0; at < whole.length; at += at < 64 || at > whole.length - 64 ? 1 : 499) {
    const flipped = Buffer.from(whole)
    flipped.writeUInt8(flipped.readUInt8(at) ^ (1 << (at % 8)), at)
    await writeFile(path, flipped)
    // Zstandard has a bit in each of its headers that means nothing.
    await verifyBackup(path).then(
      () => expect(zstdDecompressSync(flipped).equals(unpacked), `byte ${at}`).toBe(true),
      (error: unknown) => expect(error, `byte ${at}`).toBeInstanceOf(UnusableBackup),
    )
  }
  for (const more of [Buffer.of(0), whole]) {
    await writeFile(path, Buffer.concat([whole, more]))
    await expect(verifyBackup(path)).rejects.toThrow(/was changed or damaged/)
  }
})

test("refuses one with a file that is changed, missing, added or in another place", async () => {
  const path = join(folder, "mixed-up.backup")
  const archive = zstdDecompressSync(await readFile(file))
  const table = archive.indexOf("tables/account.00001.copy")
  const next = archive.indexOf("tables/", table + 1)
  const blocks = archive.subarray(table, next)
  const changed = Buffer.from(archive)
  changed.write("X", table + 512)
  const mixed: readonly [Buffer, RegExp][] = [
    [changed, /was changed or damaged: "tables\/account\.00001\.copy" is not as SHA256SUMS says/],
    [Buffer.concat([archive.subarray(0, table), archive.subarray(next)]), /"tables\/account\.00001\.copy" is not as/],
    [Buffer.concat([archive.subarray(0, next), blocks, archive.subarray(next)]), /in the place of sequences\.json/],
    [
      Buffer.concat([archive.subarray(0, table), archive.subarray(next, -1024), blocks]),
      /"tables\/account\.00001\.copy" is not as/,
    ],
    [Buffer.concat([archive, blocks]), /it goes on after SHA256SUMS/],
    [archive.subarray(0, next), /is incomplete: it has no SHA256SUMS/],
    [archive.subarray(0, next - 7), /is incomplete: it ends in the middle of a file/],
  ]
  for (const [content, message] of mixed) {
    await writeFile(path, zstdCompressSync(content))
    await expect(verifyBackup(path)).rejects.toThrow(message)
    await expect(verifyBackup(path)).rejects.toThrow(/Use another copy\. Nothing was changed$/)
  }
})

test("refuses one that is replaced after it was checked", async () => {
  const store = await createTestDatabase()
  const path = join(folder, "replaced.backup")
  await makeBackup(path)
  const backup = await verifyBackup(path)
  await rm(path)
  await makeBackup(path, false)
  await expect(
    restoreBackup(store.pool, { path, backup, replaces: false, beforeCommit: async () => {} }),
  ).rejects.toThrow(/was changed while it was read: run the command again\. Nothing was changed$/)
  await restoreInto(store)
  await store.drop()
})

test("refuses what is no backup in one sentence", async () => {
  const path = join(folder, "other")
  await writeFile(path, "PGDMP")
  await expect(verifyBackup(path)).rejects.toThrow(`${path} is not a backup of Restwell. Nothing was changed`)
  await expect(verifyBackup(join(folder, "none"))).rejects.toThrow(/cannot be read \(ENOENT\)/)
  await expect(verifyBackup(folder)).rejects.toThrow(UnusableBackup)
})

test("replaces accounts only where it is told to, and then all of them", async () => {
  const other = await createWorld({ days: 2 })
  await other.addUser()
  const before = await storedRows(other.store.pool)
  await expect(restoreInto(other.store)).rejects.toThrow(NotRestored)
  expect(await storedRows(other.store.pool)).toEqual(before)
  await restoreInto(other.store, { replaces: true })
  expect(await storedRows(other.store.pool)).toEqual(stored)
  await other.close()
})

test("changes nothing while a service runs on the database", async () => {
  const other = await createTestDatabase()
  const client = new Client({ ...other.connection, application_name: "restwell jobs" })
  await client.connect()
  await expect(restoreInto(other)).rejects.toThrow(/^Restwell runs on this database: stop every process of it first/)
  await client.end()
  await restoreInto(other)
  await other.drop()
})

test("has the rows of one moment while others write", async () => {
  const path = join(folder, "busy.backup")
  const { pool } = world.store
  const write = () =>
    pool.query(
      `with moment as (select clock_timestamp()::text as at), first as (update restwell.api_key set prefix = at from moment)
       update restwell.verification set value = at from moment`,
    )
  let isDone = false
  const writing = (async () => {
    while (!isDone) await write()
  })()
  await write()
  for (let round = 0; round < 2; round += 1) {
    const store = await createTestDatabase()
    await makeBackup(path)
    await restoreInto(store, { path })
    // Both change together, and one table is copied long before the other.
    const { rows } = await store.pool.query(
      `select prefix = value as "isOneMoment" from restwell.api_key, restwell.verification`,
    )
    expect(rows).toEqual([{ isOneMoment: true }])
    await store.drop()
    await rm(path)
  }
  isDone = true
  await writing
})

test("a scheduled backup is restored like another one", async () => {
  const directory = join(folder, "scheduled")
  const context = {
    ...world.context,
    pool: world.store.pool,
    secrets: () => SECRETS,
    dataDir: undefined,
    signal: new AbortController().signal,
  }
  await requestBackup(world.context)
  const job = await claimJob(world.context, [{ kind: "backup", minPriority: 0 }], world.context.clock.now())
  if (!job) throw new Error("no backup is due")
  await runBackup(context, job, { directory, keep: 1, everyHours: 24, hasSecret: true })
  const store = await createTestDatabase()
  const [name = ""] = await readdir(directory)
  await restoreInto(store, { path: join(directory, name) })
  expect((await storedRows(store.pool))["record"]).toBe((await storedRows(world.store.pool))["record"])
  await store.drop()
})
