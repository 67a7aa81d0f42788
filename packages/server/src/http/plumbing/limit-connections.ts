import type { Server } from "node:http"
import type { Logger } from "../../log/logger.ts"
import { throttle } from "../../log/throttle.ts"

/** Closes connections above this many at once, before a byte of them is read. Each open one needs a file descriptor and memory. */
export function limitConnections(server: Server, maxConnections: number, logger: Logger): void {
  const warn = throttle((refused) =>
    logger.warn({ refused, maxConnections }, "refuses connections: MAX_CONNECTIONS are open"),
  )
  server.maxConnections = maxConnections
  server.on("drop", () => warn())
}
