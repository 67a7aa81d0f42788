import { chmod, chown, cp, mkdir, readdir, readFile, stat, unlink, utimes, writeFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import { expect, test } from "vitest"
import { findBinaries, installedDirectory, NoEmbeddedPostgres } from "../src/binaries.ts"
import { hold, kill, pidFile, temporaryDirectory } from "./holders.ts"

const isRoot = process.getuid?.() === 0
const NOBODY = { uid: 65_534, gid: 65_534 }

test("uses a short folder that only its owner can enter if a path is too long for a socket", async () => {
  const { said } = await hold(join(await temporaryDirectory(), "a".repeat(60), 'b, it\'s "c"'.repeat(6)))
  expect(said).toMatch(/^holds/)
  expect((await stat(said.split(" ")[1] ?? "")).mode & 0o077).toBe(0)
})

test("ignores a half-made cluster of a killed start, and deletes it later", async () => {
  const dataDir = join(await temporaryDirectory(), "data")
  const home = join(dataDir, "postgres")
  await mkdir(join(home, "cluster-old1"), { recursive: true })
  await mkdir(join(home, "cluster-new1"))
  await utimes(join(home, "cluster-old1"), new Date("2026-01-01"), new Date("2026-01-01"))
  expect((await hold(dataDir)).said).toMatch(/^holds/)
  const names = await readdir(home)
  expect(names.filter((name) => name.startsWith("cluster")).toSorted()).toEqual(["cluster", "cluster-new1"])
})

test("links the libraries after an install without scripts, also in simultaneous starts", async () => {
  const directory = await temporaryDirectory()
  const installed = join(directory, "native")
  await cp(dirname(installedDirectory()), directory, { recursive: true, verbatimSymlinks: true })
  const link = join(installed, "lib", process.platform === "darwin" ? "libpq.dylib" : "libicuuc.so.60")
  await unlink(link)
  const found = await Promise.all(Array.from({ length: 4 }, () => findBinaries(directory, undefined, installed)))
  for (const { initdb } of found) expect(initdb).toBe(join(installed, "bin/initdb"))
  await stat(link)
})

test("asks for DATABASE_URL on a platform without PostgreSQL on npm", () => {
  expect(() => installedDirectory("plan9-mips")).toThrow(NoEmbeddedPostgres)
  expect(() => installedDirectory("plan9-mips")).toThrow(/plan9-mips: set DATABASE_URL/)
})

test.runIf(isRoot)("programs out of the user's reach are copied, whole, once, as the user's own", async () => {
  const directory = await temporaryDirectory()
  const closed = join(directory, "closed")
  await mkdir(closed, { mode: 0o700 })
  await cp(dirname(installedDirectory()), closed, { recursive: true, verbatimSymlinks: true })
  const find = () => findBinaries(directory, NOBODY, join(closed, "native"))
  const [first, second] = await Promise.all([find(), find()])
  expect(first).toEqual(second)
  expect(dirname(dirname(dirname(first.initdb)))).toBe(directory)
  expect((await stat(first.initdb)).uid).toBe(NOBODY.uid)
  expect((await readdir(directory)).toSorted()).toEqual([expect.stringMatching(/^binaries-[\d.a-z-]+$/), "closed"])
})

test.runIf(isRoot)(
  "keeps root's data in a folder that only root can walk through, also after kill -9 and when that changes",
  async () => {
    const closed = join(await temporaryDirectory(), "closed")
    await mkdir(closed, { mode: 0o700 })
    const dataDir = join(closed, "data")
    const first = await hold(dataDir)
    expect(first.said).toBe(`holds ${join(dataDir, "postgres")} ${join(dataDir, "postgres")}`)
    await first.query("create table kept as select 1 as n")
    await kill(first.process)
    const second = await hold(dataDir)
    expect(await second.query("select * from kept")).toEqual([{ n: 1 }])
    expect((await hold(dataDir)).said).toContain(
      `refused AlreadyRunning: Restwell is already running on this DATA_DIR (process ${second.pid})`,
    )
    expect((await stat(closed)).mode & 0o777).toBe(0o700)
    await kill(second.process)
    await chmod(closed, 0o755)
    expect(await (await hold(dataDir)).query("select * from kept")).toEqual([{ n: 1 }])
  },
)

test.runIf(isRoot)("tells two databases apart that only root can walk to", async () => {
  const closed = join(await temporaryDirectory(), "closed")
  await mkdir(closed, { mode: 0o700 })
  const [first, second] = [await hold(join(closed, "one")), await hold(join(closed, "two"))]
  await first.query("create table one ()")
  await second.query("create table two ()")
  // A pid file that names the other's server, as after a crash and a reused number.
  await kill(second.process)
  await writeFile(pidFile(join(closed, "two")), await readFile(pidFile(join(closed, "one")), "utf8"))
  const again = await hold(join(closed, "two"))
  expect(await again.query("select * from two")).toEqual([])
  expect(await first.query("select * from one")).toEqual([])
})

test.runIf(isRoot)("runs for a user who is not root, and for root after that", async () => {
  const dataDir = join(await temporaryDirectory(), "nobodys")
  await mkdir(dataDir)
  await chown(dataDir, NOBODY.uid, NOBODY.gid)
  const first = await hold(dataDir, NOBODY)
  await first.query("create table kept as select 1 as n")
  await kill(first.process)
  expect(await (await hold(dataDir)).query("select * from kept")).toEqual([{ n: 1 }])
  expect((await stat(join(dataDir, "postgres"))).uid).toBe(NOBODY.uid)
})

test.runIf(isRoot)("another user's database is neither opened nor touched", async () => {
  const dataDir = join(await temporaryDirectory(), "roots")
  await kill((await hold(dataDir)).process)
  const { mode, uid } = await stat(join(dataDir, "postgres"))
  expect((await hold(dataDir, NOBODY)).said).toMatch(/^refused UnusableHome: .* belongs to another user \(uid \d+\)/)
  expect(await stat(join(dataDir, "postgres"))).toMatchObject({ mode, uid })
})

test.runIf(isRoot)("a database that its user can no longer walk to is opened all the same", async () => {
  const directory = join(await temporaryDirectory(), "open")
  await mkdir(directory)
  const dataDir = join(directory, "data")
  const first = await hold(dataDir)
  await first.query("create table kept as select 1 as n")
  await kill(first.process)
  await chmod(directory, 0o700)
  expect(await (await hold(dataDir)).query("select * from kept")).toEqual([{ n: 1 }])
})
