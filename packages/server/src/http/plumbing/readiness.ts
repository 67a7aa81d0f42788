import { setTimeout as wait } from "node:timers/promises"
import type { Pool } from "pg"

/** Longer than this a database is not there. */
const PATIENCE_MS = 1_000
/** So long without a request, and none is on its way any more. */
const QUIET_MS = 300
/** A balancer that let so many of its looks go by looks no more. */
const MISSED_LOOKS = 3
/** What most balancers ask for before they send elsewhere. */
const LOOKS_TO_BE_TOLD = 2
/** A balancer that looks too seldom, or sends on all the same, is not waited for longer: `docker stop` kills after ten seconds. */
const LONGEST_DRAIN_MS = 6_000
/** The last part of that: who learns by refusals alone, as nginx does, learns it now. */
const TURN_AWAY_MS = 1_000
const LOOK_AGAIN_MS = 50

export interface Readiness {
  /** True when a request sent now would be answered from the database. */
  check(): Promise<boolean>
  /** From here on the answer is no: the process is about to stop. Resolves once no further request comes. */
  drain(): Promise<void>
  /** Tells of a request that has come. */
  noteRequest(): void
  readonly isDraining: boolean
  /** The end is a moment away and requests still come: what comes now is refused, so that nothing is under way then. */
  readonly isTurningAway: boolean
}

export function createReadiness(pool: Pool): Readiness {
  let isDraining = false
  let isTurningAway = false
  let requests = 0
  let lastLookMs = Number.NEGATIVE_INFINITY
  let betweenLooksMs = 0
  let looksToldNo = 0
  const asks = (): Promise<boolean> =>
    pool.query("select 1").then(
      () => true,
      () => false,
    )
  const untilTold = async (deadlineMs: number): Promise<void> => {
    const isLooking = (): boolean => performance.now() - lastLookMs < MISSED_LOOKS * betweenLooksMs
    while (looksToldNo < LOOKS_TO_BE_TOLD && isLooking() && performance.now() < deadlineMs) await wait(LOOK_AGAIN_MS)
  }
  const untilQuiet = async (deadlineMs: number): Promise<boolean> => {
    let seen = -1
    while (seen !== requests && performance.now() < deadlineMs) {
      seen = requests
      await wait(QUIET_MS)
    }
    return seen === requests
  }
  return {
    get isDraining() {
      return isDraining
    },
    get isTurningAway() {
      return isTurningAway
    },
    async check() {
      const nowMs = performance.now()
      betweenLooksMs = Number.isFinite(lastLookMs) ? nowMs - lastLookMs : 0
      lastLookMs = nowMs
      if (isDraining) {
        looksToldNo += 1
        return false
      }
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
      const deadlineMs = performance.now() + LONGEST_DRAIN_MS
      const lastMomentMs = deadlineMs - TURN_AWAY_MS
      await untilTold(lastMomentMs)
      // What is already on its way here is still taken: a connection without a request yet would be closed as idle.
      if (await untilQuiet(lastMomentMs)) return
      isTurningAway = true
      await untilQuiet(deadlineMs)
    },
  }
}
