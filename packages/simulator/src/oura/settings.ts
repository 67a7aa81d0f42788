/** Which of Oura's two authorization servers the app belongs to. */
export type OuraPortal = "legacy" | "current"

/**
 * How a collection reads `start_date` and `end_date`. Public reports contradict each other, so a client must not rely on either end.
 * - `inclusive`: both days
 * - `end_exclusive`: without the last day
 * - `start_exclusive`: without the first day
 * - `timestamp`: from midnight of the first day to midnight of the last, compared with the document's local time
 * - `utc_date`: the date of the document's start in UTC, without the last day; the document tells its local day
 */
export type DateSemantics = "inclusive" | "end_exclusive" | "start_exclusive" | "timestamp" | "utc_date"

/** Requests in five minutes, for one access token and for the whole app. */
export interface OuraRateLimits {
  readonly perToken: number
  readonly perApp: number
}

export interface OuraOptions {
  /** @default "simulator-client" */
  readonly clientId?: string
  /** @default "simulator-secret" */
  readonly clientSecret?: string
  /** @default "current" */
  readonly portal?: OuraPortal
  /** @default 5,000 for both */
  readonly rateLimits?: OuraRateLimits | "off"
  /** Redirect addresses registered for the app. @default any http(s) address */
  readonly redirectUris?: readonly string[]
  /** Skips the authorize page. A text names the person; `true` means the person of `login_hint`, or else the first. */
  readonly autoApprove?: string | true
  /** Scopes that people leave unchecked on the authorize page. @default none */
  readonly uncheckedScopes?: readonly string[]
  /** How a collection answers without its scope. All three are reported. @default 403 */
  readonly missingScope?: 401 | 403 | "empty"
  /** One meaning for all collections. @default as measured: see `collections.ts` */
  readonly dateSemantics?: DateSemantics
  /** Documents on a page. @default 50 */
  readonly pageSize?: number
}

/** Returns the options with every default filled in. */
export function ouraSettings(options: OuraOptions) {
  return {
    clientId: options.clientId ?? "simulator-client",
    clientSecret: options.clientSecret ?? "simulator-secret",
    portal: options.portal ?? "current",
    rateLimits: options.rateLimits ?? { perToken: 5000, perApp: 5000 },
    accessTokenSeconds: 86_400,
    redirectUris: options.redirectUris,
    autoApprove: options.autoApprove,
    uncheckedScopes: options.uncheckedScopes ?? [],
    missingScope: options.missingScope ?? 403,
    dateSemantics: options.dateSemantics,
    pageSize: options.pageSize ?? 50,
  }
}

export type OuraSettings = Readonly<ReturnType<typeof ouraSettings>>
