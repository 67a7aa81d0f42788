/**
 * intervals.icu's settings, errors and call limits. People make a key of their own, which is the password of the user API_KEY. Errors are JSON
 * with status and error.
 * @see https://intervals.icu/api-docs.html
 */

import type { FastifyRequest } from "fastify"
import { ReplyError } from "../http/vendor-api.ts"
import { DAY_MS, MINUTE_MS } from "../model/calendar.ts"
import { randomFor } from "../model/random.ts"
import type { SimulatedClock } from "../world/clock.ts"
import type { RecordsOf } from "../world/growing-records.ts"
import type { People, Person, PersonReference } from "../world/people.ts"
import type { PersonRows } from "./rows.ts"

/** Requests of one key. */
interface IntervalsRateLimits {
  readonly perQuarterHour: number
  readonly perDay: number
}

export interface IntervalsOptions {
  /** @default 2,500 and 5,000 */
  readonly rateLimits?: IntervalsRateLimits | "off"
  /** Whether people without a time zone in their settings exist: the vendor then leaves it out. @default false */
  readonly leavesZoneOut?: boolean
}

export function intervalsError(
  status: number,
  error: string,
  headers: Readonly<Record<string, string>> = {},
): ReplyError {
  return new ReplyError(status, JSON.stringify({ status, error }), { "content-type": "application/json", ...headers })
}

/** The keys of people. A new one ends the old one. */
export class Keys {
  readonly #people: People
  readonly #ended = new Map<number, number>()

  constructor(people: People) {
    this.#people = people
  }

  /** Returns a person's key. */
  of(reference: PersonReference): string {
    const { userId, email } = this.#people.get(reference)
    return randomFor("intervals key", email, this.#ended.get(userId) ?? 0)
      .uuid()
      .replaceAll("-", "")
      .slice(0, 25)
  }

  /** Ends a person's key, as a new one in the settings does. */
  renew(reference: PersonReference): void {
    const { userId } = this.#people.get(reference)
    this.#ended.set(userId, (this.#ended.get(userId) ?? 0) + 1)
  }

  ownerOf(key: string): Person | undefined {
    return this.#people.list().find((person) => this.of(person) === key)
  }
}

/** Returns the owner of the request's key. Throws 403 for a bearer token, and 401 for a key that nobody has. */
export function authorize(vendor: IntervalsVendor, request: FastifyRequest): Person {
  const header = request.headers.authorization ?? ""
  const [, encoded] = /^Basic ([A-Za-z0-9+/=]+)$/i.exec(header) ?? []
  if (encoded === undefined) throw intervalsError(403, "Access denied")
  const [, key] = /^API_KEY:(.*)$/s.exec(Buffer.from(encoded, "base64").toString("utf8")) ?? []
  const owner = key === undefined ? undefined : vendor.keys.ownerOf(key)
  if (!owner) throw intervalsError(401, "Unauthorized")
  vendor.rateLimiter.take(owner.userId)
  return owner
}

const QUARTER_HOUR_MS = 15 * MINUTE_MS

export class IntervalsRateLimiter {
  readonly #limits: IntervalsRateLimits | "off"
  readonly #nowMs: () => number
  readonly #calls = new Map<number, number[]>()

  constructor(limits: IntervalsRateLimits | "off", nowMs: () => number) {
    this.#limits = limits
    this.#nowMs = nowMs
  }

  /** Counts a request. Throws 429, uncounted, when a limit is used up. */
  take(userId: number): void {
    if (this.#limits === "off") return
    const nowMs = this.#nowMs()
    const calls = (this.#calls.get(userId) ?? []).filter((atMs) => atMs > nowMs - DAY_MS)
    const recent = calls.filter((atMs) => atMs > nowMs - QUARTER_HOUR_MS)
    if (calls.length >= this.#limits.perDay || recent.length >= this.#limits.perQuarterHour) throw tooMany()
    this.#calls.set(userId, [...calls, nowMs])
  }
}

export const tooMany = (): ReplyError => intervalsError(429, "Too many requests", { "Retry-After": "60" })

/** The state that all parts of the simulated intervals.icu share. */
export interface IntervalsVendor {
  readonly options: IntervalsOptions
  readonly clock: SimulatedClock
  readonly people: People
  readonly keys: Keys
  readonly rowsOf: RecordsOf<PersonRows>
  readonly rateLimiter: IntervalsRateLimiter
}
