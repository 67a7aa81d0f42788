import type { FastifyInstance } from "fastify"
import { repeat } from "../../time/repeat.ts"
import type { Wait } from "../../time/wait.ts"
import { PROBES } from "./probe-handlers.ts"
import type { Readiness } from "./readiness.ts"

const SWEEP_MS = 50

/** Closes each connection after its last response once the process stops: a client that kept one would delay the end, or write into a closed one. */
export function drainConnections(app: FastifyInstance, readiness: Readiness, wait: Wait): void {
  const closed = new AbortController()
  app.addHook("onRequest", ({ url }, _reply, done) => {
    // A load balancer that only probes sends no requests.
    if (!PROBES.has(url)) readiness.noteRequest()
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
