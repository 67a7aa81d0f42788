/** Rate limits per client app, shared by all its users. */
export interface RateLimits {
  readonly perMinute: number
  readonly perDay: number
}

export interface WhoopOptions {
  /** @default "simulator-client" */
  readonly clientId?: string
  /** @default "simulator-secret" */
  readonly clientSecret?: string
  /** @default 100 a minute, 10,000 a day */
  readonly rateLimits?: RateLimits | "off"
  /** Redirect addresses registered for the app. @default any http(s) address */
  readonly redirectUris?: readonly string[]
  /** Accepts only a `state` of exactly 8 characters, as WHOOP's guide requires; otherwise 8 or more. @default false */
  readonly strictState?: boolean
  /** Skips the authorize page. A text names the person; `true` means the person of `login_hint`, or else the first. */
  readonly autoApprove?: string | true
}

/** @see https://developer.whoop.com/docs/developing/rate-limiting */
const DEFAULT_RATE_LIMITS: RateLimits = { perMinute: 100, perDay: 10_000 }

/** Life of an access token. */
const ACCESS_TOKEN_SECONDS = 3600

/** Returns the options with every default filled in. */
export function whoopSettings(options: WhoopOptions) {
  return {
    clientId: options.clientId ?? "simulator-client",
    clientSecret: options.clientSecret ?? "simulator-secret",
    rateLimits: options.rateLimits ?? DEFAULT_RATE_LIMITS,
    accessTokenSeconds: ACCESS_TOKEN_SECONDS,
    redirectUris: options.redirectUris,
    strictState: options.strictState ?? false,
    autoApprove: options.autoApprove,
  }
}

export type WhoopSettings = Readonly<ReturnType<typeof whoopSettings>>
