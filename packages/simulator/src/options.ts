/** What `startSimulator` can be told, and what it assumes otherwise. */

export interface RateLimits {
  readonly perMinute: number
  readonly perDay: number
}

export interface SimulatorOptions {
  /** Everything that happens is a pure function of this and of the clock. @default 1 */
  readonly seed?: string | number
  /** Where the clock starts. A date stands still until it is moved; `"system"` follows real time. @default "system" */
  readonly now?: Date | "system"
  /** Lets a clock that starts at a date run at the pace of real time. @default false */
  readonly ticking?: boolean
  /** @default 0, any free port */
  readonly port?: number
  /** @default "127.0.0.1" */
  readonly host?: string
  /** @default "simulator-client" */
  readonly clientId?: string
  /** @default "simulator-secret" */
  readonly clientSecret?: string
  /** Days of history that each person has when the simulator starts. @default 365 */
  readonly days?: number
  /** The first day of everyone's history, instead of `days`: restarts on later days then keep the same history. */
  readonly historyFrom?: Date
  /** Requests per client app, shared by all its users. @default 100 a minute, 10,000 a day */
  readonly rateLimits?: RateLimits | "off"
  /** What happens to `limit` above 25: refused with 400, or capped. @default "strict" */
  readonly limitMode?: "strict" | "lenient"
  /** Life of an access token, seconds. @default 3600 */
  readonly accessTokenSeconds?: number
  /** Redirect addresses registered for the app; without them any http(s) address is taken. */
  readonly redirectUris?: readonly string[]
  /** Takes only a `state` of exactly 8 characters, as WHOOP's guide asks; otherwise 8 or more. @default false */
  readonly strictState?: boolean
  /** Skips the authorize page: the named person, or with `true` the one of `login_hint` or the first, has said yes. */
  readonly autoApprove?: string | true
  /** A file that keeps the grants, so that connections outlive a restart. */
  readonly grantsFile?: string
  /** Where events are posted. More in `webhooks`. */
  readonly webhookUrls?: readonly string[]
  /** Drawn people wear the strap every night, so that what a test reads does not hang on the date it runs. @default false */
  readonly wearsAlways?: boolean
  /** Starts with nobody instead of the two default people. @default true */
  readonly defaultPeople?: boolean
}

export interface Settings {
  readonly seed: string
  readonly clientId: string
  readonly clientSecret: string
  readonly rateLimits: RateLimits | "off"
  readonly limitMode: "strict" | "lenient"
  readonly accessTokenSeconds: number
  readonly redirectUris: readonly string[] | undefined
  readonly strictState: boolean
  readonly autoApprove: string | true | undefined
}

/** Rate limits of an app. @see https://developer.whoop.com/docs/developing/rate-limiting */
const WHOOP_RATE_LIMITS: RateLimits = { perMinute: 100, perDay: 10_000 }

/** Returns the options with every default in place. */
export function settingsFrom(options: SimulatorOptions): Settings {
  return {
    seed: String(options.seed ?? 1),
    clientId: options.clientId ?? "simulator-client",
    clientSecret: options.clientSecret ?? "simulator-secret",
    rateLimits: options.rateLimits ?? WHOOP_RATE_LIMITS,
    limitMode: options.limitMode ?? "strict",
    accessTokenSeconds: options.accessTokenSeconds ?? 3600,
    redirectUris: options.redirectUris,
    strictState: options.strictState ?? false,
    autoApprove: options.autoApprove,
  }
}
