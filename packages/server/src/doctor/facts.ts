import {
  type Context,
  countUnreadable,
  createTokenCipher,
  type DatabaseState,
  openDatabase,
  readDatabaseState,
  readSyncState,
  type SealedCount,
  type Secrets,
  type SyncState,
} from "@restwell/core"
import { type Config, ConfigError } from "../config/config.ts"
import { readEffectiveSettings } from "../config/live-settings.ts"
import { readCurrentSecrets } from "../config/open-secrets.ts"
import { type ExistingDatabase, openExisting } from "../postgres/open-existing.ts"
import { type Answer, askService } from "./ask-service.ts"
import { dataDirFault } from "./data-dir-fault.ts"
import type { ReadSettings } from "./read-settings.ts"
import { Skip } from "./result.ts"

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
  readonly dataDirFault: () => Promise<string | undefined>
  /** Undefined before the first start. @throws what is wrong */
  readonly openDatabase: () => Promise<ExistingDatabase | undefined>
  /** @throws {Skip} unless the database answers */
  readonly databaseState: () => Promise<DatabaseState>
  /** @throws {Skip} unless the database has this version's tables */
  readonly syncState: () => Promise<SyncState>
  /** How much of what is stored the secret decrypts. @throws {Skip} */
  readonly storedSecrets: () => Promise<SealedCount>
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
    this.syncState = once(async () => readSyncState({ database: await this.tables(), clock: this.clock }))
    this.storedSecrets = once(async () =>
      countUnreadable({ database: await this.tables(), cipher: await this.#cipher() }),
    )
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
    const { baseUrl, addressSource, vendors, unreadable } = await readEffectiveSettings(stored)
    this.unreadableSettings = unreadable
    this.config = { ...config, vendors, ...(addressSource === "page" && { baseUrl }) }
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
