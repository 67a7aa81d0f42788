import { databaseTrouble, Unavailable } from "@restwell/core"
import type { Logger } from "../../log/logger.ts"
import { throttle } from "../../log/throttle.ts"

/** Logs that a request failed with an error of ours. */
export type LogFailure = (error: unknown, requestId: string) => void

/** One line for each bug. An outage fails every request, so it is logged at most every ten seconds. */
export function createFailureLog(logger: Logger): LogFailure {
  const outage = throttle((failures, error: unknown, requestId: string) =>
    logger.error({ err: error, reqId: requestId, failures }, "requests fail"),
  )
  return (error, requestId) => {
    if (error instanceof Unavailable || databaseTrouble(error) !== undefined) outage(error, requestId)
    else logger.error({ err: error, reqId: requestId }, "request failed")
  }
}
