/** Two limits of five minutes: for each access token and for the app. Answers below the limit have no headers about it. */
import type { ReplyError } from "../http/reply-error.ts"
import { ouraError } from "./errors.ts"
import type { OuraRateLimits } from "./settings.ts"

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
