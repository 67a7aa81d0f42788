import type { VendorAdapter } from "@restwell/providers"
import type { Kysely } from "kysely"
import type { TokenCipher } from "./crypto/token-cipher.ts"
import type { PlanLimits } from "./quota/plans.ts"
import type { Database } from "./store/database.ts"

/** The time, as an argument. Only the composition root reads the real one. */
export interface Clock {
  now(): Date
}

/** What core needs of a logger; pino fits. Fields never hold a secret or a health value. */
export interface Logger {
  debug(fields: object, message: string): void
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
  error(fields: object, message: string): void
}

/** One person's connection to one vendor. */
export interface ConnectionId {
  readonly userId: string
  readonly provider: string
}

/** Where work for later goes. Asking twice for work that already waits or runs is one piece of work. */
export interface JobQueue {
  /** Has the connection brought in step with its vendor as soon as a worker is free. */
  requestSync(connection: ConnectionId): Promise<void>
}

/** What every verb of core is given: no globals, no container. */
export interface Context {
  readonly database: Kysely<Database>
  readonly clock: Clock
  readonly logger: Logger
  readonly jobs: JobQueue
  /** The vendors the operator configured, by name. */
  readonly adapters: ReadonlyMap<string, VendorAdapter>
  readonly cipher: TokenCipher
  readonly plans: PlanLimits
}
