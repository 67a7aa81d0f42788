import { setTimeout as wait } from "node:timers/promises"
import type { Logger } from "@restwell/core"
import { type ClientConfig, DatabaseError } from "pg"
import { type Cluster, ServerDidNotStart } from "./cluster.ts"
import type { GuardedProcess } from "./guarded-process.ts"
import { untilOthersEnded } from "./other-server.ts"
import { startServer, stopServer } from "./server-process.ts"
import { AlreadyRunning, type ServiceLock, takeServiceLock } from "./service-lock.ts"

/** A recovering server replays its log first, a stopping one ends its sessions first. */
const PATIENCE_MS = 300_000
/** Another start is faster, or processes of a crashed server still use its memory. Other failures to start are final. */
const START_PATIENCE_MS = 10_000
/** A server has its pid file before its socket answers, and a killed one keeps it for a moment. */
const CONNECT_PATIENCE_MS = 30_000
const RETRY_MS = 50

export interface SupervisorOptions {
  readonly cluster: Cluster
  readonly connection: ClientConfig
  readonly logger: Pick<Logger, "warn"> | undefined
  /** Called when the server stopped and could not be restarted. */
  readonly onLost: (error: unknown) => void
}

/** Runs the server of a cluster, and has the lock that makes this process its only service. */
export class PostgresSupervisor {
  readonly #options: SupervisorOptions
  readonly #stopping = new AbortController()
  /** Undefined while this process does not have the lock. */
  #lock: ServiceLock | undefined
  #server: GuardedProcess | undefined
  #restarting: Promise<void> = Promise.resolve()

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
        this.#lock = await this.#tryStart(ending)
        return
      } catch (error) {
        ending.throwIfAborted()
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
    return await takeServiceLock(connection, (error) => this.#restart(error))
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
  if (error instanceof ServerDidNotStart) return /lock file|shared memory/.test(error.message) ? START_PATIENCE_MS : 0
  if (!(error instanceof DatabaseError)) return CONNECT_PATIENCE_MS
  // Class 57: operator intervention, as "the database system is starting up". Class 53: out of connections, as after a kill.
  if (error.code?.startsWith("57")) return PATIENCE_MS
  return error.code?.startsWith("53") ? CONNECT_PATIENCE_MS : 0
}
