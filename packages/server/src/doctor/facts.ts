import { access, constants, stat } from "node:fs/promises"
import { dirname, resolve } from "node:path"
import {
  type Context,
  countUnreadable,
  createTokenCipher,
  type DatabaseState,
  openDatabase,
  readDatabaseState,
  readSyncHealth,
  type SealedCount,
  type Secrets,
  type SyncHealth,
} from "@restwell/core"
import { findSetupLink } from "../accounts/setup-code.ts"
import { type Config, ConfigError, loadConfig, UnusableSetting } from "../config/config.ts"
import { hintAtDemo, unusable } from "../config/data-dir.ts"
import { readEffectiveSettings } from "../config/live-settings.ts"
import { readCurrentSecrets } from "../config/open-secrets.ts"
import { freeBytes } from "../postgres/disk-watch.ts"
import { type ExistingDatabase, openExisting } from "../postgres/open-existing.ts"
import { type Fault, Skip } from "./result.ts"
import { type Answer, askService } from "./service-proof.ts"

const MB = 1_048_576
/** PostgreSQL stops when it cannot write its log, whose files have 16 MB. */
const FULL_MB = 32

/** What a start would say about DATA_DIR. Undefined if it can be used. */
async function dataDirFault({ dataDir }: Pick<Config, "dataDir">): Promise<Fault | undefined> {
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

type Environment = Readonly<Record<string, string | undefined>>

/** The settings as far as they are right, so that one mistake hides nothing else. */
interface ReadSettings {
  readonly config: Config
  readonly mistakes: readonly string[]
  /** Names of the settings that could not be used. */
  readonly unusable: ReadonlySet<string>
}

const NAME = /\b[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+\b|^(?:PORT|HOST)\b/g
const MISSPELLED = /^(\S+) is not a setting, did you mean (\S+)$/
const REQUIRED = /^(\S+) is required with /
/** Where a secret is required and missing. It decrypts nothing. */
const PLACEHOLDER = "no secret, because none is set: ".padEnd(64, "x")

/** Reads the settings, and leaves out those with a mistake. */
export function readSettings(environment: Environment): ReadSettings {
  const given: Record<string, string | undefined> = { ...environment }
  const mistakes: string[] = []
  const unusable = new Set<string>()
  for (;;) {
    try {
      return { config: loadConfig(given), mistakes, unusable }
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error
      const found = withoutConsequences(error.mistakes)
      mistakes.push(...found.filter((mistake) => !namesIn(mistake).some((name) => unusable.has(name))))
      if (!found.some((mistake) => leaveOut(mistake, given, unusable))) throw error
    }
  }
}

/** A setting that is missing because its name is misspelled is one mistake. */
function withoutConsequences(mistakes: readonly string[]): readonly string[] {
  const meant = mistakes.flatMap((mistake) => MISSPELLED.exec(mistake)?.[2] ?? [])
  return mistakes.filter((mistake) => !meant.includes(REQUIRED.exec(mistake)?.[1] ?? ""))
}

const namesIn = (mistake: string): string[] => mistake.match(NAME) ?? []

/** Takes what is wrong out of the settings. False if nothing is left to take out. */
function leaveOut(mistake: string, given: Record<string, string | undefined>, unusable: Set<string>): boolean {
  const [, wrong, meant] = MISSPELLED.exec(mistake) ?? []
  if (wrong !== undefined && meant !== undefined) {
    given[meant] ||= given[wrong]
    return delete given[wrong]
  }
  if (REQUIRED.exec(mistake)?.[1] === "RESTWELL_SECRET") {
    given["RESTWELL_SECRET"] = PLACEHOLDER
    unusable.add("RESTWELL_SECRET")
    return true
  }
  const [first, ...others] = namesIn(mistake)
  const names = first !== undefined && given[first] ? [first] : others.filter((name) => given[name])
  for (const name of names) {
    unusable.add(name)
    delete given[name]
  }
  if (first !== undefined) unusable.add(first)
  return names.length > 0
}

export interface FactsOptions extends ReadSettings {
  readonly clock: Context["clock"]
  readonly version: string
  /** Ends everything that the checks began. */
  readonly signal: AbortSignal
}

/** What several checks need. Each fact is found once, when the first check asks for it. */
export class Facts {
  /** With what the owner has set on the page Service, once it is read. */
  config: Config
  readonly settings: ReadSettings
  /** Names of the owner's settings that the secret does not decrypt. */
  unreadableSettings: readonly string[] = []
  readonly clock: Context["clock"]
  readonly version: string
  readonly signal: AbortSignal
  readonly #opened = new AsyncDisposableStack()
  /** The folder of DATA_DIR, or the reason that it cannot be used. */
  readonly dataDirFault: () => Promise<Fault | undefined>
  /** Undefined before the first start. @throws what is wrong */
  readonly openDatabase: () => Promise<ExistingDatabase | undefined>
  /** @throws {Skip} unless the database answers */
  readonly databaseState: () => Promise<DatabaseState>
  /** @throws {Skip} unless the database has this version's tables */
  readonly syncState: () => Promise<SyncHealth>
  /** How much of what is stored the secret decrypts. @throws {Skip} */
  readonly storedSecrets: () => Promise<SealedCount>
  /** What is left to do before anybody can use it. Undefined once there is an owner. @throws {Skip} */
  readonly setUp: () => Promise<string | undefined>
  /** Who answers on HOST and PORT. */
  readonly local: () => Promise<Answer>
  /** Who answers at BASE_URL. */
  readonly public: () => Promise<Answer>
  readonly isServiceRunning: () => Promise<boolean>

  constructor(options: FactsOptions) {
    this.settings = options
    this.config = options.config
    this.clock = options.clock
    this.version = options.version
    this.signal = options.signal
    this.dataDirFault = once(() => dataDirFault(this.config))
    this.openDatabase = once(() => this.#open())
    this.databaseState = once(async () =>
      readDatabaseState({ database: openDatabase((await this.#database()).pool), clock: this.clock }),
    )
    this.syncState = once(async () => readSyncHealth({ database: await this.tables(), clock: this.clock }))
    this.storedSecrets = once(async () =>
      countUnreadable({ database: await this.tables(), cipher: await this.#cipher() }),
    )
    this.setUp = once(() => this.#readSetUp())
    this.local = once(() => this.#ask(localUrl(this.config)))
    this.public = once(() => this.#ask(this.baseUrl))
    this.isServiceRunning = once(() => this.#isServiceRunning())
  }

  get baseUrl(): string {
    return this.config.baseUrl ?? localUrl(this.config)
  }

  /** @throws {Skip} if there is no secret, which another check reports */
  async secrets(): Promise<Secrets> {
    if (this.settings.unusable.has("RESTWELL_SECRET")) throw new Skip("the secret is not known")
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
    if (isOldServer || forbiddenTables > 0 || schema.isEmpty || schema.pending.length > 0 || schema.newer.length > 0)
      throw new Skip("the database has no tables of this version")
    return openDatabase((await this.#database()).pool)
  }

  /** Whether the secret is missing or not that of the database, so that nobody can be asked for a proof. */
  async isSecretWrong(): Promise<boolean> {
    try {
      await this.secrets()
      const { total, unreadable } = await this.storedSecrets()
      return total > 0 && unreadable === total
    } catch (error) {
      return (
        error instanceof Skip &&
        (await this.secrets().then(
          () => false,
          () => true,
        ))
      )
    }
  }

  /** Adds the owner's settings of the database. Without a readable database, the environment's stay. */
  async useStoredSettings(): Promise<void> {
    const { config } = this
    const stored = { config, database: await this.tables(), cipher: await this.#cipher(), address: localUrl(config) }
    const { baseUrl, addressSource, vendors, mail, backup, signUp, unreadable } = await readEffectiveSettings(stored)
    this.unreadableSettings = unreadable
    this.config = { ...config, vendors, mail, backup, signUp, ...(addressSource === "page" && { baseUrl }) }
  }

  async #cipher(): Promise<Context["cipher"]> {
    return createTokenCipher(await this.secrets())
  }

  close(): Promise<void> {
    return this.#opened.disposeAsync()
  }

  async #open(): Promise<ExistingDatabase | undefined> {
    const { unusable } = this.settings
    if (unusable.has("DATABASE_URL") || unusable.has("DATA_DIR")) throw new Skip("its setting has a mistake")
    if (this.config.databaseUrl === undefined && (await this.dataDirFault()) !== undefined)
      throw new Skip("DATA_DIR cannot be used")
    return await openExisting(this.config, this.#opened, this.signal)
  }

  async #database(): Promise<ExistingDatabase> {
    const database = await this.openDatabase().catch(() => {
      throw new Skip("the database cannot be used")
    })
    if (!database) throw new Skip("there is no database yet, the first start makes it")
    return database
  }

  async #ask(url: string): Promise<Answer> {
    const [secret] = await this.secrets()
    return await askService(url, { secret, now: this.clock.now(), signal: this.signal })
  }

  async #readSetUp(): Promise<string | undefined> {
    if ((await this.openDatabase().catch(() => null)) === undefined || (await this.databaseState()).schema.isEmpty) {
      const hint = await hintAtDemo(this.config.dataDir)
      return `not set up yet: run \`restwell start\`, and open the link that it prints${hint === undefined ? "" : `. Or ${hint}`}`
    }
    const [secret] = await this.secrets()
    const link = await findSetupLink({ database: await this.tables() }, { baseUrl: this.baseUrl, secret })
    if (link === undefined) return undefined
    const isRunning = await this.isServiceRunning()
    return `not set up yet: ${isRunning ? "" : "run `restwell start`, and "}open ${link}`
  }

  async #isServiceRunning(): Promise<boolean> {
    const isTrue = (found: Promise<boolean>): Promise<boolean> => found.catch(() => false)
    const signs = await Promise.all([
      isTrue(this.local().then(({ from }) => from === "ours")),
      isTrue(this.public().then(({ from }) => from === "ours")),
      isTrue(this.openDatabase().then((database) => database?.servicePid !== undefined)),
      isTrue(this.databaseState().then(({ services }) => services > 0)),
    ])
    return signs.includes(true)
  }
}

const ANY_ADDRESS: Readonly<Record<string, string>> = { "0.0.0.0": "127.0.0.1", "::": "[::1]" }

function localUrl({ host, port }: Config): string {
  const name = ANY_ADDRESS[host] ?? (host.includes(":") ? `[${host}]` : host)
  return `http://${name}:${port}`
}

function once<Result>(find: () => Promise<Result>): () => Promise<Result> {
  let found: Promise<Result> | undefined
  return () => (found ??= find())
}
