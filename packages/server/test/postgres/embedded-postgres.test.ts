import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { chmod, chown, cp, mkdir, mkdtemp, readFile, rm, stat, unlink, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { createInterface } from "node:readline"
import { Client } from "pg"
import { afterEach, beforeEach, expect, test } from "vitest"
import { findBinaries } from "../../src/postgres/binaries.ts"
import { isServing, stopServer } from "../../src/postgres/cluster.ts"
import { openCluster } from "../../src/postgres/embedded-postgres.ts"

const HOLDER = new URL("./holder.ts", import.meta.url).pathname

let directory: string
const holders: ChildProcess[] = []
const homes: string[] = []

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "restwell-embedded-"))
  await chmod(directory, 0o755)
})
afterEach(async () => {
  for (const holder of holders.splice(0)) await kill(holder)
  for (const dataDir of [join(directory, "data"), ...homes.splice(0)]) {
    const cluster = await openCluster(dataDir)
    if (await isServing(cluster)) await stopServer(cluster)
    await rm(cluster.home.directory, { recursive: true })
  }
  await rm(directory, { recursive: true, force: true })
})

async function kill(holder: ChildProcess): Promise<void> {
  if (holder.exitCode !== null || holder.signalCode !== null) return
  holder.kill("SIGKILL")
  await once(holder, "exit")
}

/** Starts a holder in a process group of its own, and resolves with its first word. */
async function hold(
  dataDir = join(directory, "data"),
  options: object = {},
): Promise<{ holder: ChildProcess; said: string }> {
  const holder = spawn(process.execPath, [HOLDER, dataDir], {
    detached: true,
    stdio: ["ignore", "pipe", "inherit"],
    ...options,
  })
  holders.push(holder)
  if (!holder.stdout) throw new Error("the holder has no output")
  const [said] = await once(createInterface(holder.stdout), "line")
  return { holder, said: String(said) }
}

async function query<Row extends object>(said: string, text: string): Promise<Row[]> {
  const client = new Client({ host: said.split(" ")[1], user: "restwell", database: "postgres" })
  await client.connect()
  try {
    return (await client.query<Row>(text)).rows
  } finally {
    await client.end()
  }
}

const serverPid = async (dataDir = join(directory, "data")): Promise<number> =>
  Number.parseInt(await readFile(join(dataDir, "postgres/cluster/postmaster.pid"), "utf8"), 10)

test("listens on a socket that only its owner reaches, and on no port", async () => {
  const { said } = await hold()
  expect(said).toBe(`holds ${join(directory, "data/postgres")}`)
  expect(await query(said, "show listen_addresses")).toEqual([{ listen_addresses: "" }])
  expect((await stat(join(directory, "data/postgres"))).mode & 0o077).toBe(0)
  expect(await query(said, "show fsync")).toEqual([{ fsync: "on" }])
})

test("Ctrl-C, which goes to the whole group, leaves the database up until the drain is over", async () => {
  const { holder, said } = await hold()
  await query(said, "create table drained (n integer)")
  if (holder.pid === undefined) throw new Error("the holder did not start")
  process.kill(-holder.pid, "SIGINT")
  expect(await once(holder, "exit")).toEqual([0, null])
  expect(await isServing(await openCluster(join(directory, "data")))).toBe(false)
  const again = await hold()
  expect(await query(again.said, "select * from drained")).toEqual([{ n: 1 }])
})

test("after kill -9 of the service the next start takes up the server that is still running", async () => {
  const first = await hold()
  await query(first.said, "create table kept as select 1 as n")
  const pid = await serverPid()
  await kill(first.holder)
  const second = await hold()
  expect(second.said).toMatch(/^holds/)
  expect(await serverPid()).toBe(pid)
  expect(await query(second.said, "select * from kept")).toEqual([{ n: 1 }])
})

test("after kill -9 of service and server what was committed is there", async () => {
  const first = await hold()
  await query(first.said, "create table kept as select generate_series(1, 1000) as n")
  const pid = await serverPid()
  await kill(first.holder)
  process.kill(pid, "SIGKILL")
  const second = await hold()
  expect(await query(second.said, "select count(*)::int as count from kept")).toEqual([{ count: 1000 }])
})

test("a server that is killed under a running service is brought back", async () => {
  const { said, holder } = await hold()
  process.kill(await serverPid(), "SIGKILL")
  await expect.poll(() => query(said, "select 1 as n").catch(() => "down"), { timeout: 20_000 }).toEqual([{ n: 1 }])
  expect(holder.exitCode).toBeNull()
})

test("a pid file that names a stranger's process does not keep it from starting", async () => {
  const cluster = await openCluster(join(directory, "data"))
  await writeFile(join(cluster.home.cluster, "postmaster.pid"), `${process.pid}\n${cluster.home.cluster}\n`)
  expect((await hold()).said).toMatch(/^holds/)
})

test("of two starts at once one holds, the other says who does and leaves it alone", async () => {
  for (let round = 0; round < 3; round += 1) {
    const dataDir = join(directory, `data-${round}`)
    homes.push(dataDir)
    const starts = await Promise.all([hold(dataDir), hold(dataDir), hold(dataDir)])
    const winners = starts.filter(({ said }) => said.startsWith("holds"))
    expect(winners).toHaveLength(1)
    for (const { said } of starts.filter(({ said }) => said.startsWith("refused")))
      expect(said).toBe(
        `refused AlreadyRunning: Restwell is already running on this DATA_DIR (process ${winners[0]?.holder.pid}): stop it first, or give this one a DATA_DIR of its own`,
      )
    expect(await query(winners[0]?.said ?? "", "select 1 as n")).toEqual([{ n: 1 }])
  }
})

test("a folder too deep for a socket's path works", async () => {
  const deep = join(directory, "a".repeat(60), "b".repeat(60))
  homes.push(deep)
  expect((await hold(deep)).said).toMatch(/^holds/)
})

test("libraries that an install without scripts left unlinked are linked", async () => {
  const { initdb } = await findBinaries(directory, undefined)
  const installed = join(directory, "native")
  await cp(dirname(dirname(initdb)), installed, { recursive: true, verbatimSymlinks: true })
  const link = join(installed, "lib", process.platform === "darwin" ? "libpq.dylib" : "libicuuc.so.60")
  await unlink(link)
  expect((await findBinaries(directory, undefined, installed)).initdb).toBe(join(installed, "bin/initdb"))
  await stat(link)
})

test.runIf(process.getuid?.() === 0)("runs for root in a folder that only root can walk through", async () => {
  const closed = join(directory, "closed")
  await mkdir(closed, { mode: 0o700 })
  homes.push(join(closed, "data"))
  const { said } = await hold(join(closed, "data"))
  expect(said).toMatch(/^holds/)
  expect(await readFile(join(closed, "data/POSTGRES-IS-ELSEWHERE.txt"), "utf8")).toContain(said.split(" ")[1])
})

test.runIf(process.getuid?.() === 0)("runs for a user who is not root", async () => {
  const nobody = 65_534
  const dataDir = join(directory, "nobodys")
  await mkdir(dataDir)
  await chown(dataDir, nobody, nobody)
  const { holder, said } = await hold(dataDir, { uid: nobody, gid: nobody })
  expect(said).toMatch(/^holds/)
  holder.kill("SIGKILL")
  process.kill(await serverPid(dataDir), "SIGKILL")
})
