import { setTimeout as wait } from "node:timers/promises"
import type { Logger } from "@restwell/core"
import { type ClientConfig, DatabaseError } from "pg"
import { type Cluster, KilledServer, ServerDidNotStart } from "./cluster.ts"
import type { GuardedProcess } from "./guarded-process.ts"
import { isServing, serverPid, startServer, stopServer } from "./server-process.ts"
import { AlreadyRunning, findRunningService, type ServiceLock, takeServiceLock } from "./service-lock.ts"

/** A killed service loses its lock within this time, a new one has taken it, and a guard has begun to stop its server. */
const OTHERS_PATIENCE_MS = 2_000
const LOOK_AGAIN_MS = 50

/**
 * Waits until no server runs on the cluster: that of a killed service is being stopped by its guard. Stops it if the guard was killed too.
 * @throws {AlreadyRunning} when it is another service's
 * @throws while the server starts or stops, when it accepts no connection
 */
async function untilOthersEnded(cluster: Cluster, connection: ClientConfig, signal: AbortSignal): Promise<void> {
  const deadline = performance.now() + OTHERS_PATIENCE_MS
  while (await isServing(cluster)) {
    const pid = await serverPid(cluster)
    const other = await findRunningService(connection)
    if (performance.now() > deadline) {
      if (other) throw other
      if (pid === undefined)
        throw new ServerDidNotStart(
          `a PostgreSQL runs in ${cluster.home.directory}, in another container or on another machine`,
          "stop it first",
        )
      return await stopServer(cluster, pid)
    }
    await wait(LOOK_AGAIN_MS, undefined, { signal })
  }
}

/** A recovering server replays its log first, a stopping one ends its sessions first. */
const PATIENCE_MS = 300_000
/** Another start is faster, or processes of a crashed server still use its memory. Other failures to start are final. */
const START_PATIENCE_MS = 10_000
/** A server has its pid file before its socket answers, and a killed one keeps it for a moment. */
const CONNECT_PATIENCE_MS = 30_000
/** A server that was killed while it started is started again for so long. */
const KILLED_PATIENCE_MS = 60_000
const RETRY_MS = 50
/** A full disk has space again when the operator frees some. */
const FULL_DISK_RETRY_MS = 1_000

export interface SupervisorOptions {
  readonly cluster: Cluster
  readonly connection: ClientConfig
  readonly logger: Pick<Logger, "warn"> | undefined
  /** Called when the server stopped and could not be restarted. */
  readonly onLost: (error: unknown) => void
  /** True while the disk of the cluster is full. A server that stopped is restarted when it has space. */
  readonly isDiskFull: () => Promise<boolean>
}

/** Runs the server of a cluster, and has the lock that makes this process its only service. */
export class PostgresSupervisor {
  readonly #options: SupervisorOptions
  readonly #stopping = new AbortController()
  /** Undefined while this process does not have the lock. */
  #lock: ServiceLock | undefined
  #server: GuardedProcess | undefined
  #restarting: Promise<void> = Promise.resolve()
  #hasRun = false

  constructor(options: SupervisorOptions) {
    this.#options = options
  }

  /**
   * Starts the server and takes the lock. Retries while another server starts, stops or recovers.
   * @param signal interrupts the start. Call `stop` then
   */
  async start(signal?: AbortSignal): Promise<void> {
    const ending = AbortSignal.any([this.#stopping.signal, ...(signal ? [signal] : [])])
    const startedAt = performance.now()
    let failing = { name: "", sinceMs: 0 }
    for (;;) {
      ending.throwIfAborted()
      try {
        this.#follow(await this.#tryStart(ending))
        this.#hasRun = true
        return
      } catch (error) {
        ending.throwIfAborted()
        if (this.#hasRun && !(error instanceof AlreadyRunning) && (await this.#options.isDiskFull())) {
          await wait(FULL_DISK_RETRY_MS, undefined, { signal: ending })
          continue
        }
        const nowMs = performance.now()
        const name = error instanceof Error ? error.name : ""
        if (name !== failing.name) failing = { name, sinceMs: nowMs }
        if (nowMs - failing.sinceMs >= retriesFor(error) || nowMs - startedAt >= PATIENCE_MS) throw error
        await wait(RETRY_MS, undefined, { signal: ending })
      }
    }
  }

  /** Stops the server and releases the lock. */
  async stop(): Promise<void> {
    this.#stopping.abort()
    await this.#restarting
    // Released only after the server has stopped, so that no other service uses a server that is about to stop.
    await this.#endServer()
    await this.#lock?.release()
  }

  async #tryStart(signal: AbortSignal): Promise<ServiceLock> {
    const { cluster, connection } = this.#options
    if (!this.#server?.isRunning()) {
      await untilOthersEnded(cluster, connection, signal)
      const server = await startServer(cluster, signal)
      this.#server = server
      // If the guard is killed, the server is restarted with another one.
      void server.ended.then(() => stopServer(cluster, server.pid))
    }
    return await takeServiceLock(connection)
  }

  /** Each lock is lost once, and the next one is taken after that: restarts never overlap. */
  #follow(lock: ServiceLock): void {
    this.#lock = lock
    void lock.lost.then((error) => this.#restart(error))
  }

  async #endServer(): Promise<void> {
    const server = this.#server
    if (!server) return
    await server.stop()
    await stopServer(this.#options.cluster, server.pid)
  }

  #restart(err: Error): void {
    const { logger, onLost } = this.#options
    if (this.#stopping.signal.aborted) return
    this.#lock = undefined
    logger?.warn({ err }, "the embedded PostgreSQL stopped, restarting it")
    this.#restarting = this.start().then(
      () => logger?.warn({}, "the embedded PostgreSQL runs again"),
      (error: unknown) => {
        if (!this.#stopping.signal.aborted) onLost(error)
      },
    )
  }
}

/** How long to retry after an error: most disappear once another start, stop or recovery has finished. */
function retriesFor(error: unknown): number {
  if (error instanceof AlreadyRunning) return 0
  if (error instanceof KilledServer) return KILLED_PATIENCE_MS
  if (error instanceof ServerDidNotStart) return /lock file|shared memory/.test(error.message) ? START_PATIENCE_MS : 0
  if (!(error instanceof DatabaseError)) return CONNECT_PATIENCE_MS
  // Class 57: operator intervention, as "the database system is starting up". Class 53: out of connections, as after a kill.
  if (error.code?.startsWith("57")) return PATIENCE_MS
  return error.code?.startsWith("53") ? CONNECT_PATIENCE_MS : 0
}
