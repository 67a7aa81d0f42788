/**
 * Two windows per client app, shared by all its users: a minute and a day.
 * @see https://developer.whoop.com/docs/developing/rate-limiting
 */

import { ReplyError } from "../http/reply-error.ts"
import type { RateLimits } from "./settings.ts"

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
