import type { CallPurpose, VendorAdapter } from "@restwell/providers"
import type { Kysely } from "kysely"
import type { Clock } from "../base/calendar.ts"
import type { TokenCipher } from "../base/encryption.ts"
import type { PlanLimits } from "../base/plans.ts"
import type { ConnectionId } from "../store/connection-tables.ts"
import type { Database } from "../store/database.ts"
import type { Disk } from "../store/disk-space.ts"

export type { Clock } from "../base/calendar.ts"
export type { ConnectionId } from "../store/connection-tables.ts"

/** The part of a logger that core uses, as pino has it. Fields never contain a secret or a measurement. */
export interface Logger {
  debug(fields: object, message: string): void
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
  error(fields: object, message: string): void
}

/** `now`: somebody waits, or the vendor sent an event. `later`: before the history of others. `history`: when nothing else is due. */
export type Urgency = "now" | "later" | "history"

/** The queue of syncs. A second request for a sync that already waits or runs adds nothing. */
export interface JobQueue {
  /** Syncs the connection as soon as a worker is free. @param urgency @default "now" */
  requestSync(connection: ConnectionId, urgency?: Urgency): Promise<void>
  /** True when other connections wait for a worker. */
  isAnyoneWaiting(): Promise<boolean>
  /** True while a sync of the connection waits for a worker or runs. */
  isSyncing(connection: ConnectionId): Promise<boolean>
}

/** The first argument of core's functions: no globals, no container. */
export interface Context {
  readonly database: Kysely<Database>
  readonly clock: Clock
  readonly logger: Logger
  readonly jobs: JobQueue
  /** The configured vendors by name, for all but calls of a person's data. */
  readonly adapters: ReadonlyMap<string, VendorAdapter>
  /** The same vendors for calls of one person's data. Person and purpose decide their share of the call budget. */
  readonly adaptersFor: (purpose: CallPurpose, userId: string) => ReadonlyMap<string, VendorAdapter>
  readonly cipher: TokenCipher
  readonly plans: PlanLimits
  /** Whether two accounts may be connected to one member of a vendor. */
  readonly sharedVendorAccounts: "refuse" | "allow"
  readonly disk: Disk
  /** Most bytes of the archives of one person together. */
  readonly importPersonBytes: number
  /** Resolves after that many milliseconds of real time. */
  readonly wait: (milliseconds: number) => Promise<void>
  /** The software's version. A record that one version could not read is read again by the next. */
  readonly version: string
}
