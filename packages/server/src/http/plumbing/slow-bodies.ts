import type { IncomingMessage } from "node:http"
import type { FastifyInstance } from "fastify"
import { answerClientError } from "./client-error.ts"

/** How long an upload may take to arrive: 4 GB over a slow line. */
export const LONGEST_UPLOAD_MS = 6 * 3_600_000

/** Refuses bodies that take longer than `limitMs` to arrive, but for those of `exceptPath`. Node's own limit is one for all requests. */
export function refuseSlowBodies(
  app: FastifyInstance,
  { limitMs, exceptPath, wait }: { limitMs: number; exceptPath: string; wait: (milliseconds: number) => Promise<void> },
): void {
  app.addHook("onRequest", ({ raw, url }, _reply, done) => {
    if (hasBody(raw) && url !== exceptPath) void wait(limitMs).then(() => refuseIncomplete(raw))
    done()
  })
}

/** RFC 9112 6: one of these headers announces a body. */
const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers["transfer-encoding"] !== undefined || (headers["content-length"] ?? "0") !== "0"

function refuseIncomplete(request: IncomingMessage): void {
  if (request.complete || request.destroyed) return
  const late = Object.assign(new Error("the body took too long to arrive"), { code: "ERR_HTTP_REQUEST_TIMEOUT" })
  answerClientError(late, request.socket)
}
