import { databaseTrouble, Unavailable } from "@restwell/core"
import type { Logger } from "../../log/logger.ts"
import { throttle } from "../../log/throttle.ts"

/** Writes down that a request failed through a fault of ours. */
export type LogFailure = (error: unknown, requestId: string) => void

/** Each bug is a line; an outage fails every request there is, and is one line every few seconds. */
export function createFailureLog(logger: Logger): LogFailure {
  const outage = throttle((failures, error: unknown, requestId: string) =>
    logger.error({ err: error, reqId: requestId, failures }, "requests cannot be answered now"),
  )
  return (error, requestId) => {
    if (error instanceof Unavailable || databaseTrouble(error) !== undefined) outage(error, requestId)
    else logger.error({ err: error, reqId: requestId }, "request failed")
  }
}
