import { databaseTrouble, UnusableDatabase } from "@restwell/core"
import { ConfigError } from "../config/config.ts"
import { CannotListen } from "../network/bind-port.ts"
import { NoEmbeddedPostgres } from "../postgres/binaries.ts"
import { OtherVersion, ServerDidNotStart } from "../postgres/cluster.ts"
import { UnusableHome } from "../postgres/home.ts"
import { UnreachableDatabase } from "../postgres/open-pools.ts"
import { AlreadyRunning } from "../postgres/service-lock.ts"
import { NotDone } from "./with-database.ts"

/** Errors whose message is written for the operator and needs no stack. */
const OPERATOR_ERRORS = [
  ...[AlreadyRunning, CannotListen, ConfigError, NoEmbeddedPostgres, NotDone, OtherVersion],
  ...[ServerDidNotStart, UnreachableDatabase, UnusableDatabase, UnusableHome],
]

/** A command's failure in words for the operator, with a stack only for a fault of the program. */
export function describeFailure(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (OPERATOR_ERRORS.some((known) => error instanceof known)) return error.message
  const trouble = databaseTrouble(error)
  if (trouble !== undefined) return `${trouble} (${error.message})`
  const text = error.stack ?? error.message
  return error.cause === undefined ? text : `${text}\ncaused by ${describeFailure(error.cause)}`
}
