/**
 * Polar's settings, errors and call limits. People are registered with an app after they consented, and nothing is served before. Tokens live
 * for ten years and are not refreshed. Two limits, of a quarter of an hour and of a day, count the calls of the app.
 * @see https://www.polar.com/accesslink-api/
 */
import type { FastifyRequest } from "fastify"
import { bearerToken, ReplyError } from "../http/vendor-api.ts"
import { DAY_MS, MINUTE_MS } from "../model/calendar.ts"
import type { Grants } from "../vendor/grants.ts"
import type { SimulatedClock } from "../world/clock.ts"
import type { RecordsOf } from "../world/growing-records.ts"
import type { People, Person } from "../world/people.ts"
import type { OwnWebhook } from "./own-webhook.ts"
import type { PersonRows } from "./rows.ts"

interface PolarRateLimits {
  readonly perQuarterHour: number
  readonly perDay: number
}

export interface PolarOptions {
  /** @default "simulator-client" */
  readonly clientId?: string
  /** @default "simulator-secret" */
  readonly clientSecret?: string
  /** Of an app with one person. @default 520 and 5,100 */
  readonly rateLimits?: PolarRateLimits | "off"
  /** Redirect addresses registered for the app. @default any http(s) address */
  readonly redirectUris?: readonly string[]
  /** Skips the authorize page. A text names the person; `true` means the person of `login_hint`, or else the first. */
  readonly autoApprove?: string | true
  /** Everybody was registered with the app at this time: their exercises since are served. @default nobody is registered */
  readonly registeredSince?: Date | undefined
  /** Nobody has given the consents that Polar asks for. @default false */
  readonly lacksConsents?: boolean
  /** How names of fields are written. Both were seen. @default "underscores" */
  readonly names?: "underscores" | "hyphens"
}

/** Ten years. */
export const TOKEN_SECONDS = 315_359_999

export function polarSettings(options: PolarOptions) {
  return {
    clientId: options.clientId ?? "simulator-client",
    clientSecret: options.clientSecret ?? "simulator-secret",
    rateLimits: options.rateLimits ?? { perQuarterHour: 520, perDay: 5_100 },
    redirectUris: options.redirectUris,
    autoApprove: options.autoApprove,
    registeredSince: options.registeredSince,
    lacksConsents: options.lacksConsents ?? false,
    names: options.names ?? "underscores",
  }
}

export function polarError(
  status: number,
  message: string,
  headers: Readonly<Record<string, string>> = {},
): ReplyError {
  const error = { timestamp: "2026-01-01T00:00:00Z", status, error_type: "error", message, corr_id: "0" }
  // Some endpoints wrap it.
  const body = JSON.stringify(status === 403 ? { error } : error)
  return new ReplyError(status, body, { "content-type": "application/json", ...headers })
}

/** Who is registered with the app, and since when. */
export class Registrations {
  readonly #since = new Map<number, number>()
  readonly #ended = new Set<number>()
  readonly #servedSince = new Map<number, number>()
  readonly #everybodySince: number | undefined

  constructor(everybodySince: Date | undefined) {
    this.#everybodySince = everybodySince?.getTime()
  }

  sinceOf(userId: number): number | undefined {
    return this.#since.get(userId) ?? (this.#ended.has(userId) ? undefined : this.#everybodySince)
  }

  add(userId: number, nowMs: number): void {
    this.#since.set(userId, nowMs)
  }

  /** Notes that a person's data are served. */
  serve(userId: number, nowMs: number): void {
    this.#servedSince.getOrInsert(userId, nowMs)
  }

  firstServedMs(userId: number): number | undefined {
    return this.#servedSince.get(userId)
  }

  end(userId: number): void {
    this.#since.delete(userId)
    this.#ended.add(userId)
  }
}

const QUARTER_HOUR_MS = 15 * MINUTE_MS

export class PolarRateLimiter {
  readonly #limits: PolarRateLimits | "off"
  readonly #nowMs: () => number
  #calls: number[] = []

  constructor(limits: PolarRateLimits | "off", nowMs: () => number) {
    this.#limits = limits
    this.#nowMs = nowMs
  }

  /** Counts a request, and returns the headers about the limits. Throws 429, uncounted, when one is used up. */
  take(): Readonly<Record<string, string>> {
    if (this.#limits === "off") return {}
    const nowMs = this.#nowMs()
    this.#calls = this.#calls.filter((atMs) => atMs > nowMs - DAY_MS)
    if (this.#calls.length >= this.#limits.perDay || this.#recent() >= this.#limits.perQuarterHour) throw this.tooMany()
    this.#calls.push(nowMs)
    return this.#headers()
  }

  tooMany(): ReplyError {
    return polarError(429, "Too many requests", this.#headers())
  }

  #recent(): number {
    return this.#calls.filter((atMs) => atMs > this.#nowMs() - QUARTER_HOUR_MS).length
  }

  #headers(): Readonly<Record<string, string>> {
    const limits = this.#limits === "off" ? { perQuarterHour: 520, perDay: 5_100 } : this.#limits
    const nowMs = this.#nowMs()
    const leftOf = (windowMs: number) => Math.ceil((windowMs - (nowMs % windowMs)) / 1000)
    return {
      "RateLimit-Limit": `${limits.perQuarterHour}, ${limits.perDay}`,
      "RateLimit-Usage": `${this.#recent()}, ${this.#calls.length}`,
      "RateLimit-Reset": `${leftOf(QUARTER_HOUR_MS)}, ${leftOf(DAY_MS)}`,
    }
  }
}

/** The state that all parts of the simulated Polar share. */
export interface PolarVendor {
  readonly settings: Readonly<ReturnType<typeof polarSettings>>
  readonly clock: SimulatedClock
  readonly people: People
  readonly rowsOf: RecordsOf<PersonRows>
  readonly grants: Grants
  readonly registrations: Registrations
  readonly rateLimiter: PolarRateLimiter
  readonly webhook: OwnWebhook
}

/** Whether a request has the app's credentials by HTTP Basic. */
export function isClient({ settings }: PolarVendor, request: FastifyRequest): boolean {
  const basic = /^Basic (.+)$/i.exec(request.headers.authorization ?? "")?.[1] ?? ""
  const [user, password] = Buffer.from(basic, "base64").toString().split(":").map(decodeURIComponent)
  return user === settings.clientId && password === settings.clientSecret
}

/** Throws 401 for a request without them. */
export function requireClient(vendor: PolarVendor, request: FastifyRequest): void {
  if (!isClient(vendor, request)) throw polarError(401, "Unauthorized")
}

/** Returns the person behind the token of a request. Throws 401 without a valid one. */
export function personOf({ grants, people }: PolarVendor, request: FastifyRequest): Person {
  const token = bearerToken(request)
  const grant = token === undefined ? undefined : grants.authorize(token)
  if (!grant) throw polarError(401, "Unauthorized")
  return people.get(grant.userId)
}
