import type { Wait } from "../../time/wait.ts"

/** A database that has not answered by then counts as down. */
const DATABASE_TIMEOUT_MS = 1_000
/** After this long without a request, none is on its way any more. */
const QUIET_MS = 300
/** A load balancer that has missed this many of its own probes has stopped probing. */
const MISSED_PROBES = 3
/** Failed probes after which most load balancers send elsewhere. */
const FAILED_PROBES = 2
/** `docker stop` kills after ten seconds, so the drain ends before that even if requests still come. */
const LONGEST_DRAIN_MS = 6_000
/** The last part of the drain sheds load, for proxies such as nginx that learn from refusals alone. */
const SHED_LOAD_MS = 1_000
const POLL_MS = 50

export interface Readiness {
  /** True when a request sent now would be answered from the database. */
  check(): Promise<boolean>
  /** The process is about to stop, so `check` returns false from now on. Resolves once no more requests come. */
  drain(): Promise<void>
  /** Notes that a request has come. */
  noteRequest(): void
  readonly isDraining: boolean
  /** The process stops within a second: new requests are refused, so that none is in progress then. */
  readonly isSheddingLoad: boolean
}

export interface ReadinessOptions {
  readonly isDatabaseUp: () => Promise<boolean>
  /** Waits in real time. */
  readonly wait: Wait
}

export function createReadiness({ isDatabaseUp, wait }: ReadinessOptions): Readiness {
  const probes = watchProbes()
  const never = new AbortController().signal
  let isDraining = false
  let isSheddingLoad = false
  let requests = 0
  const untilBalancersKnow = async (deadlineMs: number): Promise<void> => {
    while (probes.areExpected() && performance.now() < deadlineMs) await wait(POLL_MS, never)
  }
  const untilQuiet = async (deadlineMs: number): Promise<boolean> => {
    let seen = -1
    while (seen !== requests && performance.now() < deadlineMs) {
      seen = requests
      await wait(QUIET_MS, never)
    }
    return seen === requests
  }
  return {
    get isDraining() {
      return isDraining
    },
    get isSheddingLoad() {
      return isSheddingLoad
    },
    async check() {
      probes.note({ hasFailed: isDraining })
      return !isDraining && within(DATABASE_TIMEOUT_MS, isDatabaseUp(), wait)
    },
    noteRequest() {
      requests += 1
    },
    async drain() {
      isDraining = true
      const deadlineMs = performance.now() + LONGEST_DRAIN_MS
      await untilBalancersKnow(deadlineMs - SHED_LOAD_MS)
      // A connection without a request yet would be closed as idle: wait for the requests that are on their way.
      if (await untilQuiet(deadlineMs - SHED_LOAD_MS)) return
      isSheddingLoad = true
      await untilQuiet(deadlineMs)
    },
  }
}

/** Keeps the rhythm of a load balancer's probes. */
function watchProbes() {
  let lastMs = Number.NEGATIVE_INFINITY
  let intervalMs = 0
  let failed = 0
  return {
    note({ hasFailed }: { readonly hasFailed: boolean }): void {
      const nowMs = performance.now()
      intervalMs = Number.isFinite(lastMs) ? nowMs - lastMs : 0
      lastMs = nowMs
      if (hasFailed) failed += 1
    },
    /** True while the load balancer still probes and has not failed often enough to send elsewhere. */
    areExpected: (): boolean => failed < FAILED_PROBES && performance.now() - lastMs < MISSED_PROBES * intervalMs,
  }
}

async function within(milliseconds: number, answer: Promise<boolean>, wait: Wait): Promise<boolean> {
  const answered = new AbortController()
  try {
    return await Promise.race([answer, wait(milliseconds, answered.signal).then(() => false)])
  } finally {
    answered.abort()
  }
}
