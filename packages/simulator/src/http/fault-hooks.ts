/** Makes faults happen to requests. */
import { setTimeout as delay } from "node:timers/promises"
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify"
import type { Fault, Faults } from "../faults/faults.ts"
import type { LoggedRequest } from "../requests/request-log.ts"
import { tooManyRequests } from "../whoop/rate-limit.ts"

/** What the hooks know of a request in progress. */
export interface Exchange {
  readonly logged: LoggedRequest
  fault: Fault | undefined
}

const BROKEN_PAGE =
  "<!doctype html><html><head><title>Service unavailable</title></head><body><h1>Sorry</h1></body></html>"

/** Adds the hooks that strike before and after the handler. */
export function addFaultHooks(
  app: FastifyInstance,
  faults: Faults,
  exchangeOf: (request: FastifyRequest) => Exchange | undefined,
  rateLimitHeaders: () => Record<string, string>,
): void {
  app.addHook("preHandler", async (request, reply) => {
    const exchange = exchangeOf(request)
    if (!exchange) return undefined
    const { method, path, personId } = exchange.logged
    const fault = faults.strike({ method, path, personId })
    if (!fault) return undefined
    exchange.fault = fault
    exchange.logged.fault = fault.kind
    return strikeBefore(fault, reply, rateLimitHeaders)
  })
  app.addHook("onSend", async (request, reply, payload: unknown) => {
    const exchange = exchangeOf(request)
    return exchange?.fault ? strikeAfter(exchange.fault, exchange.logged.path, reply, payload) : payload
  })
}

async function strikeBefore(fault: Fault, reply: FastifyReply, rateLimitHeaders: () => Record<string, string>) {
  switch (fault.kind) {
    case "latency":
      await delay(fault.ms ?? 1000)
      return undefined
    case "hang":
      return reply.hijack()
    case "reset_connection":
      reply.hijack()
      reply.raw.socket?.resetAndDestroy()
      return reply
    case "status":
      return reply
        .code(fault.status ?? 500)
        .headers({ ...fault.headers })
        .send(fault.body ?? "")
    case "html":
      return reply
        .code(fault.status ?? 200)
        .headers({ "content-type": "text/html; charset=utf-8", ...fault.headers })
        .send(fault.body ?? BROKEN_PAGE)
    case "rate_limit":
      throw tooManyRequests({ ...rateLimitHeaders(), "X-RateLimit-Remaining": "0", ...fault.headers })
    default:
      return undefined
  }
}

/** The handler has done its work; only its reply is spoilt. */
async function strikeAfter(fault: Fault, path: string, reply: FastifyReply, payload: unknown): Promise<unknown> {
  const text = typeof payload === "string" ? payload : ""
  const half = text.slice(0, Math.floor(text.length / 2))
  switch (fault.kind) {
    case "late_reply":
      await delay(fault.ms ?? 1000)
      return payload
    case "malformed_json":
      return `{"records": [}${half}`
    case "truncated_json":
      reply.header("content-length", Buffer.byteLength(half))
      return half
    case "transform":
      return JSON.stringify(fault.transform?.(JSON.parse(text), path))
    case "drop_reply_after_effect":
      reply.raw.socket?.resetAndDestroy()
      return payload
    case "cut_body":
      cutBody(reply, text, half)
      return payload
    default:
      return payload
  }
}

/** Promises the whole body, sends half of it and hangs up. */
function cutBody(reply: FastifyReply, text: string, half: string): void {
  reply.hijack()
  reply.raw.writeHead(reply.statusCode, {
    "content-type": "application/json",
    "content-length": Buffer.byteLength(text),
  })
  reply.raw.write(half, () => reply.raw.socket?.destroy())
}
