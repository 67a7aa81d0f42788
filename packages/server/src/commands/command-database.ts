import { resolve } from "node:path"
import {
  databaseTrouble,
  FileExists,
  type Logger,
  NoData,
  NotRestored,
  OperatorError,
  type PoolSettings,
  UnusableBackup,
} from "@restwell/core"
import type { Pool } from "pg"
import { type Config, ConfigError } from "../config/config.ts"
import { hintAtDemo } from "../config/data-dir.ts"
import { openCluster } from "../postgres/cluster.ts"
import { connectionOf, startEmbeddedPostgres } from "../postgres/embedded-postgres.ts"
import { hasCluster } from "../postgres/home.ts"
import { migrateDatabase, poolsOn, reachDatabase } from "../postgres/pools.ts"
import { AlreadyRunning } from "../postgres/service-lock.ts"
import { unlessAborted } from "../process/wait.ts"
import { CommandFailed } from "./command.ts"

/** One for the rows, one for a lock. */
const CONNECTIONS = 2

export interface DatabaseOptions {
  readonly config: Config
  readonly logger: Logger
  /** Interrupts the work, of which a transaction is done as a whole or not at all. */
  readonly signal: AbortSignal
  /** Whether the schema is brought up to date first. @default true */
  readonly migrates?: boolean
  /** Whether the command refuses to work while a service runs on DATA_DIR. @default false */
  readonly isAlone?: boolean
  /** Whether a missing database is made. @default false */
  readonly makesDatabase?: boolean
  /** Whether `use` itself ends soon after the signal, and has to clean up then. @default false */
  readonly endsItself?: boolean
}

/** A signal ended a command before its work was done. */
class NotDone extends Error {
  override readonly name = "NotDone"
}

/** Runs a command on the service's database, whether the service runs or not. */
export async function withDatabase<Result>(
  options: DatabaseOptions,
  use: (pool: Pool) => Promise<Result>,
): Promise<Result> {
  try {
    return await runOnDatabase(options, use)
  } catch (error) {
    if (error !== options.signal.reason) throw error
    throw new NotDone("interrupted before everything was done: run the command again")
  }
}

async function runOnDatabase<Result>(options: DatabaseOptions, use: (pool: Pool) => Promise<Result>): Promise<Result> {
  const { logger, signal, migrates = true, endsItself = false } = options
  await using started = new AsyncDisposableStack()
  const connection = await findDatabase(options, started)
  const pool = poolsOn(connection, logger, started)({ max: CONNECTIONS })
  if (migrates) await unlessAborted(migrateDatabase(connection), signal)
  return endsItself ? await use(pool) : await unlessAborted(use(pool), signal)
}

const ELSEWHERE =
  "use --data-dir, set DATA_DIR or DATABASE_URL as the service has it, or run the command in the service's folder"

/** A command about data must not make an empty database beside them. @throws {CommandFailed} with where they may be */
export async function requireDatabase({ databaseUrl, dataDir }: Config): Promise<void> {
  if (databaseUrl !== undefined || (await hasCluster(dataDir))) return
  const hint = (await hintAtDemo(dataDir)) ?? ELSEWHERE
  throw new CommandFailed(`there is no Restwell in ${resolve(dataDir)}: ${hint}`)
}

async function findDatabase(
  { config, logger, signal, isAlone = false, makesDatabase = false }: DatabaseOptions,
  started: AsyncDisposableStack,
): Promise<PoolSettings> {
  if (config.databaseUrl !== undefined) return reachDatabase(config.databaseUrl, config.databasePooler)
  if (!makesDatabase) await requireDatabase(config)
  try {
    const postgres = await startEmbeddedPostgres({ dataDir: config.dataDir, logger, signal })
    started.defer(() => postgres.stop())
    return postgres.connection
  } catch (error) {
    if (!(error instanceof AlreadyRunning) || isAlone) throw error
    // The service runs, and so does its server.
    return connectionOf(await openCluster(config.dataDir))
  }
}

/** Errors whose message is written for the operator and needs no stack. */
const OPERATOR_ERRORS = [
  ...[OperatorError, CommandFailed, ConfigError, NotDone],
  ...[FileExists, NoData, NotRestored, UnusableBackup],
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
