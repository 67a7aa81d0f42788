/** Applies faults to requests. */
import { setTimeout as delay } from "node:timers/promises"
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify"
import type { Fault, Faults } from "../faults/faults.ts"
import type { LoggedRequest } from "../requests/request-log.ts"
import { ReplyError } from "./reply-error.ts"
import type { VendorApi } from "./vendor-api.ts"

/** A request in progress. */
export interface Exchange {
  readonly logged: LoggedRequest
  fault: Fault | undefined
}

interface FaultHookParts {
  readonly faults: Faults
  /** Returns nothing for requests that faults must not affect. */
  readonly exchangeOf: (request: FastifyRequest) => Exchange | undefined
  readonly api: VendorApi
}

const BROKEN_PAGE =
  "<!doctype html><html><head><title>Service unavailable</title></head><body><h1>Sorry</h1></body></html>"

/** Adds the hooks that run before and after the handler. */
export function addFaultHooks(app: FastifyInstance, { faults, exchangeOf, api }: FaultHookParts): void {
  app.addHook("preHandler", async (request, reply) => {
    const exchange = exchangeOf(request)
    if (!exchange) return undefined
    const { method, path, personId } = exchange.logged
    const fault = faults.take({ method, path, personId })
    if (!fault) return undefined
    exchange.fault = fault
    exchange.logged.fault = fault.kind
    return applyBeforeHandler(fault, reply, api)
  })
  app.addHook("onSend", async (request, reply, payload: unknown) => {
    const exchange = exchangeOf(request)
    return exchange?.fault ? applyToReply(exchange.fault, exchange.logged.path, reply, payload) : payload
  })
}

async function applyBeforeHandler(fault: Fault, reply: FastifyReply, api: VendorApi) {
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
      throw withHeaders(api.rateLimitExceeded(), fault.headers)
    default:
      return undefined
  }
}

function withHeaders({ status, body, headers }: ReplyError, more: Fault["headers"]): ReplyError {
  return new ReplyError(status, body, { ...headers, ...more })
}

/** Changes the reply only: the request has taken effect by now. */
async function applyToReply(fault: Fault, path: string, reply: FastifyReply, payload: unknown): Promise<unknown> {
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
    case "rewrite":
      return fault.rewrite?.(text, path) ?? text
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

/** Announces the length of the whole body, sends half of it and closes the connection. */
function cutBody(reply: FastifyReply, text: string, half: string): void {
  reply.hijack()
  reply.raw.writeHead(reply.statusCode, {
    "content-type": "application/json",
    "content-length": Buffer.byteLength(text),
  })
  reply.raw.write(half, () => reply.raw.socket?.destroy())
}
