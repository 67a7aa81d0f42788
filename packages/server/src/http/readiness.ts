import { setTimeout as wait } from "node:timers/promises"
import type { Pool } from "pg"

/** Longer than this a database is not there. */
const PATIENCE_MS = 1_000
/** So long without a request, and none is on its way any more. */
const QUIET_MS = 300
const MOST_ROUNDS = 20

export interface Readiness {
  /** True when a request sent now would be answered from the database. */
  check(): Promise<boolean>
  /** From here on the answer is no: the process is about to stop. Resolves once no further request comes. */
  drain(): Promise<void>
  /** Tells of a request that has come. */
  noteRequest(): void
  readonly isDraining: boolean
}

export function createReadiness(pool: Pool): Readiness {
  let isDraining = false
  let requests = 0
  const asks = (): Promise<boolean> =>
    pool.query("select 1").then(
      () => true,
      () => false,
    )
  return {
    get isDraining() {
      return isDraining
    },
    async check() {
      if (isDraining) return false
      const late = AbortSignal.timeout(PATIENCE_MS)
      const tooLate = new Promise<boolean>((resolve) =>
        late.addEventListener("abort", () => resolve(false), { once: true }),
      )
      return Promise.race([asks(), tooLate])
    },
    noteRequest() {
      requests += 1
    },
    async drain() {
      isDraining = true
      // What is already on its way here is still taken: a connection without a request yet would be closed as idle.
      for (let round = 0, seen = -1; seen !== requests && round < MOST_ROUNDS; round += 1) {
        seen = requests
        await wait(QUIET_MS)
      }
    },
  }
}
