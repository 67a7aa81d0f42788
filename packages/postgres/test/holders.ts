/** Services in processes of their own, each with an embedded PostgreSQL, that tests start and kill. */
import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { chmod, mkdtemp, readFile, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { Client } from "pg"
import { onTestFinished } from "vitest"
import { openCluster } from "../src/cluster.ts"
import { stopServer } from "../src/server-process.ts"

const HOLDER = new URL("./holder.ts", import.meta.url).pathname

export interface Holder {
  readonly pid: number
  readonly process: ChildProcess
  /** Its first word: `holds <socket's folder> <home>` or `refused <error>`. */
  readonly said: string
  query<Row extends object>(text: string, values?: readonly unknown[]): Promise<Row[]>
}

export interface HoldOptions {
  readonly uid?: number
  readonly gid?: number
  /** A command that runs the holder. */
  readonly within?: readonly string[]
}

/** Those of the running test, by DATA_DIR. */
const running = new Map<string, ChildProcess[]>()

/** A folder that everybody can walk through. After the test it is gone, and so is every holder and every PostgreSQL. */
export async function temporaryDirectory(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), "restwell-embedded-"))
  await chmod(directory, 0o755)
  onTestFinished(async () => {
    for (const [dataDir, holders] of running) {
      await Promise.all(holders.map(kill))
      await remove(dataDir)
    }
    running.clear()
    await rm(directory, { recursive: true, force: true })
  })
  return directory
}

async function remove(dataDir: string): Promise<void> {
  const cluster = await openCluster(dataDir)
  await stopServer(cluster)
  await rm(cluster.home.directory, { recursive: true })
  await rm(cluster.home.socketDirectory, { recursive: true, force: true })
}

/** Starts a holder in a process group of its own. */
export async function hold(dataDir: string, { uid, gid, within = [] }: HoldOptions = {}): Promise<Holder> {
  const [command = process.execPath, ...args] = [...within, process.execPath, HOLDER, dataDir]
  const holder = spawn(command, args, {
    detached: true,
    stdio: ["ignore", "pipe", "inherit"],
    ...(uid !== undefined && { uid }),
    ...(gid !== undefined && { gid }),
  })
  running.set(dataDir, [...(running.get(dataDir) ?? []), holder])
  await once(holder, "spawn")
  const [said] = await once(createInterface(holder.stdout), "line")
  return {
    pid: holder.pid ?? Number.NaN,
    process: holder,
    said: String(said),
    query: (text, values) => query(String(said).split(" ")[1] ?? "", text, values),
  }
}

/** kill -9, and waits until it is dead. */
export async function kill(holder: ChildProcess): Promise<void> {
  if (holder.exitCode !== null || holder.signalCode !== null) return
  holder.kill("SIGKILL")
  await once(holder, "exit")
}

/** Ctrl-C at a terminal goes to the whole group. Resolves with the exit code and the signal. */
export async function interrupt(holder: Holder): Promise<unknown[]> {
  process.kill(-holder.pid, "SIGINT")
  return await once(holder.process, "exit")
}

async function query<Row extends object>(host: string, text: string, values: readonly unknown[] = []): Promise<Row[]> {
  const client = new Client({ host, user: "restwell", database: "postgres" })
  client.on("error", () => {})
  await client.connect()
  try {
    return (await client.query<Row>(text, [...values])).rows
  } finally {
    await client.end()
  }
}

export const pidFile = (dataDir: string): string => join(dataDir, "postgres/cluster/postmaster.pid")

/** The process that the cluster names as its server. */
export const serverPid = async (dataDir: string): Promise<number> =>
  Number.parseInt(await readFile(pidFile(dataDir), "utf8"), 10)
