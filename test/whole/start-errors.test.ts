import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises"
import { createServer } from "node:net"
import { join } from "node:path"
import { startServiceProcess } from "@restwell/testing/service"
import { beforeEach, expect, onTestFinished, test } from "vitest"
import { query } from "./query.ts"
import { listen, RefusedStarts } from "./refused-start.ts"
import { mountSmallDisk } from "./small-disk.ts"

const isRoot = process.getuid?.() === 0
const NOBODY = { uid: 65_534, gid: 65_534 }

let starts: RefusedStarts
beforeEach(async () => {
  starts = await RefusedStarts.make()
})

test("a file in the place of DATA_DIR, or above it", async () => {
  await writeFile(starts.dataDir, "")
  expect(await starts.try()).toContain(`DATA_DIR cannot be used (${starts.dataDir}): there is a file of that name`)
  const below = join(starts.dataDir, "below")
  expect(await starts.try({ environment: { DATA_DIR: below } })).toContain("a part of that path is a file")
  expect(await starts.try({ command: "re-encrypt", environment: { DATA_DIR: below } })).toContain(
    `there is no Restwell in ${below}`,
  )
})

test("a folder for backups in DATA_DIR, and a home of another user", async () => {
  const environment = { BACKUP_DIR: join(starts.dataDir, "backups") }
  expect(await starts.try({ environment })).toContain(
    `BACKUP_DIR cannot be used (${environment.BACKUP_DIR}): it is in DATA_DIR (${starts.dataDir})`,
  )
  expect(await starts.try({ environment: { BACKUP_DIR: "~ada/backups" } })).toContain(
    "BACKUP_DIR must be a path: only ~/",
  )
})

test("a file in the place of the demo's folder", async () => {
  await writeFile(join(starts.folder, ".demo"), "")
  expect(await starts.try({ command: "demo", options: { cwd: starts.folder } })).toContain(
    "DATA_DIR cannot be used (.demo)",
  )
})

test.runIf(isRoot)("a DATA_DIR that this user may not write", async () => {
  await mkdir(starts.dataDir)
  const asNobody = { options: NOBODY }
  expect(await starts.try(asNobody)).toContain(
    `DATA_DIR cannot be used (${starts.dataDir}): this user may not write there`,
  )
  const environment = { DATA_DIR: join(starts.dataDir, "new") }
  expect(await starts.try({ environment, ...asNobody })).toContain("this user may not write there")
})

test.runIf(process.platform === "linux")("a DATA_DIR where no folder can be made", async () => {
  expect(await starts.try({ environment: { DATA_DIR: "/proc/restwell" } })).toContain(
    "DATA_DIR cannot be used (/proc/re",
  )
})

test("a DATA_DIR on a full disk, and on one that is mounted read-only", async (context) => {
  const disk = await mountSmallDisk(8)
  if (typeof disk === "string") return context.skip(`no disk can be mounted here: ${disk}`)
  onTestFinished(() => disk.remove())
  await disk.fill()
  const environment = { DATA_DIR: join(disk.directory, "data") }
  expect(await starts.try({ environment })).toContain("its disk is full: free some space")
  await disk.free()
  await disk.makeReadOnly()
  expect(await starts.try({ environment })).toContain("it is on a read-only file system")
  expect(await starts.try({ environment: { DATA_DIR: disk.directory } })).toContain("it is on a read-only file system")
})

test("a disk that is too small for a database", async (context) => {
  const disk = await mountSmallDisk(8)
  if (typeof disk === "string") return context.skip(`no disk can be mounted here: ${disk}`)
  onTestFinished(() => disk.remove())
  const message = await starts.try({ environment: { DATA_DIR: disk.directory } })
  expect(message).toContain("PostgreSQL could not make its database")
  expect(message).toContain("No space left on device")
  expect(await readdir(join(disk.directory, "postgres"))).toEqual([])
})

test.each([
  ["192.0.2.1", "HOST is not an address of this machine"],
  ["no-such-host.invalid", /HOST is (?:not a known name|a name that cannot be looked up)/],
])("HOST=%s, before anything is made", async (HOST, message) => {
  expect(await starts.try({ environment: { HOST } })).toMatch(message)
})

test("a port in use, before anything is made", async () => {
  const port = await listen(createServer())
  expect(await starts.try({ environment: { PORT: String(port) } })).toBe(
    `restwell: cannot listen on 127.0.0.1 port ${port}: another program uses the port: set PORT to another one\n`,
  )
})

test.each(["17", "99"])("a database of another major version of PostgreSQL: %s", async (major) => {
  const cluster = join(starts.dataDir, "postgres", "cluster")
  await mkdir(cluster, { recursive: true })
  await writeFile(join(cluster, "PG_VERSION"), `${major}\n`)
  await writeFile(join(starts.dataDir, "secret"), `${"k".repeat(40)}\n`)
  const message = `the database in ${cluster} was made by PostgreSQL ${major}, and this Restwell has PostgreSQL 18`
  const refused = await starts.try()
  expect(refused).toContain(message)
  expect(refused).toMatch(/make a backup \(restwell backup FILE\), move .*postgres away, and restore it with this one/)
  expect(await starts.try({ command: "re-encrypt", environment: { DATA_DIR: starts.dataDir } })).toContain(message)
  expect(await readFile(join(cluster, "PG_VERSION"), "utf8")).toBe(`${major}\n`)
})

test("an embedded database whose secret is missing, unreadable or truncated, and a new one is made on purpose", async () => {
  const service = await startServiceProcess({ environment: { DATA_DIR: starts.dataDir } })
  await service.stop()
  const secret = join(starts.dataDir, "secret")
  const kept = await readFile(secret, "utf8")
  await rm(secret)
  const missing = await starts.try()
  expect(missing).toContain(
    `${secret} is missing, but there is a database that was encrypted with it: restore the file`,
  )
  expect(missing).toContain(`openssl rand -base64 32 > '${secret}'`)
  expect(await starts.try({ command: "rotate-secret", environment: { DATA_DIR: starts.dataDir } })).toContain(
    "is missing, but",
  )
  await mkdir(secret)
  expect(await starts.try()).toContain(`${secret} cannot be read (EISDIR)`)
  await rm(secret, { recursive: true })
  await writeFile(secret, kept.slice(0, 20))
  expect(await starts.try()).toContain(`${secret} has no secret of 32 characters: restore the file`)
  await writeFile(secret, kept)
  expect(await (await startServiceProcess({ environment: { DATA_DIR: starts.dataDir } })).stop()).toBe(0)
}, 120_000)

test("an embedded database of a newer Restwell", async () => {
  const environment = { DATA_DIR: starts.dataDir }
  const service = await startServiceProcess({ environment })
  const socket = encodeURIComponent(join(starts.dataDir, "postgres"))
  await query(
    `postgres://restwell@localhost/postgres?host=${socket}`,
    "insert into restwell.kysely_migration (name, timestamp) values ('0099-later', now()::text)",
  )
  await service.stop()
  const message = "the database is of a newer Restwell (0099-later): start that version, or restore a backup"
  expect(await starts.try()).toContain(message)
  expect(await starts.try({ command: "re-encrypt" })).toContain(message)
}, 120_000)
