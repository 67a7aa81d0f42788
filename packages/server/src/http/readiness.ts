import type { Pool } from "pg"

/** Longer than this a database is not there. */
const PATIENCE_MS = 1_000

export interface Readiness {
  /** True when a request sent now would be answered from the database. */
  check(): Promise<boolean>
  /** From here on the answer is no: the process is about to stop. */
  drain(): void
  readonly isDraining: boolean
}

export function createReadiness(pool: Pool): Readiness {
  let isDraining = false
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
    drain() {
      isDraining = true
    },
  }
}
