import { resolve } from "node:path"
import { setImmediate } from "node:timers/promises"
import {
  type Clock,
  type Context,
  createTokenCipher,
  databaseTrouble,
  FileExists,
  findUserByEmail,
  type Logger,
  NoData,
  NotRestored,
  OperatorError,
  openDatabase,
  type PoolSettings,
  UnusableBackup,
} from "@restwell/core"
import { AlreadyRunning, connectionOf, hasCluster, openCluster, startEmbeddedPostgres } from "@restwell/postgres"
import type { Pool } from "pg"
import { type Config, ConfigError, loadConfig } from "../config/config.ts"
import { hintAtDemo } from "../config/data-dir.ts"
import { readEffectiveSettings } from "../config/live-settings.ts"
import { openSecrets } from "../config/secret-files.ts"
import { migrateDatabase, poolsOn, reachDatabase } from "../postgres/pools.ts"
import { unlessAborted } from "../process/wait.ts"
import { CommandFailed } from "./command.ts"
import { Interrupted, takeStopSignal } from "./stop-signals.ts"
import { commandLogger } from "./terminal.ts"

const LONGEST_DRAIN_MS = 30_000

interface RunOptions {
  /** For the service: nobody sees its faults but the operator who reads the log. */
  readonly printsStack?: boolean
}

/** Runs a command, which ends soon after the signal aborts. An error is printed, and the process exits with 1. */
export async function runCommand(
  command: (signal: AbortSignal) => Promise<void>,
  { printsStack = process.env["LOG_LEVEL"] === "debug" }: RunOptions = {},
): Promise<void> {
  // A signal that came during the import is handled now.
  await setImmediate()
  const signal = takeStopSignal()
  signal.addEventListener("abort", limitDrain, { once: true })
  try {
    await command(signal)
  } catch (error) {
    // Started parts are stopped. A step that was interrupted may still be going on, and ends with the process.
    if (error instanceof Interrupted) process.exit(0)
    process.stderr.write(`restwell: ${describeFailure(error, { withStack: printsStack })}\n`)
    process.exit(1)
  }
}

/** Waits for a signal or `fatal`, then drains. A second signal ends the process at once. */
export async function untilStopped(
  drain: () => Promise<void>,
  fatal: Promise<never> = new Promise(() => {}),
): Promise<void> {
  const signal = takeStopSignal()
  const { promise: stopped, resolve: stop } = Promise.withResolvers<void>()
  if (signal.aborted) stop()
  else signal.addEventListener("abort", () => stop(), { once: true })
  try {
    await Promise.race([stopped, fatal])
  } finally {
    limitDrain()
    await drain()
  }
}

function limitDrain(): void {
  setTimeout(() => process.exit(1), LONGEST_DRAIN_MS).unref()
}

/** What a command reads and changes. */
export interface Store extends Pick<Context, "database" | "clock" | "logger"> {
  readonly config: Config
  readonly pool: Pool
}

const SYSTEM_CLOCK: Clock = { now: () => new Date() }

/** Runs a command on the service's database, with its settings. */
export const withStore = (use: (store: Store, signal: AbortSignal) => Promise<void>): Promise<void> =>
  runCommand(async (signal) => {
    const config = loadConfig(process.env)
    const logger = commandLogger()
    await withDatabase({ config, logger, signal }, (pool) =>
      use({ config, pool, logger, clock: SYSTEM_CLOCK, database: openDatabase(pool) }, signal),
    )
  })

/** How people reach the service, for the links that a command prints: as the environment says, or as the owner has set it. */
export async function baseUrlOf({ config, database }: Pick<Store, "config" | "database">): Promise<string> {
  const cipher = createTokenCipher(await openSecrets(config))
  const address = `http://localhost:${config.port}`
  return (await readEffectiveSettings({ config, database, cipher, address })).baseUrl
}

/** The id of the account with this address. @throws {CommandFailed} */
export async function accountOf(context: Pick<Context, "database">, email: string): Promise<string> {
  const userId = await findUserByEmail(context, email)
  if (userId === undefined)
    throw new CommandFailed(`there is no account with the address ${email}. \`restwell people\` lists them`)
  return userId
}

/** One for the rows, one for a lock. */
const CONNECTIONS = 2

interface DatabaseOptions {
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
