import { databaseTrouble, FileExists, NoData, NotRestored, UnusableBackup, UnusableDatabase } from "@restwell/core"
import { ConfigError } from "../config/config.ts"
import { CannotListen } from "../network/bind-port.ts"
import { NoEmbeddedPostgres } from "../postgres/binaries.ts"
import { OtherVersion, ServerDidNotStart } from "../postgres/cluster.ts"
import { UnusableHome } from "../postgres/home.ts"
import { AlreadyRunning } from "../postgres/service-lock.ts"
import { UnreachableDatabase } from "../postgres/unreachable.ts"
import { CommandFailed } from "./command.ts"
import { NotDone } from "./with-database.ts"

/** Errors whose message is written for the operator and needs no stack. */
const OPERATOR_ERRORS = [
  ...[AlreadyRunning, CannotListen, CommandFailed, ConfigError, NoEmbeddedPostgres, NotDone, OtherVersion],
  ...[FileExists, NoData, NotRestored, UnusableBackup],
  ...[ServerDidNotStart, UnreachableDatabase, UnusableDatabase, UnusableHome],
]

/** A command's failure in words for the operator. `withStack` adds the stack of a fault of the program. */
export function describeFailure(error: unknown, { withStack }: { readonly withStack: boolean }): string {
  if (!(error instanceof Error)) return String(error)
  if (OPERATOR_ERRORS.some((known) => error instanceof known)) return error.message
  const trouble = databaseTrouble(error)
  if (trouble !== undefined) return `${trouble} (${error.message})`
  if (!withStack) return `internal error: ${messages(error)} (LOG_LEVEL=debug prints where)`
  const text = error.stack ?? error.message
  return error.cause === undefined ? text : `${text}\ncaused by ${describeFailure(error.cause, { withStack })}`
}

const messages = (error: Error): string =>
  error.cause instanceof Error ? `${error.message}: ${messages(error.cause)}` : error.message
