import { databaseTrouble, Unavailable } from "@restwell/core"
import type { FastifyRequest } from "fastify"
import { sparingly } from "../log.ts"

/** Writes down that a request failed through a fault of ours. */
export type LogFailure = (error: unknown, request: FastifyRequest) => void

/** Each bug is a line; an outage fails every request there is, and is one line every few seconds. */
export function createFailureLog(): LogFailure {
  const outage = sparingly((failures, error: unknown, request: FastifyRequest) =>
    request.log.error({ err: error, requestId: request.id, failures }, "requests cannot be answered now"),
  )
  return (error, request) => {
    if (error instanceof Unavailable || databaseTrouble(error) !== undefined) outage(error, request)
    else request.log.error({ err: error, requestId: request.id }, "request failed")
  }
}
