import { access, constants, stat } from "node:fs/promises"
import { dirname, resolve } from "node:path"
import {
  type Context,
  countUnreadable,
  createTokenCipher,
  type DatabaseState,
  databaseTrouble,
  OperatorError,
  openDatabase,
  readDatabaseState,
  readSyncHealth,
  type Secrets,
} from "@restwell/core"
import { findSetupLink } from "../accounts/links.ts"
import type { Config } from "../config/config.ts"
import { ConfigError, UnusableSetting } from "../config/config-errors.ts"
import { hintAtDemo, unusable } from "../config/data-dir.ts"
import { readEffectiveSettings } from "../config/live-settings.ts"
import { readCurrentSecrets } from "../config/secret-files.ts"
import { freeBytes } from "../postgres/disk-watch.ts"
import { type ExistingDatabase, openExisting } from "../postgres/existing-database.ts"
import { type Answer, askService, codeOf } from "./service-proof.ts"

const MB = 1_048_576
/** PostgreSQL stops when it cannot write its log, whose files have 16 MB. */
const FULL_MB = 32

export interface FactsOptions {
  readonly config: Config
  readonly clock: Context["clock"]
  readonly version: string
  /** Ends everything that the checks began. */
  readonly signal: AbortSignal
}

/** What several checks need. Each fact is found once, when the first check asks for it. */
export class Facts {
  /** With what the owner has set on the page Service, once it is read. */
  config: Config
  /** Names of the owner's settings that the secret does not decrypt. */
  unreadableSettings: readonly string[] = []
  readonly clock: Context["clock"]
  readonly version: string
  readonly signal: AbortSignal
  readonly #opened = new AsyncDisposableStack()

  constructor({ config, clock, version, signal }: FactsOptions) {
    this.config = config
    this.clock = clock
    this.version = version
    this.signal = signal
  }

  /** Why DATA_DIR cannot be used. Undefined if it can. */
  readonly dataDirFault = once(() => dataDirFault(this.config))
  /** Undefined before the first start. @throws what is wrong */
  readonly openDatabase = once(async (): Promise<ExistingDatabase | undefined> => {
    if (this.config.databaseUrl === undefined && (await this.dataDirFault())) throw new Skip("DATA_DIR cannot be used")
    return await openExisting(this.config, this.#opened, this.signal)
  })
  /** @throws {Skip} unless the database answers */
  readonly databaseState = once(async () => readDatabaseState({ database: await this.#database() }))
  /** @throws {Skip} unless the database has this version's tables */
  readonly syncState = once(async () => readSyncHealth({ database: await this.tables(), clock: this.clock }))
  /** How much of what is stored the secret decrypts. @throws {Skip} */
  readonly storedSecrets = once(async () =>
    countUnreadable({ database: await this.tables(), cipher: createTokenCipher(await this.secrets()) }),
  )
  /** Who answers on HOST and PORT. @throws {Skip} without a secret */
  readonly local = once(() => this.#ask(localUrl(this.config)))
  /** Who answers at BASE_URL. @throws {Skip} without a secret */
  readonly public = once(() => this.#ask(this.baseUrl))
  readonly isServiceRunning = once(async () => {
    const signs = await Promise.allSettled([
      this.local().then(({ from }) => from === "ours"),
      this.public().then(({ from }) => from === "ours"),
      this.openDatabase().then((database) => database?.isInUse === true),
      this.databaseState().then(({ services }) => services > 0),
    ])
    return signs.some((sign) => sign.status === "fulfilled" && sign.value)
  })
  /** What is left to do before anybody can use it. Undefined once there is an owner. @throws {Skip} */
  readonly setUp = once(async (): Promise<string | undefined> => {
    if ((await this.openDatabase().catch(() => null)) === undefined || (await this.databaseState()).schema.isEmpty) {
      const hint = await hintAtDemo(this.config.dataDir)
      return `not set up yet: run \`restwell start\`, and open the link that it prints${hint === undefined ? "" : `. Or ${hint}`}`
    }
    const [secret] = await this.secrets()
    const link = await findSetupLink({ database: await this.tables() }, { baseUrl: this.baseUrl, secret })
    if (link === undefined) return undefined
    return `not set up yet: ${(await this.isServiceRunning()) ? "" : "run `restwell start`, and "}open ${link}`
  })

  get baseUrl(): string {
    return this.config.baseUrl ?? localUrl(this.config)
  }

  /** @throws {Skip} if there is no secret, which another check reports */
  async secrets(): Promise<Secrets> {
    try {
      return await readCurrentSecrets(this.config)
    } catch (error) {
      if (error instanceof ConfigError) throw new Skip("the secret is not known")
      throw error
    }
  }

  /** The database with this version's tables. @throws {Skip} */
  async tables(): Promise<Context["database"]> {
    const { schema, isOldServer, forbiddenTables } = await this.databaseState()
    if (isOldServer || forbiddenTables > 0 || !isOfThisVersion(schema))
      throw new Skip("the database has no tables of this version")
    return await this.#database()
  }

  /** Whether the secret is not that of the database, so that nobody can be asked for a proof. */
  async isSecretWrong(): Promise<boolean> {
    const count = await this.storedSecrets().catch(() => undefined)
    return count !== undefined && count.total > 0 && count.unreadable === count.total
  }

  /** Adds the owner's settings of the database. Without a readable database, the environment's stay. */
  async useStoredSettings(): Promise<void> {
    const { config } = this
    const cipher = createTokenCipher(await this.secrets())
    const stored = { config, database: await this.tables(), cipher, address: localUrl(config) }
    const {
      baseUrl,
      addressSource,
      operationSources: _,
      unreadable,
      vendorSources: __,
      ...settings
    } = await readEffectiveSettings(stored)
    this.unreadableSettings = unreadable
    this.config = { ...config, ...settings, ...(addressSource === "page" && { baseUrl }) }
  }

  close(): Promise<void> {
    return this.#opened.disposeAsync()
  }

  async #database(): Promise<Context["database"]> {
    const database = await this.openDatabase().catch(() => {
      throw new Skip("the database cannot be used")
    })
    if (!database) throw new Skip("there is no database yet, the first start makes it")
    return openDatabase(database.pool)
  }

  async #ask(url: string): Promise<Answer> {
    const [secret] = await this.secrets()
    return await askService(url, { secret, now: this.clock.now(), signal: this.signal })
  }
}

function once<Result>(find: () => Promise<Result>): () => Promise<Result> {
  let found: Promise<Result> | undefined
  return () => (found ??= find())
}

const isOfThisVersion = ({ isEmpty, pending, newer, isForeign }: DatabaseState["schema"]): boolean =>
  !isEmpty && pending.length === 0 && newer.length === 0 && !isForeign

const ANY_ADDRESS: Readonly<Record<string, string>> = { "0.0.0.0": "127.0.0.1", "::": "[::1]" }

function localUrl({ host, port }: Config): string {
  const name = ANY_ADDRESS[host] ?? (host.includes(":") ? `[${host}]` : host)
  return `http://${name}:${port}`
}

async function dataDirFault({ dataDir }: Config): Promise<Fault | undefined> {
  try {
    const found = await existing(resolve(dataDir))
    await access(found, constants.R_OK | constants.W_OK | constants.X_OK)
    if ((await freeMegabytes(found)) < FULL_MB) throw Object.assign(new Error("full"), { code: "ENOSPC" })
    return undefined
  } catch (error) {
    const known = unusable("DATA_DIR", dataDir, error)
    if (known instanceof UnusableSetting) return known
    throw error
  }
}

/** The folder itself, or the one that the first start makes it in. */
async function existing(path: string): Promise<string> {
  try {
    const found = await stat(path)
    if (!found.isDirectory()) throw Object.assign(new Error("a file"), { code: "EEXIST" })
    return path
  } catch (error) {
    const isMissing = error instanceof Error && "code" in error && error.code === "ENOENT"
    if (!isMissing || path === dirname(path)) throw error
    return await existing(dirname(path))
  }
}

/** Megabytes that this user may write. 0 if the disk can hold no more files. */
export async function freeMegabytes(path: string): Promise<number> {
  return Math.floor((await freeBytes(await existing(resolve(path)))) / MB)
}

/** What one check found. */
export type Outcome =
  | { readonly status: "ok"; readonly message: string }
  /** Something is wrong. `remedy` says what to do about it. */
  | { readonly status: "failed"; readonly message: string; readonly remedy: string }
  /** It could not be checked, because of something that another check reports or that is not there. */
  | { readonly status: "skipped"; readonly message: string }

export type CheckResult = Outcome & { readonly check: string }

/** "2026-11-20 07:05 UTC" */
export const minuteOf = (at: Date): string => `${at.toISOString().slice(0, 16).replace("T", " ")} UTC`

export const ok = (message: string): Outcome => ({ status: "ok", message })
export const failed = (message: string, remedy: string): Outcome => ({ status: "failed", message, remedy })
export const skipped = (message: string): Outcome => ({ status: "skipped", message })

/** A fault that somebody else found, with the remedy that was written for it. */
interface Fault {
  readonly fault: string
  readonly remedy: string
}
export const failedBy = ({ fault, remedy }: Fault): Outcome => failed(fault.replaceAll(/\s+/g, " ").trim(), remedy)

/** Thrown by a fact that cannot be had, because of something that another check reports. */
class Skip extends Error {
  override readonly name = "Skip"
}

/** The outcome of a check that threw. A remedy is only what the error itself has. */
export function findProblem(error: unknown): Outcome {
  if (error instanceof Skip) return skipped(error.message)
  if (!(error instanceof Error)) return failed(`the check failed: ${String(error)}`, "report this as a bug")
  if (error instanceof OperatorError || error instanceof UnusableSetting) return failedBy(error)
  if (error instanceof ConfigError) return failed(error.mistakes.join(", "), "correct these settings")
  if (codeOf(error) === "53300")
    return failed(
      "the database takes no more connections",
      "raise max_connections of the server, or end other programs on it",
    )
  if (databaseTrouble(error) !== undefined)
    return failed(`the database does not answer (${codeOf(error)})`, "start it, or correct DATABASE_URL")
  return failed(
    `the check failed: ${error.message.replaceAll(/\s+/g, " ")}`,
    "report this as a bug, with the log of the service",
  )
}
