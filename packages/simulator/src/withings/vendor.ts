/**
 * Withings' settings, answers and call limit. The HTTP status is 200 whatever happened: the status is in the body.
 * @see https://developer.withings.com/api-reference/#section/Response-status
 */
import type { FastifyRequest } from "fastify"
import { bearerToken, ReplyError } from "../http/vendor-api.ts"
import { MINUTE_MS } from "../model/calendar.ts"
import type { Grant, Grants } from "../vendor/grants.ts"
import type { SimulatedClock } from "../world/clock.ts"
import type { RecordsOf } from "../world/growing-records.ts"
import type { People } from "../world/people.ts"
import type { PersonRows } from "./rows.ts"

/** Statuses that it answers with. */
export const STATUS = {
  ok: 0,
  noToken: 401,
  noScope: 277,
  wrongParameter: 503,
  tooMany: 601,
} as const

export interface WithingsOptions {
  /** @default "simulator-client" */
  readonly clientId?: string
  /** @default "simulator-secret" */
  readonly clientSecret?: string
  /** Calls in a minute, of the app. @default 120 */
  readonly rateLimits?: { readonly perMinute: number } | "off"
  /** Redirect addresses registered for the app. @default any http(s) address */
  readonly redirectUris?: readonly string[]
  /** Skips the authorize page. A text names the person; `true` means the person of `login_hint`, or else the first. */
  readonly autoApprove?: string | true
  /** Scopes that people leave unchecked on the authorize page. @default none */
  readonly uncheckedScopes?: readonly string[]
  /** Most days of a range of dates. The documentation says seven, and much more is served. @default 200 */
  readonly mostDays?: number
  /** Rows on a page. @default 300 */
  readonly pageSize?: number
}

/** Returns the options with every default filled in. */
export function withingsSettings(options: WithingsOptions) {
  return {
    clientId: options.clientId ?? "simulator-client",
    clientSecret: options.clientSecret ?? "simulator-secret",
    rateLimits: options.rateLimits ?? { perMinute: 120 },
    redirectUris: options.redirectUris,
    autoApprove: options.autoApprove,
    uncheckedScopes: options.uncheckedScopes ?? [],
    mostDays: options.mostDays ?? 200,
    pageSize: options.pageSize ?? 300,
    accessTokenSeconds: 10_800,
    codeSeconds: 30,
  }
}

type WithingsSettings = Readonly<ReturnType<typeof withingsSettings>>

/** Withings' form of a refusal. */
export const withingsError = (status: number, error: string): ReplyError =>
  new ReplyError(200, JSON.stringify({ status, body: {}, error: `XRequestID: Not provided ${error}` }), {
    "content-type": "application/json",
  })

export const tooMany = (): ReplyError => withingsError(STATUS.tooMany, "Too Many Requests")

export const wrongParameter = (what: string): ReplyError =>
  withingsError(STATUS.wrongParameter, `Invalid Params: ${what}`)

export class WithingsRateLimiter {
  readonly #limits: { readonly perMinute: number } | "off"
  readonly #nowMs: () => number
  #calls: number[] = []

  constructor(limits: { readonly perMinute: number } | "off", nowMs: () => number) {
    this.#limits = limits
    this.#nowMs = nowMs
  }

  /** Counts a call. Throws for one above the limit, uncounted. */
  take(): void {
    if (this.#limits === "off") return
    const nowMs = this.#nowMs()
    this.#calls = this.#calls.filter((atMs) => atMs > nowMs - MINUTE_MS)
    if (this.#calls.length >= this.#limits.perMinute) throw tooMany()
    this.#calls.push(nowMs)
  }
}

/** Returns the grant of the request's token. Throws for a token that is not valid, then for the limit, then for the scope. */
export function admit(vendor: WithingsVendor, request: FastifyRequest, scope: string): Grant {
  const token = bearerToken(request)
  const grant = token === undefined ? undefined : vendor.grants.authorize(token)
  if (!grant) throw withingsError(STATUS.noToken, "invalid_token: The access token provided is invalid")
  vendor.rateLimiter.take()
  if (!grant.scopes.includes(scope)) throw withingsError(STATUS.noScope, `The scope ${scope} is missing`)
  return grant
}

/** The state that all parts of the simulated Withings share. */
export interface WithingsVendor {
  readonly settings: WithingsSettings
  readonly clock: SimulatedClock
  readonly people: People
  readonly grants: Grants
  readonly rowsOf: RecordsOf<PersonRows>
  readonly rateLimiter: WithingsRateLimiter
}
