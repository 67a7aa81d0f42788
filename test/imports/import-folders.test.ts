/** Folders of archives: each version of a file once, and none that somebody still writes to. */
import { rmSync, symlinkSync } from "node:fs"
import { chmod, mkdir, mkdtemp, rename, rm, symlink, utimes, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { listImports, runImports, undoImport } from "@restwell/core"
import { FolderWatch } from "@restwell/server/folder-watch"
import { whoopArchive, whoopTables } from "@restwell/testing/archive"
import { runCommand } from "@restwell/testing/service"
import { createWorld, type World } from "@restwell/testing/world"
import { afterAll, beforeAll, expect, test } from "vitest"
import { startNetwork } from "../whole/network.ts"

let world: World
let directory: string
let records: ReturnType<World["simulator"]["records"]>
beforeAll(async () => {
  world = await createWorld({ days: 40, seed: "folders" })
  directory = await mkdtemp(join(tmpdir(), "restwell-folders-"))
  await chmod(directory, 0o755)
  records = world.simulator.records(world.simulator.people.add({ email: "ada@vendor.example" }))
}, 60_000)
afterAll(async () => {
  await world.close()
  await rm(directory, { recursive: true })
})

let number = 0
async function addPerson() {
  number += 1
  const email = `person-${number}@example.com`
  const userId = await world.addUser({ id: `person-${number}`, email })
  const folder = join(directory, email)
  await mkdir(folder)
  const listed = () => listImports(world.context, userId)
  return {
    email,
    userId,
    folder,
    listed,
    statuses: async () => (await listed()).map(({ fileName, status }) => `${fileName} ${status}`),
  }
}

/** Nobody stops the process. */
const NEVER = new AbortController().signal
const read = () => runImports(world.context, { signal: NEVER })
const watchFolders = () => new FolderWatch({ directory, context: world.context, importMaxBytes: 50 * 1_048_576 })

/** Looks twice, so that what nobody writes to is known to be whole. */
async function lookUntilWhole(...watches: FolderWatch[]): Promise<void> {
  for (const watch of watches) await watch.look(NEVER)
  world.simulator.clock.advance(25_000)
  await Promise.all(watches.map((watch) => watch.look(NEVER)))
}

/** What a band measured in some cycles. */
const cyclesFrom = (from: number, to: number) => ({ ...records, cycles: records.cycles.slice(from, to), workouts: [] })
const nightsFrom = (from: number, to: number): Buffer => whoopArchive(cyclesFrom(from, to))

test("a file is imported once it has stopped growing, once over restarts and processes, also after it was undone", async () => {
  const { userId, folder, statuses, listed } = await addPerson()
  const bytes = nightsFrom(0, 20)
  const file = join(folder, "my_whoop_data.zip")
  const watch = watchFolders()
  await writeFile(file, bytes.subarray(0, 1_000))
  await watch.look(NEVER)
  world.simulator.clock.advance(25_000)
  await writeFile(file, bytes)
  await watch.look(NEVER)
  expect(await statuses()).toEqual([])
  await lookUntilWhole(watch, watchFolders(), watchFolders())
  await read()
  expect(await statuses()).toEqual(["my_whoop_data.zip done"])
  await lookUntilWhole(watch, watchFolders())
  expect(await statuses()).toEqual(["my_whoop_data.zip done"])
  for (const { id } of await listed()) await undoImport(world.context, userId, id)
  await lookUntilWhole(watch, watchFolders())
  expect(await statuses()).toEqual([])
})

test("a new version that has all of the former takes its place, and one that has not leaves it", async () => {
  const { folder, statuses, listed } = await addPerson()
  const file = join(folder, "export.zip")
  const watch = watchFolders()
  const write = async (bytes: Buffer) => {
    await writeFile(`${file}.tmp`, bytes)
    await rename(`${file}.tmp`, file)
    await lookUntilWhole(watch)
    await read()
    await watch.look(NEVER)
  }
  await write(nightsFrom(0, 10))
  const [first] = await listed()
  await write(nightsFrom(0, 20))
  expect(await statuses()).toEqual(["export.zip done"])
  expect((await listed())[0]?.id).not.toBe(first?.id)
  await write(nightsFrom(10, 30))
  expect(await statuses()).toEqual(["export.zip done", "export.zip done"])
  expect((await listed()).map(({ report }) => report?.by_type["cycle"])).toEqual([20, 20])
})

test("two processes that end the former version at once, and a database that is away meanwhile, end neither of them", async () => {
  const { folder, statuses } = await addPerson()
  const watches = [watchFolders(), watchFolders()]
  for (const count of [10, 12, 14, 16]) {
    await writeFile(join(folder, "export.zip"), nightsFrom(0, count))
    await lookUntilWhole(...watches)
    await read()
    await Promise.all(watches.map((watch) => watch.look(NEVER)))
  }
  expect(await statuses()).toEqual(["export.zip done"])
  await writeFile(join(folder, "export.zip"), nightsFrom(0, 18))
  await lookUntilWhole(...watches)
  await world.store.pool.query("alter table restwell.folder_file rename to folder_file_away")
  await Promise.all(watches.map((watch) => watch.look(NEVER)))
  await world.store.pool.query("alter table restwell.folder_file_away rename to folder_file")
  await read()
  await Promise.all(watches.map((watch) => watch.look(NEVER)))
  expect(await statuses()).toEqual(["export.zip done"])
})

test("a stop does not wait for a file, of which nothing stays, and which is imported after the next start", async () => {
  const { userId, folder, statuses } = await addPerson()
  await writeFile(join(folder, "export.zip"), Buffer.alloc(20 * 1_048_576))
  const stopping = new AbortController()
  let looks = 0
  // The disk is looked at again and again while a file is read.
  const freeBytes = async () => {
    looks += 1
    if (looks === 2) stopping.abort()
    return undefined
  }
  const context = { ...world.context, disk: { freeBytes } }
  const watch = new FolderWatch({ directory, context, importMaxBytes: 50 * 1_048_576 })
  await watch.look(stopping.signal)
  world.simulator.clock.advance(25_000)
  await watch.look(stopping.signal)
  expect(stopping.signal.aborted).toBe(true)
  const left = await world.store.pool.query("select status from restwell.import where user_id = $1", [userId])
  expect(left.rows).toEqual([])
  await writeFile(join(folder, "export.zip"), nightsFrom(0, 10))
  await lookUntilWhole(watchFolders())
  await read()
  expect(await statuses()).toEqual(["export.zip done"])
})

test("unfinished files, links and tables of an unpacked archive stay alone, and so does a folder of no account", async () => {
  const { folder, statuses } = await addPerson()
  const other = await addPerson()
  const bytes = nightsFrom(0, 5)
  await writeFile(join(other.folder, "own.zip"), bytes)
  await symlink(join(other.folder, "own.zip"), join(folder, "link.zip"))
  for (const name of [".syncthing.a.zip.tmp", "~a.zip", "a.zip.part", "a.zip.crdownload", "notes.txt"])
    await writeFile(join(folder, name), bytes)
  for (const within of [join(folder, "unpacked"), join(folder, ".stversions"), join(directory, "nobody@example.com")])
    await mkdir(within)
  await writeFile(join(folder, "unpacked", "sleeps.csv"), "a,b\n1,2\n")
  await writeFile(join(folder, ".stversions", "old.zip"), bytes)
  await writeFile(join(directory, "nobody@example.com", "a.zip"), bytes)
  await lookUntilWhole(watchFolders())
  await read()
  expect(await statuses()).toEqual([])
  expect(await other.statuses()).toEqual(["own.zip done"])
})

/** Writes an older file, and a newer one whose name comes first, as a browser names it. */
async function writeTwice(folder: string): Promise<void> {
  for (const [name, minutes] of [
    ["whoop (1).zip", 10],
    ["whoop.zip", 5],
  ] as const) {
    await writeFile(join(folder, name), nightsFrom(minutes, minutes + 5))
    const at = new Date(Date.UTC(2026, 0, 1, 12, minutes))
    await utimes(join(folder, name), at, at)
  }
}

test("of archives that are found together the older file is imported first, whatever its name", async () => {
  const { folder, statuses } = await addPerson()
  await writeTwice(folder)
  await lookUntilWhole(watchFolders())
  await read()
  expect(await statuses()).toEqual(["whoop (1).zip done", "whoop.zip done"])
  const byCommand = await addPerson()
  await writeTwice(byCommand.folder)
  const { files } = outcome(await runImport(byCommand.folder, byCommand.email))
  expect(files.map(({ file }: { file: string }) => file)).toEqual(["whoop.zip", "whoop (1).zip"])
  expect(await byCommand.statuses()).toEqual(["whoop (1).zip done", "whoop.zip done"])
})

test("of many archives all are read, a few at a time", async () => {
  const { folder, statuses } = await addPerson()
  await mkdir(join(folder, "phone"))
  for (let at = 0; at < 8; at += 1)
    await writeFile(join(folder, "phone", `nights-${at}.zip`), nightsFrom(at * 4, at * 4 + 4))
  const watch = watchFolders()
  await lookUntilWhole(watch)
  expect(await statuses()).toHaveLength(5)
  await read()
  await watch.look(NEVER)
  await read()
  expect(await statuses()).toEqual(Array.from({ length: 8 }, (_, at) => `nights-${7 - at}.zip done`))
})

/** Root may read everything. */
const NOBODY = process.geteuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {}

async function asNobody(work: () => Promise<void>): Promise<void> {
  const { uid } = NOBODY
  // The socket of the database is root's, so the connections have to be open.
  await Promise.all(Array.from({ length: 4 }, () => world.store.pool.query("select 1")))
  if (uid !== undefined) process.seteuid?.(uid)
  try {
    await work()
  } finally {
    if (uid !== undefined) process.seteuid?.(0)
  }
}

/** What a watch says of this person's files and folders, and the context in which it does. */
function listened(folder: string) {
  const said: string[] = []
  const note = (fields: object) => {
    const text = JSON.stringify(fields)
    if (text.includes(folder)) said.push(text)
  }
  return { said, context: { ...world.context, logger: { ...world.context.logger, warn: note, error: note } } }
}

test("files and folders that may not be read are named once, and the others are imported", async () => {
  const { folder, statuses } = await addPerson()
  const [file, within] = [join(folder, "a-closed.zip"), join(folder, "b-closed")]
  await writeFile(file, nightsFrom(0, 5), { mode: 0 })
  await mkdir(within, { mode: 0 })
  await writeFile(join(folder, "c-open.zip"), nightsFrom(5, 10))
  const { said, context } = listened(folder)
  const watch = new FolderWatch({ directory, context, importMaxBytes: 50 * 1_048_576 })
  await asNobody(() => lookUntilWhole(watch))
  await read()
  expect(await statuses()).toEqual(["c-open.zip done"])
  expect(said).toEqual([expect.stringContaining(`"path":"${within}"`), expect.stringContaining(`"path":"${file}"`)])
  await chmod(file, 0o644)
  await watch.look(NEVER)
  await read()
  expect(await statuses()).toEqual(["a-closed.zip done", "c-open.zip done"])
})

test("a person's folder that may not be read is named once", async () => {
  const { folder } = await addPerson()
  await chmod(folder, 0)
  const { said, context } = listened(folder)
  const watch = new FolderWatch({ directory, context, importMaxBytes: 50 * 1_048_576 })
  await asNobody(() => lookUntilWhole(watch))
  await chmod(folder, 0o755)
  expect(said).toEqual([expect.stringContaining(`"path":"${folder}"`)])
})

test("a file whose place a link takes while it is looked at costs no other one", async () => {
  const { email, statuses } = await addPerson()
  const watched = join(directory, ".watched")
  const folder = join(watched, email)
  await mkdir(folder, { recursive: true })
  const swapped = join(folder, "a-swapped.zip")
  await writeFile(swapped, nightsFrom(0, 5))
  await writeFile(join(folder, "b-open.zip"), nightsFrom(5, 10))
  const { said, context } = listened(folder)
  let isFound = false
  // The clock is read once the files were found.
  const now = () => {
    if (isFound) {
      rmSync(swapped)
      symlinkSync(swapped, swapped)
      isFound = false
    }
    return context.clock.now()
  }
  const options = { directory: watched, context: { ...context, clock: { now } }, importMaxBytes: 50 * 1_048_576 }
  const watch = new FolderWatch(options)
  await watch.look(NEVER)
  world.simulator.clock.advance(25_000)
  isFound = true
  await watch.look(NEVER)
  await read()
  expect(await statuses()).toEqual(["b-open.zip done"])
  expect(said).toEqual([expect.stringContaining("ELOOP")])
})

/** The command in a process that is not root's, and reaches the database by a port. */
async function runImport(path: string, email: string) {
  const { host = "", port, user, database } = world.store.connection
  const network = await startNetwork(
    host.startsWith("/") ? { path: join(host, `.s.PGSQL.${port}`) } : { host, port: Number(port) },
  )
  try {
    const settings = { DATA_DIR: join(directory, ".data"), RESTWELL_SECRET: "s".repeat(44) }
    const DATABASE_URL = `postgres://${user}@127.0.0.1:${network.port}/${database}`
    return await runCommand(["import", path, "--account", email, "--json"], { ...settings, DATABASE_URL }, NOBODY)
  } finally {
    await network.close()
  }
}

const outcome = ({ output }: { readonly output: string }) =>
  JSON.parse(output.split("\n").find((line) => line.startsWith("{")) ?? "{}")

test("the command imports the archives of a folder, each version once, and a folder that is an unpacked archive", async () => {
  const { email, folder, statuses } = await addPerson()
  await writeFile(join(folder, "broken.zip"), "PK no zip")
  await writeFile(join(folder, "whole.zip"), nightsFrom(0, 10))
  const run = (path: string) => runImport(path, email)
  const first = await run(folder)
  expect(first.code).toBe(1)
  expect(first.errors).toContain("1 of 2 could not be imported")
  expect(outcome(first)).toEqual({
    files: [
      { file: "broken.zip", error: expect.stringMatching(/broken\.zip .* upload/) },
      { file: "whole.zip", report: expect.objectContaining({ by_type: expect.objectContaining({ cycle: 10 }) }) },
    ],
  })
  expect(outcome(await run(folder)).files).toEqual([
    { file: "broken.zip", skipped: "was imported before" },
    { file: "whole.zip", skipped: "was imported before" },
  ])
  const unpacked = join(directory, ".unpacked", "my_whoop_data")
  await mkdir(unpacked, { recursive: true })
  const { cycles } = whoopTables(cyclesFrom(10, 14))
  await writeFile(join(unpacked, "physiological_cycles.csv"), cycles)
  expect(outcome(await run(unpacked)).files).toEqual([
    { file: "my_whoop_data.zip", report: expect.objectContaining({ by_type: expect.objectContaining({ cycle: 4 }) }) },
  ])
  expect(await statuses()).toEqual(["my_whoop_data.zip done", "whole.zip done", "broken.zip failed"])
})

test("the command names what may not be read, and imports the others", async () => {
  const { email, folder, statuses } = await addPerson()
  await writeFile(join(folder, "a-closed.zip"), nightsFrom(0, 10), { mode: 0 })
  await mkdir(join(folder, "b-closed"), { mode: 0 })
  await writeFile(join(folder, "c-open.zip"), nightsFrom(0, 10))
  const first = await runImport(folder, email)
  expect([first.code, outcome(first)]).toEqual([
    1,
    {
      files: [
        { file: "b-closed", error: expect.stringMatching(/^cannot be read: EACCES: permission denied/) },
        { file: "a-closed.zip", error: expect.stringMatching(/^cannot be read: EACCES: permission denied/) },
        { file: "c-open.zip", report: expect.objectContaining({ by_type: expect.objectContaining({ cycle: 10 }) }) },
      ],
    },
  ])
  const unpacked = join(directory, ".unpacked", "partly")
  await mkdir(unpacked, { recursive: true })
  await writeFile(join(unpacked, "physiological_cycles.csv"), whoopTables(cyclesFrom(10, 14)).cycles)
  await writeFile(join(unpacked, "workouts.csv"), "", { mode: 0 })
  expect(outcome(await runImport(unpacked, email)).files).toEqual([
    { file: "workouts.csv", error: expect.stringMatching(/^cannot be read: EACCES: permission denied/) },
    { file: "partly.zip", report: expect.objectContaining({ by_type: expect.objectContaining({ cycle: 4 }) }) },
  ])
  expect(await statuses()).toEqual(["partly.zip done", "c-open.zip done"])
})
