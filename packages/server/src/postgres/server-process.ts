/** The process that serves a cluster: known from all others, started apart from us, stopped by its own number. */
import { type ChildProcess, execFile, spawn } from "node:child_process"
import { randomUUID } from "node:crypto"
import { once } from "node:events"
import { type FileHandle, open, readFile, unlink } from "node:fs/promises"
import { connect } from "node:net"
import { join } from "node:path"
import { setTimeout as wait } from "node:timers/promises"
import { promisify } from "node:util"
import { type Cluster, executionOf, ServerDidNotStart } from "./cluster.ts"
import { settingArguments } from "./settings.ts"

/** Part of the socket's name; nothing listens there. */
export const PORT = 5432

/** After a crash the server first replays what it had logged. */
const LONGEST_START_MS = 300_000
const LONGEST_STOP_MS = 30_000
/** Of a stop without mercy; after 5 seconds PostgreSQL itself kills what is left of it. */
const LONGEST_ABORT_MS = 10_000
const LOOK_AGAIN_MS = 10
const LONGEST_OUTPUT = 8192

const run = promisify(execFile)

/**
 * True while something serves the cluster, or may: a server answers on its socket, or the process that it names as its server is one.
 * The socket also tells of a server in another container on the same volume, whose process cannot be seen from here.
 */
export async function isServing(cluster: Cluster): Promise<boolean> {
  return (await answers(cluster)) || (await serverPid(cluster)) !== undefined
}

/** Starts the server in a session of its own, where Ctrl-C of ours does not reach it, and waits until it is ready. */
export async function startServer(cluster: Cluster): Promise<void> {
  const output = await openOutput(cluster)
  const over = new AbortController()
  try {
    const server = await spawnServer(cluster, output)
    const ended = once(server, "exit", { signal: over.signal }).then(([code, signal]) => {
      throw new Error(`postgres ended with ${signal ?? code}`)
    })
    await Promise.race([becomesReady(cluster, server, over.signal), ended])
  } catch (cause) {
    const said = await readOutput(output)
    throw new ServerDidNotStart(`PostgreSQL did not start in ${cluster.home.directory}: ${said || cause}`, { cause })
  } finally {
    over.abort()
    await output.close()
  }
}

/** A file without a name: what the server says before it has its log. */
async function openOutput({ home }: Cluster): Promise<FileHandle> {
  const path = join(home.directory, `start-${randomUUID()}.log`)
  const output = await open(path, "wx+", 0o600)
  await unlink(path)
  return output
}

async function readOutput(output: FileHandle): Promise<string> {
  const { buffer, bytesRead } = await output.read(Buffer.alloc(LONGEST_OUTPUT), 0, LONGEST_OUTPUT, 0)
  return buffer.toString("utf8", 0, bytesRead).trim()
}

async function spawnServer(cluster: Cluster, output: FileHandle): Promise<ChildProcess> {
  const { env, ...execution } = executionOf(cluster)
  const stranger = await strangerPid(cluster)
  const server = spawn(cluster.binaries.postgres, ["-D", cluster.home.cluster, ...settingArguments(cluster)], {
    ...execution,
    // PostgreSQL takes the process under this number for none of its own; that the old server's memory is free it still checks.
    env: stranger === undefined ? env : { ...env, PG_GRANDPARENT_PID: String(stranger) },
    detached: true,
    stdio: ["ignore", output.fd, output.fd],
  })
  server.unref()
  await once(server, "spawn")
  return server
}

async function becomesReady(cluster: Cluster, server: ChildProcess, signal: AbortSignal): Promise<void> {
  const deadline = performance.now() + LONGEST_START_MS
  for (;;) {
    const named = await readPidFile(cluster)
    if (named?.pid === server.pid && named?.isReady) return
    if (performance.now() > deadline) throw new Error(`it is not ready after ${LONGEST_START_MS / 1000} seconds`)
    await wait(LOOK_AGAIN_MS, undefined, { signal })
  }
}

/**
 * Ends all sessions and stops the server; when it does not stop in time, as after a crash. Only the process that was the server at the call
 * is told to: the next start may already have brought up another. Does nothing where there is none.
 */
export async function stopServer(cluster: Cluster): Promise<void> {
  const pid = await serverPid(cluster)
  if (pid === undefined) return
  if (await endsAfter(cluster, { pid, signal: "SIGINT", longestMs: LONGEST_STOP_MS })) return
  if (await endsAfter(cluster, { pid, signal: "SIGQUIT", longestMs: LONGEST_ABORT_MS })) return
  throw new Error(`PostgreSQL (process ${pid}) does not stop`)
}

async function endsAfter(
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

/** The server that the cluster names, when it is one. */
async function serverPid(cluster: Cluster): Promise<number | undefined> {
  const pid = (await readPidFile(cluster))?.pid
  return pid !== undefined && (await isServerOf(cluster, pid)) ? pid : undefined
}

/** After a crash the number of the dead server may have gone to somebody else, whom PostgreSQL would take for its server. */
async function strangerPid(cluster: Cluster): Promise<number | undefined> {
  const pid = (await readPidFile(cluster))?.pid
  return pid === undefined || (await isServerOf(cluster, pid)) ? undefined : pid
}

const isServerOf = async ({ home }: Cluster, pid: number): Promise<boolean> =>
  (await commandOf(pid)).includes(`postgres -D ${home.cluster} `)

/** The command of a process; empty when there is no such process. A server keeps its own, its children take others. */
async function commandOf(pid: number): Promise<string> {
  if (process.platform !== "linux")
    return run("ps", ["-ww", "-o", "args=", "-p", String(pid)]).then(
      ({ stdout }) => stdout,
      () => "",
    )
  // Small containers have no `ps`.
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
    // ESRCH: a process that ended while we read of it.
    if (error.code === "ENOENT" || error.code === "ESRCH") return undefined
    throw error
  })

/** True when somebody takes a connection on the cluster's socket. */
async function answers({ home }: Cluster): Promise<boolean> {
  const socket = connect(join(home.socketDirectory, `.s.PGSQL.${PORT}`))
  return once(socket, "connect")
    .then(
      () => true,
      (error: NodeJS.ErrnoException) => {
        // A server that dies at this moment resets what it had begun to take.
        if (error.code === "ENOENT" || error.code === "ECONNREFUSED" || error.code === "ECONNRESET") return false
        throw error
      },
    )
    .finally(() => socket.destroy())
}
