/**
 * Oura's settings, errors and call limits. Errors are JSON with status, title and detail. Two limits of five minutes count the calls of
 * each access token and of the app. Answers below the limit have no headers about it.
 * @see https://cloud.ouraring.com/docs/error-handling
 */
import { ReplyError } from "../http/vendor-api.ts"
import type { Grants } from "../vendor/grants.ts"
import type { SimulatedClock } from "../world/clock.ts"
import type { RecordsOf } from "../world/growing-records.ts"
import type { People } from "../world/people.ts"
import type { PersonDocuments } from "./records/person-documents.ts"
import type { Subscriptions } from "./subscriptions.ts"

/** Which of Oura's two authorization servers the app belongs to. */
export type OuraPortal = "legacy" | "current"

/**
 * How a collection reads `start_date` and `end_date`. Public reports contradict each other, so a client must not rely on either end.
 * - `inclusive`: both days
 * - `end_exclusive`: without the last day
 * - `start_exclusive`: without the first day
 * - `timestamp`: from midnight of the first day to midnight of the last, compared with the document's local time
 * - `utc_date`: the date of the document's start in UTC, without the last day; the document has its local day
 */
export type DateSemantics = "inclusive" | "end_exclusive" | "start_exclusive" | "timestamp" | "utc_date"

/** Requests in five minutes, for one access token and for the whole app. */
interface OuraRateLimits {
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
  /** Whether answers with tokens name the scopes. The redirect always does. @default true */
  readonly namesScopes?: boolean
  /** How a collection answers without its scope. All three are reported. @default 403 */
  readonly missingScope?: 401 | 403 | "empty"
  /** One meaning for all collections. @default as measured: see `data-routes.ts` */
  readonly dateSemantics?: DateSemantics
  /** Documents on a page. @default 50 */
  readonly pageSize?: number
  /** Part of the heart rates of a ring that there are. Fewer make tests faster. @default 1, about a thousand a day */
  readonly heartRateShare?: number
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
    namesScopes: options.namesScopes ?? true,
    missingScope: options.missingScope ?? 403,
    dateSemantics: options.dateSemantics,
    pageSize: options.pageSize ?? 50,
    heartRateShare: options.heartRateShare ?? 1,
  }
}

type OuraSettings = Readonly<ReturnType<typeof ouraSettings>>

const TITLES: Readonly<Record<number, string>> = {
  400: "Bad Request",
  401: "Unauthorized",
  403: "Forbidden",
  404: "Not Found",
  409: "Conflict",
  422: "Unprocessable Entity",
  429: "Too Many Requests",
}

export function ouraError(status: number, detail: string, headers: Readonly<Record<string, string>> = {}): ReplyError {
  const body = JSON.stringify({ status, title: TITLES[status] ?? "Error", detail })
  return new ReplyError(status, body, { "content-type": "application/json", ...headers })
}

/** A body that is not valid has the form of FastAPI. */
export function invalidBody(field: string, message: string): ReplyError {
  const body = JSON.stringify({ detail: [{ loc: ["body", field], msg: message, type: "value_error" }] })
  return new ReplyError(422, body, { "content-type": "application/json" })
}

const WINDOW_SECONDS = 300

export class OuraRateLimiter {
  readonly #limits: OuraRateLimits | "off"
  readonly #nowMs: () => number
  #used = new Map<string, number>()
  #window = 0

  constructor(limits: OuraRateLimits | "off", nowMs: () => number) {
    this.#limits = limits
    this.#nowMs = nowMs
  }

  /** Counts a request. Throws 429, uncounted, when a limit is used up. */
  take(token: string): void {
    if (this.#limits === "off") return
    const window = Math.floor(this.#nowMs() / (WINDOW_SECONDS * 1000))
    if (window !== this.#window) this.#used = new Map()
    this.#window = window
    const { perToken, perApp } = this.#limits
    const [ofToken, ofApp] = [this.#used.get(token) ?? 0, this.#used.get("") ?? 0]
    if (ofToken >= perToken) throw this.tooMany("user", perToken)
    if (ofApp >= perApp) throw this.tooMany("application", perApp)
    this.#used.set(token, ofToken + 1).set("", ofApp + 1)
  }

  tooMany(tier: "user" | "application", limit: number): ReplyError {
    const nowSeconds = this.#nowMs() / 1000
    const resetSeconds = (Math.floor(nowSeconds / WINDOW_SECONDS) + 1) * WINDOW_SECONDS
    return ouraError(429, "Rate limit exceeded", {
      "Retry-After": String(Math.ceil(resetSeconds - nowSeconds)),
      "X-RateLimit-Limit": String(limit),
      "X-RateLimit-Window": String(WINDOW_SECONDS),
      "X-RateLimit-Reset": String(resetSeconds),
      "X-RateLimit-Tier": tier,
    })
  }
}

/** The state that all parts of the simulated Oura share. */
export interface OuraVendor {
  readonly settings: OuraSettings
  readonly clock: SimulatedClock
  readonly people: People
  readonly documentsOf: RecordsOf<PersonDocuments>
  readonly grants: Grants
  readonly rateLimiter: OuraRateLimiter
  readonly subscriptions: Subscriptions
}
