import { execFile, spawn, spawnSync } from "node:child_process"
import { glob, readFile, stat, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { promisify } from "node:util"
import { expect, onTestFinished, test } from "vitest"
import { openCluster } from "../src/cluster.ts"
import { isServing } from "../src/server-process.ts"
import { type Holder, hold, interrupt, kill, pidFile, serverPid, temporaryDirectory } from "./holders.ts"

const run = promisify(execFile)
const isRoot = process.getuid?.() === 0
const APART = ["unshare", "--pid", "--ipc", "--fork", "--mount-proc", "--kill-child"]
const canRunApart = spawnSync("unshare", [...APART.slice(1), "true"]).status === 0

test("listens on a socket that only its owner can open, on no port, and commits durably", async () => {
  const dataDir = join(await temporaryDirectory(), "data")
  const { said, query } = await hold(dataDir)
  expect(said).toBe(`holds ${join(dataDir, "postgres")} ${join(dataDir, "postgres")}`)
  expect(await query("show listen_addresses")).toEqual([{ listen_addresses: "" }])
  expect((await stat(join(dataDir, "postgres"))).mode & 0o077).toBe(0)
  for (const setting of ["fsync", "synchronous_commit", "full_page_writes", "data_checksums"])
    expect(await query(`show ${setting}`)).toEqual([{ [setting]: "on" }])
})

test("does not log the values of a row that caused an error", async () => {
  const dataDir = join(await temporaryDirectory(), "data")
  const { query } = await hold(dataDir)
  await query("create table pulse (rate integer unique)")
  await query("insert into pulse values ($1)", [918273645])
  await expect(query("insert into pulse values ($1)", [918273645])).rejects.toThrow("duplicate key")
  // Its log collector writes when it comes to it.
  await expect.poll(() => readLog(dataDir), { timeout: 30_000 }).toContain("duplicate key")
  expect(await readLog(dataDir)).not.toContain("918273645")
})

test("runs until the drain is over after Ctrl-C, which signals the whole process group", async () => {
  const dataDir = join(await temporaryDirectory(), "data")
  expect(await interrupt(await hold(dataDir))).toEqual([0, null])
  expect(await isServing(await openCluster(dataDir))).toBe(false)
  const again = await hold(dataDir)
  expect(await again.query("select * from drained")).toEqual([{ n: 1 }])
})

test("PostgreSQL stops by itself after kill -9 of the service, and keeps all commits and nothing else", async () => {
  const dataDir = join(await temporaryDirectory(), "data")
  const first = await hold(dataDir)
  await first.query("create table kept as select 1 as n")
  await kill(first.process)
  const cluster = await openCluster(dataDir)
  await expect.poll(() => isServing(cluster), { timeout: 30_000 }).toBe(false)
  const second = await hold(dataDir)
  expect(await second.query("select * from kept")).toEqual([{ n: 1 }])
  expect(await second.query("select * from drained")).toEqual([])
  // A server that was aborted would have replayed its log.
  expect(await timesSaid(dataDir, "not properly shut down")).toBe(0)
})

test("a start right after kill -9 waits for the old server, and runs one of its own", async () => {
  const dataDir = join(await temporaryDirectory(), "data")
  const first = await hold(dataDir)
  await first.query("create table kept as select 1 as n")
  const pid = await serverPid(dataDir)
  process.kill(first.pid, "SIGKILL")
  const second = await hold(dataDir)
  expect(second.said).toMatch(/^holds/)
  expect(await serverPid(dataDir)).not.toBe(pid)
  expect(await second.query("select * from kept")).toEqual([{ n: 1 }])
})

test("restarts PostgreSQL with another guard if its guard is killed while the service runs", async () => {
  const dataDir = join(await temporaryDirectory(), "data")
  const { process: holder, query } = await hold(dataDir)
  const pid = await serverPid(dataDir)
  process.kill(await guardOf(pid), "SIGKILL")
  await expect.poll(() => serverPid(dataDir).catch(() => pid), { timeout: 30_000 }).not.toBe(pid)
  await expect.poll(() => query("select 1 as n").catch(() => "down"), { timeout: 30_000 }).toEqual([{ n: 1 }])
  expect(holder.exitCode).toBeNull()
  await kill(holder)
  const cluster = await openCluster(dataDir)
  await expect.poll(() => isServing(cluster), { timeout: 30_000 }).toBe(false)
})

test("a start stops the server of a killed service whose guard was killed too", async () => {
  const dataDir = join(await temporaryDirectory(), "data")
  const first = await hold(dataDir)
  await first.query("create table kept as select 1 as n")
  const pid = await serverPid(dataDir)
  const guard = await guardOf(pid)
  for (const each of [first.pid, ...(await childrenOf(guard)).filter((child) => child !== pid), guard])
    process.kill(each, "SIGKILL")
  const second = await hold(dataDir)
  expect(second.said).toMatch(/^holds/)
  expect(await serverPid(dataDir)).not.toBe(pid)
  expect(await second.query("select * from kept")).toEqual([{ n: 1 }])
})

test("keeps all commits and nothing else after kill -9 of service and server", async () => {
  const dataDir = join(await temporaryDirectory(), "data")
  const first = await hold(dataDir)
  await first.query("create table kept as select generate_series(1, 1000) as n")
  await killBoth(first, dataDir)
  const second = await hold(dataDir)
  expect(await second.query("select count(*)::int from kept")).toEqual([{ count: 1000 }])
  expect(await second.query("select * from drained")).toEqual([])
})

test("restarts a server that is killed while the service runs", async () => {
  const dataDir = join(await temporaryDirectory(), "data")
  const { process: holder, query } = await hold(dataDir)
  process.kill(await serverPid(dataDir), "SIGKILL")
  // It serves a moment before it is held again.
  const locks = "select count(*)::int as n from pg_locks where locktype = 'advisory'"
  await expect.poll(() => query(locks).catch(() => "down"), { timeout: 30_000 }).toEqual([{ n: 1 }])
  expect(holder.exitCode).toBeNull()
  expect((await hold(dataDir)).said).toContain(`(process ${holder.pid})`)
})

test("starts although the pid file names another program's process", async () => {
  const dataDir = join(await temporaryDirectory(), "data")
  const first = await hold(dataDir)
  const dead = await serverPid(dataDir)
  await killBoth(first, dataDir)
  const { home } = await openCluster(dataDir)
  const stranger = spawn("sleep", ["60"], { ...home.user })
  onTestFinished(() => kill(stranger))
  for (const path of [pidFile(dataDir), join(home.socketDirectory, ".s.PGSQL.5432.lock")])
    await writeFile(path, (await readFile(path, "utf8")).replace(String(dead), String(stranger.pid)))
  const second = await hold(dataDir)
  expect(second.said).toMatch(/^holds/)
  expect(await interrupt(second)).toEqual([0, null])
  expect(stranger.signalCode).toBeNull()
})

test("runs one of many simultaneous starts, and the others name its process and change nothing", async () => {
  const directory = await temporaryDirectory()
  for (let round = 0; round < 3; round += 1) {
    const dataDir = join(directory, `data-${round}`)
    const starts = await Promise.all(Array.from({ length: 4 }, () => hold(dataDir)))
    const [winner, ...others] = starts.toSorted((one, other) => one.said.localeCompare(other.said))
    expect(winner?.said).toMatch(/^holds/)
    for (const { said } of others)
      expect(said).toBe(
        `refused AlreadyRunning: Restwell is already running on this DATA_DIR (process ${winner?.pid}): stop it first, or use another DATA_DIR`,
      )
    expect(await winner?.query("select 1 as n")).toEqual([{ n: 1 }])
  }
})

test("waits at a start until the previous service has stopped", async () => {
  const dataDir = join(await temporaryDirectory(), "data")
  let holder = await hold(dataDir)
  for (let round = 1; round <= 3; round += 1) {
    const [ended, next] = await Promise.all([interrupt(holder), hold(dataDir)])
    expect(ended).toEqual([0, null])
    expect(await next.query("select count(*)::int from drained")).toEqual([{ count: round }])
    holder = next
  }
})

test("waits for a server that stops slowly, and a slow stop leaves the next server alone", async () => {
  const dataDir = join(await temporaryDirectory(), "data")
  const first = await hold(dataDir)
  const [checkpointer] = await first.query<{ pid: number }>(
    "select pid from pg_stat_activity where backend_type = 'checkpointer'",
  )
  if (!checkpointer) throw new Error("there is no checkpointer")
  process.kill(checkpointer.pid, "SIGSTOP")
  const ended = interrupt(first)
  await expect.poll(() => first.query("select 1").catch(String)).toMatch(/shutting down/)
  process.kill(first.pid, "SIGSTOP")
  const refusedBefore = await timesSaid(dataDir, "the database system is shutting down")
  const starting = hold(dataDir)
  // The next start has met the server that stops, more than once.
  await expect
    .poll(() => timesSaid(dataDir, "the database system is shutting down"), { timeout: 30_000 })
    .toBeGreaterThan(refusedBefore + 2)
  process.kill(checkpointer.pid, "SIGCONT")
  const second = await starting
  expect(second.said).toMatch(/^holds/)
  const pid = await serverPid(dataDir)
  process.kill(first.pid, "SIGCONT")
  expect(await ended).toEqual([0, null])
  expect(await second.query("select * from drained")).toEqual([{ n: 1 }])
  expect(await serverPid(dataDir)).toBe(pid)
})

test.runIf(isRoot && canRunApart)("a server in another container on the same volume is left alone", async () => {
  const dataDir = join(await temporaryDirectory(), "data")
  const apart = await hold(dataDir, { within: APART })
  await apart.query("create table kept as select 1 as n")
  const named = await readFile(pidFile(dataDir), "utf8")
  expect((await hold(dataDir)).said).toMatch(/^refused AlreadyRunning/)
  expect(await readFile(pidFile(dataDir), "utf8")).toBe(named)
  expect(await apart.query("select * from kept")).toEqual([{ n: 1 }])
})

test("reports why PostgreSQL does not start at once, in its own words", { timeout: 30_000 }, async () => {
  const dataDir = join(await temporaryDirectory(), "data")
  const { home } = await openCluster(dataDir)
  await writeFile(join(home.cluster, "postgresql.conf"), "work_mem = lots\n")
  expect((await hold(dataDir)).said).toMatch(/^refused ServerDidNotStart: .*work_mem/)
})

/** The parent of a process. */
async function guardOf(pid: number): Promise<number> {
  const { stdout } = await run("ps", ["-o", "ppid=", "-p", String(pid)])
  return Number(stdout)
}

async function childrenOf(parent: number): Promise<number[]> {
  const { stdout } = await run("ps", ["-ax", "-o", "pid=,ppid="])
  const rows = stdout.split("\n").map((line) => line.trim().split(/\s+/).map(Number))
  return rows.flatMap(([pid, ppid]) => (pid !== undefined && ppid === parent ? [pid] : []))
}

async function killBoth(holder: Holder, dataDir: string): Promise<void> {
  const pid = await serverPid(dataDir)
  await kill(holder.process)
  process.kill(pid, "SIGKILL")
}

async function readLog(dataDir: string): Promise<string> {
  const names = await Array.fromAsync(glob("postgres/log/*.log", { cwd: dataDir }))
  return (await Promise.all(names.map((name) => readFile(join(dataDir, name), "utf8")))).join("")
}

const timesSaid = async (dataDir: string, text: string): Promise<number> =>
  (await readLog(dataDir)).split(text).length - 1
