import type { CallPurpose, VendorAdapter } from "@restwell/providers"
import type { Kysely } from "kysely"
import type { Clock } from "../calendar/clock.ts"
import type { TokenCipher } from "../crypto/token-cipher.ts"
import type { PlanLimits } from "../quota/plans.ts"
import type { ConnectionId } from "../store/connection.ts"
import type { Database } from "../store/database.ts"

export type { Clock } from "../calendar/clock.ts"
export type { ConnectionId } from "../store/connection.ts"

/** What core needs of a logger; pino fits. Fields never hold a secret or a health value. */
export interface Logger {
  debug(fields: object, message: string): void
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
  error(fields: object, message: string): void
}

/** `now`: somebody waits, or the vendor told of a change. `later`: before the history of others. `history`: when nothing else is to do. */
export type Urgency = "now" | "later" | "history"

/** Where work for later goes. Asking twice for work that already waits or runs is one piece of work. */
export interface JobQueue {
  /** Has the connection brought in step with its vendor as soon as a worker is free. @param urgency "now" when left out */
  requestSync(connection: ConnectionId, urgency?: Urgency): Promise<void>
  /** True when other connections wait for a worker. */
  isAnyoneWaiting(): Promise<boolean>
}

/** What every verb of core is given: no globals, no container. */
export interface Context {
  readonly database: Kysely<Database>
  readonly clock: Clock
  readonly logger: Logger
  readonly jobs: JobQueue
  /** The vendors the operator configured, by name. Their calls are taken from the app's budget as what a person waits for. */
  readonly adapters: ReadonlyMap<string, VendorAdapter>
  /** The same vendors, their calls taken from the budget for this. */
  readonly adaptersFor: (purpose: CallPurpose) => ReadonlyMap<string, VendorAdapter>
  readonly cipher: TokenCipher
  readonly plans: PlanLimits
  /** Resolves after that many milliseconds of real time. */
  readonly wait: (milliseconds: number) => Promise<void>
  /** Of the software: what one version cannot read, the next may. */
  readonly version: string
}
