import { databaseTrouble } from "@restwell/core"
import { ConfigError } from "../config/config.ts"
import { NoEmbeddedPostgres } from "../postgres/binaries.ts"
import { ServerDidNotStart } from "../postgres/cluster.ts"
import { UnusableHome } from "../postgres/home.ts"
import { AlreadyRunning } from "../postgres/service-lock.ts"

/** Errors whose message is written for the operator and needs no stack. */
const OPERATOR_ERRORS = [ConfigError, AlreadyRunning, NoEmbeddedPostgres, ServerDidNotStart, UnusableHome]

/** A command's failure in words for the operator, with a stack only for a fault of the program. */
export function describeFailure(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (OPERATOR_ERRORS.some((known) => error instanceof known)) return error.message
  if ("code" in error && error.code === "EADDRINUSE") return `${error.message}: set PORT to another port`
  const trouble = databaseTrouble(error)
  if (trouble !== undefined) return `${trouble} (${error.message})`
  const text = error.stack ?? error.message
  return error.cause === undefined ? text : `${text}\ncaused by ${describeFailure(error.cause)}`
}
