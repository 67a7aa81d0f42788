import type { WhoopOptions } from "./whoop/settings.ts"

/** The people and the time. */
export interface WorldOptions {
  /** All data is a pure function of the seed, the clock and the edits. @default 1 */
  readonly seed?: string | number
  /** Start of the clock. A date stays until the clock is moved; `"system"` follows real time. @default "system" */
  readonly now?: Date | "system"
  /** Lets a clock that starts at a date run at the pace of real time. @default false */
  readonly ticking?: boolean
  /** Days of history that each person has when the simulator starts. @default 365 */
  readonly days?: number
  /** First day of everyone's history, instead of `days`. A simulator restarted on a later day keeps its history. */
  readonly historyFrom?: Date
  /** Drawn people wear their devices every night, so a test does not depend on the date it runs. @default false */
  readonly wearsAlways?: boolean
  /** False: the simulator starts without the two default people. @default true */
  readonly defaultPeople?: boolean
}

/** The server of one vendor. */
export interface ServerOptions extends Pick<WorldOptions, "seed"> {
  /** @default 0, any free port */
  readonly port?: number
  /** @default "127.0.0.1" */
  readonly host?: string
  /** File that stores the grants, so that connections survive a restart. */
  readonly grantsFile?: string
  /** Addresses that receive webhooks, where the vendor has no subscriptions. `webhooks.urls` changes them later. */
  readonly webhookUrls?: readonly string[]
}

export interface SimulatorOptions extends WorldOptions, ServerOptions, WhoopOptions {}
