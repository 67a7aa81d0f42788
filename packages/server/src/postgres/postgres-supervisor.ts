import { setTimeout as wait } from "node:timers/promises"
import type { Logger } from "@restwell/core"
import { type ClientConfig, DatabaseError } from "pg"
import { type Cluster, ServerDidNotStart } from "./cluster.ts"
import { isServing, startServer, stopServer } from "./server-process.ts"
import { AlreadyRunning, type ServiceLock, takeServiceLock } from "./service-lock.ts"

/** A recovering server replays what it had logged; a stopping one ends its sessions first. */
const PATIENCE_MS = 300_000
/** Another start is ahead of us, or a crashed server's last processes still hold its memory. Nothing else passes by itself. */
const START_PATIENCE_MS = 10_000
/** A server is named before its socket answers; one that was just killed is for a moment neither there nor gone. */
const CONNECT_PATIENCE_MS = 30_000
const RETRY_MS = 50

export interface HeldServerOptions {
  readonly cluster: Cluster
  readonly connection: ClientConfig
  readonly logger: Pick<Logger, "warn"> | undefined
  /** Told when the server went away and could not be brought back. */
  readonly onLost: (error: unknown) => void
}

/** The server of a cluster together with the lock that makes us its one service. */
export class HeldServer {
  readonly #options: HeldServerOptions
  readonly #stopping = new AbortController()
  /** Undefined while the lock is not ours. */
  #lock: ServiceLock | undefined
  #bringingBack: Promise<void> = Promise.resolve()

  constructor(options: HeldServerOptions) {
    this.#options = options
  }

  /** Starts the server where none serves, and takes the lock; again and again while one is starting, stopping or recovering. */
  async hold(): Promise<void> {
    const startedAt = performance.now()
    let failing = { as: "", sinceMs: 0 }
    for (;;) {
      try {
        this.#lock = await this.#tryHold()
        return
      } catch (error) {
        const nowMs = performance.now()
        const as = error instanceof Error ? error.name : ""
        if (as !== failing.as) failing = { as, sinceMs: nowMs }
        if (nowMs - failing.sinceMs >= patienceWith(error) || nowMs - startedAt >= PATIENCE_MS) throw error
        await wait(RETRY_MS, undefined, { signal: this.#stopping.signal })
      }
    }
  }

  /** Stops the server and lets go of the lock. A server that another service took over is left alone. */
  async stop(): Promise<void> {
    this.#stopping.abort()
    await this.#bringingBack
    const lock = this.#lock
    if (!lock) return
    // The lock is held until the server is down: nobody can take up a server that is about to stop.
    await stopServer(this.#options.cluster)
    await lock.release()
  }

  async #tryHold(): Promise<ServiceLock> {
    const { cluster, connection } = this.#options
    if (!(await isServing(cluster))) await startServer(cluster)
    return await takeServiceLock(connection, (error) => this.#bringBack(error))
  }

  #bringBack(err: Error): void {
    const { logger, onLost } = this.#options
    if (this.#stopping.signal.aborted) return
    this.#lock = undefined
    logger?.warn({ err }, "the embedded PostgreSQL went away, bringing it back")
    this.#bringingBack = this.hold().then(
      () => logger?.warn({}, "the embedded PostgreSQL is back"),
      (error: unknown) => {
        if (!this.#stopping.signal.aborted) onLost(error)
      },
    )
  }
}

/** How long a failure may pass by itself: two starts meet, the server starts, stops or recovers, its socket is not there yet. */
function patienceWith(error: unknown): number {
  if (error instanceof AlreadyRunning) return 0
  if (error instanceof ServerDidNotStart) return /lock file|shared memory/.test(error.message) ? START_PATIENCE_MS : 0
  if (!(error instanceof DatabaseError)) return CONNECT_PATIENCE_MS
  // Class 57: operator intervention, as "the database system is starting up". Class 53: out of connections, as after a kill.
  if (error.code?.startsWith("57")) return PATIENCE_MS
  return error.code?.startsWith("53") ? CONNECT_PATIENCE_MS : 0
}
