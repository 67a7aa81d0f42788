/** The server process of a cluster: finding, starting and stopping it. */
import { execFile } from "node:child_process"
import { once } from "node:events"
import { type FileHandle, readFile, readlink } from "node:fs/promises"
import { connect } from "node:net"
import { constants } from "node:os"
import { join } from "node:path"
import { setTimeout as wait } from "node:timers/promises"
import { promisify } from "node:util"
import { type Cluster, executionOf, KilledServer, ServerDidNotStart } from "./cluster.ts"
import { type GuardedProcess, openOutput, readOutput, SHELL, spawnGuarded } from "./guarded-process.ts"
import { type Home, SEEN_AS, seenBy } from "./home.ts"

/** Part of the socket's name. No TCP port is open. */
export const PORT = 5432

/** After a crash the server first replays its log. */
const LONGEST_START_MS = 300_000
const LONGEST_STOP_MS = 30_000
/** Longest immediate shutdown. PostgreSQL itself kills its last processes after 5 seconds. */
const LONGEST_ABORT_MS = 10_000
const LOOK_AGAIN_MS = 10
/** The guard's exit code after SIGKILL of the program: 128 and the number of the signal. */
const KILLED = 128 + constants.signals.SIGKILL

const run = promisify(execFile)

/**
 * True while a server runs: it answers on the socket, or the process of the pid file is a server. The socket also finds a server in another
 * container on the same volume, whose processes are invisible here.
 */
export async function isServing(cluster: Cluster): Promise<boolean> {
  return (await answers(cluster)) || (await serverPid(cluster)) !== undefined
}

/**
 * Starts the server with a guard, so that it ends with this process, and waits until it is ready.
 * @param signal interrupts the start, and stops what has begun
 */
export async function startServer(cluster: Cluster, signal?: AbortSignal): Promise<GuardedProcess> {
  const output = await openOutput(cluster.home.directory)
  const over = new AbortController()
  try {
    const server = await spawnServer(cluster, output)
    const ended = server.ended.then((by) => {
      if (by === KILLED) throw new KilledServer(`PostgreSQL was killed while it started in ${cluster.home.directory}`)
      throw new Error(`postgres ended with ${by}`)
    })
    const waiting = AbortSignal.any([over.signal, ...(signal ? [signal] : [])])
    try {
      await Promise.race([becomesReady(cluster, server, waiting), ended])
    } catch (error) {
      await server.stop()
      throw error
    }
    server.unref()
    return server
  } catch (cause) {
    signal?.throwIfAborted()
    if (cause instanceof KilledServer) throw cause
    const said = await readOutput(output)
    throw new ServerDidNotStart(`PostgreSQL did not start in ${cluster.home.directory} (${said || cause})`, undefined, {
      cause,
    })
  } finally {
    over.abort()
    await output.close()
  }
}

async function spawnServer(cluster: Cluster, output: FileHandle): Promise<GuardedProcess> {
  const { env, execution, folder } = executionOf(cluster)
  const reused = await reusedPid(cluster)
  const settings = Object.entries(settingsOf(cluster)).flatMap(([name, value]) => ["-c", `${name}=${value}`])
  return await spawnGuarded(
    [cluster.binaries.postgres, "-D", seenBy(cluster.home, cluster.home.cluster), ...settings],
    {
      output,
      folder,
      execution: {
        ...execution,
        // PostgreSQL then ignores the process with the dead server's number. It still checks that the old server's memory is free.
        env: reused === undefined ? env : { ...env, PG_GRANDPARENT_PID: String(reused) },
      },
    },
  )
}

async function becomesReady(cluster: Cluster, server: GuardedProcess, signal: AbortSignal): Promise<void> {
  const deadline = performance.now() + LONGEST_START_MS
  for (;;) {
    const named = await readPidFile(cluster)
    if (named?.pid === server.pid && named.isReady) return
    if (performance.now() > deadline) throw new Error(`it is not ready after ${LONGEST_START_MS / 1000} seconds`)
    await wait(LOOK_AGAIN_MS, undefined, { signal })
  }
}

/**
 * Ends all sessions and stops a server, or aborts it if it takes too long. Does nothing if it does not run.
 * @param pid its process, because the next start may already have started another one. @default the process of the pid file
 */
export async function stopServer(cluster: Cluster, pid?: number): Promise<void> {
  const server = pid ?? (await serverPid(cluster))
  if (server === undefined || !(await isServerOf(cluster, server))) return
  if (await endsWithin(cluster, { pid: server, signal: "SIGINT", longestMs: LONGEST_STOP_MS })) return
  if (await endsWithin(cluster, { pid: server, signal: "SIGQUIT", longestMs: LONGEST_ABORT_MS })) return
  throw new Error(`PostgreSQL (process ${server}) does not stop`)
}

async function endsWithin(
  cluster: Cluster,
  { pid, signal, longestMs }: { pid: number; signal: NodeJS.Signals; longestMs: number },
): Promise<boolean> {
  const deadline = performance.now() + longestMs
  try {
    process.kill(pid, signal)
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ESRCH") return true
    throw error
  }
  while (await isServerOf(cluster, pid)) {
    if (performance.now() > deadline) return false
    await wait(LOOK_AGAIN_MS)
  }
  return true
}

/** The process of the pid file, if it is a server. */
export async function serverPid(cluster: Cluster): Promise<number | undefined> {
  const pid = (await readPidFile(cluster))?.pid
  return pid !== undefined && (await isServerOf(cluster, pid)) ? pid : undefined
}

/** After a crash another process may have the dead server's number, and PostgreSQL would take it for its server. */
async function reusedPid(cluster: Cluster): Promise<number | undefined> {
  const pid = (await readPidFile(cluster))?.pid
  return pid === undefined || (await isServerOf(cluster, pid)) ? undefined : pid
}

/** The guard's command line contains the server's. A cluster that was seen through a descriptor is recognized by the server's folder. */
async function isServerOf({ home }: Cluster, pid: number): Promise<boolean> {
  const command = await commandOf(pid)
  if (command.startsWith(SHELL)) return false
  if (command.includes(`postgres -D ${home.cluster} `)) return true
  return command.includes(`postgres -D ${SEEN_AS}/`) && (await folderOf(pid)) === home.cluster
}

/** The folder that a process works in. */
const folderOf = (pid: number): Promise<string | undefined> =>
  readlink(`/proc/${pid}/cwd`).catch((error: NodeJS.ErrnoException) => {
    // It ended, or belongs to another user, who is not the one of this cluster.
    if (error.code === "ENOENT" || error.code === "ESRCH" || error.code === "EACCES") return undefined
    throw error
  })

/** The command line of a process; empty if there is no such process. A server's child processes have other ones. */
async function commandOf(pid: number): Promise<string> {
  if (process.platform !== "linux")
    return run("ps", ["-ww", "-o", "args=", "-p", String(pid)]).then(
      ({ stdout }) => stdout,
      () => "",
    )
  // Small containers lack `ps`.
  return ((await readIfThere(`/proc/${pid}/cmdline`)) ?? "").replaceAll("\0", " ")
}

/** Line 1 is the process, line 8 its state. @see https://www.postgresql.org/docs/18/storage-file-layout.html */
async function readPidFile({ home }: Cluster): Promise<{ pid: number; isReady: boolean } | undefined> {
  const lines = (await readIfThere(join(home.cluster, "postmaster.pid")))?.split("\n") ?? []
  const pid = Number.parseInt(lines[0] ?? "", 10)
  return pid > 0 ? { pid, isReady: lines[7]?.trim() === "ready" } : undefined
}

const readIfThere = (path: string): Promise<string | undefined> =>
  readFile(path, "utf8").catch((error: NodeJS.ErrnoException) => {
    // ESRCH: the process ended during the read.
    if (error.code === "ENOENT" || error.code === "ESRCH") return undefined
    throw error
  })

/** True when a server accepts connections on the cluster's socket. */
async function answers({ home }: Cluster): Promise<boolean> {
  const socket = connect(join(home.socketDirectory, `.s.PGSQL.${PORT}`))
  return once(socket, "connect")
    .then(
      () => true,
      (error: NodeJS.ErrnoException) => {
        // A paused server has a full queue. One that dies at this moment resets the connection.
        if (error.code === "EAGAIN") return true
        if (error.code === "ENOENT" || error.code === "ECONNREFUSED" || error.code === "ECONNRESET") return false
        throw error
      },
    )
    .finally(() => socket.destroy())
}

const socketDirectoryOf = (home: Home): string =>
  home.socketDirectory === home.directory ? seenBy(home, home.directory) : home.socketDirectory

/** Settings for a small service: no TCP port, durable commits, a log of one week. They override the cluster's files. */
const settingsOf = ({ home, settings }: Cluster): Readonly<Record<string, string>> => ({
  listen_addresses: "",
  // The value is a list, so a path with a comma needs quotes.
  unix_socket_directories: `"${socketDirectoryOf(home).replaceAll('"', '""')}"`,
  unix_socket_permissions: "0700",
  max_connections: "60",
  // Three processes that would read ahead, and one for replicas. A small database is in memory, and nothing replicates it.
  io_method: "sync",
  // Room for reads that run at the same time, of which this method has one. PostgreSQL sets up 64 for each connection.
  io_max_concurrency: "1",
  // PostgreSQL takes 4 MB. Commits of one person's records write a few kilobytes.
  wal_buffers: "1MB",
  max_logical_replication_workers: "0",
  // After a crash, one call for the file system instead of one for each of 1,400 files, which takes seconds on a busy disk.
  ...(process.platform === "linux" && { recovery_init_sync_method: "syncfs" }),
  timezone: "UTC",
  log_timezone: "UTC",
  logging_collector: "on",
  log_directory: join(home.seenAs, "log"),
  log_filename: "postgresql-%a.log",
  log_truncate_on_rotation: "on",
  log_rotation_age: "1d",
  log_rotation_size: "0",
  // Error details contain values of rows, which are health data.
  log_error_verbosity: "terse",
  ...settings,
})
