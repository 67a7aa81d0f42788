import type { Server } from "node:http"
import type { FastifyInstance } from "fastify"
import type { WatchedDisk } from "../../postgres/disk-watch.ts"
import type { Logger } from "../../process/logger.ts"
import { repeat, throttle, type Wait } from "../../process/wait.ts"

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
  /** Returns why this process is not ready. Undefined when a request sent now would be answered from the database. */
  findFault(): Promise<string | undefined>
  /** The process is about to stop, so it is not ready from now on. Resolves once no more requests come. */
  drain(): Promise<void>
  /** Notes that a request has come. */
  noteRequest(): void
  readonly isDraining: boolean
  /** Aborts when the process is about to stop: what only waits ends. */
  readonly draining: AbortSignal
  /** The process stops within a second: new requests are refused, so that none is in progress then. */
  readonly isSheddingLoad: boolean
}

export interface ReadinessOptions {
  readonly isDatabaseUp: () => Promise<boolean>
  readonly disk: Pick<WatchedDisk, "state">
  /** Waits in real time. */
  readonly wait: Wait
}

export function createReadiness({ isDatabaseUp, disk, wait }: ReadinessOptions): Readiness {
  const probes = watchProbes()
  const never = new AbortController().signal
  const stopping = new AbortController()
  const { signal: draining } = stopping
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
    draining,
    get isDraining() {
      return draining.aborted
    },
    get isSheddingLoad() {
      return isSheddingLoad
    },
    async findFault() {
      probes.note({ hasFailed: draining.aborted })
      if (draining.aborted) return "the process is stopping"
      if ((await disk.state()) === "full") return "the disk of the database is full"
      return (await within(DATABASE_TIMEOUT_MS, isDatabaseUp(), wait))
        ? undefined
        : "the database does not answer or takes no changes"
    },
    noteRequest() {
      requests += 1
    },
    async drain() {
      stopping.abort()
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

/** Paths for supervisors, load balancers and Prometheus only. */
export const PROBE_PATHS = { liveness: "/healthz", readiness: "/readyz", metrics: "/metrics" } as const

const PROBES: ReadonlySet<string> = new Set(Object.values(PROBE_PATHS))

const RETRY_AFTER_SECONDS = 1
/** No handler of ours answers 502, so a proxy may take it as proof that nothing was done, and ask another replica. */
const TO_PROXIES = 502
const TO_CLIENTS = 503

/**
 * Refuses new requests in the last moments of a drain, before anything is done or counted. A proxy that does not probe `/readyz` sends
 * `X-Turn-Away: 502` to get a status of its own: it can repeat these requests, and never one that may have been counted.
 */
export function shedLoad(app: FastifyInstance, readiness: Pick<Readiness, "isSheddingLoad">): void {
  app.addHook("onRequest", (request, reply, done) => {
    if (!readiness.isSheddingLoad || PROBES.has(request.routeOptions.url ?? "")) return done()
    reply
      .code(request.headers["x-turn-away"] === String(TO_PROXIES) ? TO_PROXIES : TO_CLIENTS)
      .headers({ "retry-after": RETRY_AFTER_SECONDS, "cache-control": "no-store" })
      .send({ error: "unavailable", message: "this process is stopping, try again" })
  })
}

const SWEEP_MS = 50

/** Closes each connection after its last response once the process stops: a client that kept one would delay the end, or write into a closed one. */
export function drainConnections(app: FastifyInstance, readiness: Readiness, wait: Wait): void {
  const closed = new AbortController()
  app.addHook("onRequest", ({ routeOptions }, _reply, done) => {
    // A load balancer that only probes sends no requests.
    if (!PROBES.has(routeOptions.url ?? "")) readiness.noteRequest()
    done()
  })
  app.addHook("onSend", (_request, reply, _payload, done) => {
    if (readiness.isDraining) reply.header("connection", "close")
    done()
  })
  app.addHook("preClose", async () => {
    void repeat(async () => app.server.closeIdleConnections(), { everyMs: SWEEP_MS, wait, signal: closed.signal })
  })
  app.addHook("onClose", async () => closed.abort())
}

/** Closes connections above this many at once, before a byte of them is read. Each open one needs a file descriptor and memory. */
export function limitConnections(server: Server, maxConnections: number, logger: Logger): void {
  const warn = throttle((refused) =>
    logger.warn({ refused, maxConnections }, "refuses connections: MAX_CONNECTIONS are open"),
  )
  server.maxConnections = maxConnections
  server.on("drop", () => warn())
}
