/** Opens the database of the service for a command. */
import { resolve } from "node:path"
import {
  type Clock,
  type Context,
  createTokenCipher,
  findUserByEmail,
  type Logger,
  openDatabase,
  type PoolSettings,
} from "@restwell/core"
import { OperatorMessage } from "@restwell/core/operator-errors"
import { AlreadyRunning, connectionOf, hasCluster, openCluster, startEmbeddedPostgres } from "@restwell/postgres"
import type { Pool } from "pg"
import { type Config, loadConfig } from "../config/config.ts"
import { hintAtDemo } from "../config/data-dir.ts"
import { readEffectiveSettings } from "../config/live-settings.ts"
import { openSecrets } from "../config/secret-files.ts"
import { migrateDatabase, poolsOn, reachDatabase } from "../postgres/pools.ts"
import { unlessAborted } from "../process/wait.ts"
import { CommandFailed } from "./command.ts"
import { runCommand } from "./run-command.ts"
import { commandLogger } from "./terminal.ts"

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
class NotDone extends OperatorMessage {
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
