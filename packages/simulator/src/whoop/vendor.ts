/**
 * Two windows per client app, shared by all its users: a minute and a day.
 * @see https://developer.whoop.com/docs/developing/rate-limiting
 */
import { ReplyError } from "../http/vendor-api.ts"
import type { Grants } from "../vendor/grants.ts"
import type { SimulatedClock } from "../world/clock.ts"
import type { People } from "../world/people.ts"
import type { MemberRecords } from "./records/person-records.ts"

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

type WhoopSettings = Readonly<ReturnType<typeof whoopSettings>>

interface Window {
  readonly limit: number
  readonly seconds: number
  used: number
  endsMs: number
}

export class RateLimiter {
  #limits: RateLimits | "off"
  readonly #nowMs: () => number
  readonly #windows = new Map<string, readonly Window[]>()

  constructor(limits: RateLimits | "off", nowMs: () => number) {
    this.#limits = limits
    this.#nowMs = nowMs
  }

  /** Replaces the limits and starts to count from zero. */
  set(limits: RateLimits | "off"): void {
    this.#limits = limits
    this.#windows.clear()
  }

  /** Counts a request and returns the headers of its reply. Throws 429, uncounted, when a window is full. */
  take(clientId: string): Record<string, string> {
    const windows = this.#windowsOf(clientId)
    if (windows.some(({ limit, used }) => used >= limit)) throw tooManyRequests(this.headers(clientId))
    for (const window of windows) window.used++
    return this.headers(clientId)
  }

  /** Returns the headers without counting. None while the limits are off. */
  headers(clientId: string): Record<string, string> {
    const windows = this.#windowsOf(clientId)
    const nearest = windows.toSorted((left, right) => shareLeft(left) - shareLeft(right))[0]
    if (!nearest) return {}
    const all = windows.map(({ limit, seconds }) => `${limit};window=${seconds}`).join(", ")
    return {
      "X-RateLimit-Limit": `${nearest.limit}, ${all}`,
      "X-RateLimit-Remaining": String(Math.max(0, nearest.limit - nearest.used)),
      "X-RateLimit-Reset": String(Math.ceil((nearest.endsMs - this.#nowMs()) / 1000)),
    }
  }

  #windowsOf(clientId: string): readonly Window[] {
    if (this.#limits === "off") return []
    const { perMinute, perDay } = this.#limits
    const nowMs = this.#nowMs()
    const known = this.#windows.get(clientId) ?? [newWindow(perMinute, 60), newWindow(perDay, 86_400)]
    this.#windows.set(clientId, known)
    for (const window of known) if (!isCurrent(window, nowMs)) restart(window, nowMs)
    return known
  }
}

/** WHOOP sends no Retry-After; X-RateLimit-Reset has the seconds to wait. */
export function tooManyRequests(headers: Readonly<Record<string, string>>): ReplyError {
  return new ReplyError(429, "Too Many Requests", headers)
}

function newWindow(limit: number, seconds: number): Window {
  return { limit, seconds, used: 0, endsMs: 0 }
}

/** A clock that is set back to before the window starts a new window too. */
function isCurrent({ endsMs, seconds }: Window, nowMs: number): boolean {
  return nowMs < endsMs && nowMs >= endsMs - seconds * 1000
}

function restart(window: Window, nowMs: number): void {
  const lengthMs = window.seconds * 1000
  window.used = 0
  window.endsMs = (Math.floor(nowMs / lengthMs) + 1) * lengthMs
}

function shareLeft({ limit, used }: Window): number {
  return (limit - used) / limit
}

/** The state that all parts of the simulated WHOOP share. */
export interface WhoopVendor {
  readonly settings: WhoopSettings
  readonly clock: SimulatedClock
  readonly people: People
  readonly recordsOf: MemberRecords
  readonly grants: Grants
  readonly rateLimiter: RateLimiter
}
