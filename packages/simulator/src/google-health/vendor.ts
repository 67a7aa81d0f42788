/**
 * Google Health's settings, errors and call limits. Errors are those of Google's APIs, and a limit has no header.
 * @see https://developers.google.com/health/rate-limits
 */
import { ReplyError } from "../http/vendor-api.ts"
import { MINUTE_MS } from "../model/calendar.ts"
import type { Grants } from "../vendor/grants.ts"
import type { SimulatedClock } from "../world/clock.ts"
import type { RecordsOf } from "../world/growing-records.ts"
import type { People } from "../world/people.ts"
import type { PersonPoints } from "./points.ts"

export interface GoogleHealthOptions {
  /** @default "simulator-client" */
  readonly clientId?: string
  /** @default "simulator-secret" */
  readonly clientSecret?: string
  /** Requests of one person in a minute. @default 300 */
  readonly callsPerMinute?: number | "off"
  /** Redirect addresses registered for the app. @default any http(s) address */
  readonly redirectUris?: readonly string[]
  /** Skips the authorize page. A text names the person; `true` means the person of `login_hint`, or else the first. */
  readonly autoApprove?: string | true
  /** Scopes that people leave unchecked on the authorize page, without the part that all have in common. @default none */
  readonly uncheckedScopes?: readonly string[]
  /** True while the app is in Testing: its grants end after seven days. @default false */
  readonly isInTesting?: boolean
  /** Rows on a page of sums of days. @default 90 */
  readonly sumsOfAPage?: number
}

export const PREFIX = "https://www.googleapis.com/auth/googlehealth."

/** Returns the options with every default filled in. */
export const googleSettings = (options: GoogleHealthOptions) => ({
  clientId: options.clientId ?? "simulator-client",
  clientSecret: options.clientSecret ?? "simulator-secret",
  callsPerMinute: options.callsPerMinute ?? 300,
  redirectUris: options.redirectUris,
  autoApprove: options.autoApprove,
  uncheckedScopes: options.uncheckedScopes ?? [],
  isInTesting: options.isInTesting ?? false,
  sumsOfAPage: options.sumsOfAPage ?? 90,
})

interface Detail {
  readonly status: string
  readonly reason?: string
  readonly metadata?: Readonly<Record<string, string>>
}

export function googleError(code: number, message: string, { status, reason, metadata }: Detail): ReplyError {
  const type = "type.googleapis.com/google.rpc.ErrorInfo"
  const details = reason === undefined ? [] : [{ "@type": type, reason, domain: "googleapis.com", metadata }]
  return new ReplyError(code, JSON.stringify({ error: { code, message, status, details } }), {
    "content-type": "application/json",
  })
}

export const invalidArgument = (message: string, reason?: string): ReplyError =>
  googleError(400, message, { status: "INVALID_ARGUMENT", ...(reason !== undefined && { reason }) })

export const tooMany = (): ReplyError => googleError(429, "Quota exceeded", { status: "RESOURCE_EXHAUSTED" })

export class GoogleRateLimiter {
  readonly #limit: number | "off"
  readonly #nowMs: () => number
  readonly #calls = new Map<number, number[]>()

  constructor(limit: number | "off", nowMs: () => number) {
    this.#limit = limit
    this.#nowMs = nowMs
  }

  /** Counts a request of a person. Throws 429, uncounted, when the minute is used up. */
  take(userId: number): void {
    if (this.#limit === "off") return
    const nowMs = this.#nowMs()
    const calls = (this.#calls.get(userId) ?? []).filter((atMs) => atMs > nowMs - MINUTE_MS)
    if (calls.length >= this.#limit) throw tooMany()
    this.#calls.set(userId, [...calls, nowMs])
  }
}

/** The state that all parts of the simulated Google Health share. */
export interface GoogleVendor {
  readonly settings: ReturnType<typeof googleSettings>
  readonly clock: SimulatedClock
  readonly people: People
  readonly grants: Grants
  readonly pointsOf: RecordsOf<PersonPoints>
  readonly rateLimiter: GoogleRateLimiter
}
