import type { Reader } from "../rest/reader.ts"
import { abortableDelay, type RetryPolicy } from "./retry.ts"

/** How a client reaches the service. */
export interface ClientOptions {
  /** URL of the service, `https://restwell.example`, with its path prefix if it has one. */
  readonly baseUrl: string | URL
  /** The API key from the dashboard. Keep it out of web pages and version control: it reads health data. */
  readonly apiKey: string
  /** Sends the requests. @default globalThis.fetch */
  readonly fetch?: ((url: string, init: RequestInit) => Promise<Response>) | undefined
  /** Time limit of one attempt, milliseconds. To limit a whole call, pass `AbortSignal.timeout()`. @default 10_000 */
  readonly timeoutMs?: number | undefined
  /** Attempts after the first, on network errors, 502, 503, 504, and 429 with a short `Retry-After`. @default 2 */
  readonly retries?: number | undefined
  /** The longest `Retry-After` to wait for, seconds. A longer one fails at once. @default 30 */
  readonly maxRetryAfterSeconds?: number | undefined
  /** How many responses to cache in memory. A 304 for one of them is not counted. 0 disables the cache. @default 32 */
  readonly maxKeptAnswers?: number | undefined
  /** Ends every call of this client when it aborts. A call may have a signal of its own as well. */
  readonly signal?: AbortSignal | undefined
  /** For a program that gives the answers to an assistant: they leave out what vendors' terms keep from assistants. */
  readonly reader?: Reader | undefined
  /** Called with the quota of each response as soon as its headers arrive. */
  readonly onQuota?: ((quota: Quota) => void) | undefined
  /** Waits between attempts, for tests. @default setTimeout */
  readonly delay?: RetryPolicy["delay"] | undefined
  /** A number from 0 to 1 for the jitter, for tests. @default Math.random */
  readonly random?: RetryPolicy["random"] | undefined
}

/** The options, checked and with their defaults. */
export interface Settings extends RetryPolicy {
  /** Without a trailing slash. */
  readonly baseUrl: string
  readonly apiKey: string
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>
  readonly timeoutMs: number
  readonly maxKeptAnswers: number
  readonly signal: AbortSignal | undefined
  readonly reader: Reader | undefined
  readonly onQuota: (quota: Quota) => void
}

/** The longest delay of a timer, milliseconds. A timer with a longer one fires at once. */
const MAX_TIMER_MS = 2 ** 31 - 1

/** Returns the options, checked and with their defaults. Throws a TypeError that names the option, never the key. */
export function readSettings(options: ClientOptions): Settings {
  const maxRetryAfterSeconds = { value: options.maxRetryAfterSeconds ?? 30, min: 0, max: MAX_TIMER_MS / 1000 - 1 }
  return {
    baseUrl: readBaseUrl(options.baseUrl),
    apiKey: readApiKey(options.apiKey),
    // Looked up at each call, because test tools replace it after the client is created.
    fetch: options.fetch ?? ((url, init) => globalThis.fetch(url, init)),
    timeoutMs: readNumber("timeoutMs", { value: options.timeoutMs ?? 10_000, min: 1, max: MAX_TIMER_MS }),
    retries: readNumber("retries", { value: options.retries ?? 2, min: 0, max: 10 }),
    maxRetryAfterSeconds: readNumber("maxRetryAfterSeconds", maxRetryAfterSeconds),
    maxKeptAnswers: readNumber("maxKeptAnswers", { value: options.maxKeptAnswers ?? 32, min: 0, max: 10_000 }),
    signal: options.signal,
    reader: options.reader,
    onQuota: options.onQuota ?? (() => undefined),
    delay: options.delay ?? abortableDelay,
    random: options.random ?? Math.random,
  }
}

function readBaseUrl(baseUrl: string | URL): string {
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    throw new TypeError("baseUrl must be the full URL of the service, such as https://restwell.example")
  }
  if (url.username + url.password + url.search + url.hash !== "") {
    throw new TypeError("baseUrl must not contain a user name, password, query or fragment")
  }
  return url.href.replace(/\/+$/, "")
}

/** RFC 6750 2.1. An invalid key fails here, because the error of `fetch` would contain the whole header. */
function readApiKey(apiKey: string): string {
  if (typeof apiKey !== "string" || apiKey === "") throw new TypeError("apiKey is missing: copy one from the dashboard")
  if (!/^[A-Za-z0-9\-._~+/]+=*$/.test(apiKey)) {
    throw new TypeError("apiKey contains invalid characters, such as spaces, quotes or a line break")
  }
  return apiKey
}

function readNumber(name: string, { value, min, max }: { value: number; min: number; max: number }): number {
  if (value >= min && value <= max) return value
  throw new TypeError(`${name} must be a number from ${min} to ${max}`)
}

/** The monthly request quota, as the `X-RateLimit-*` headers of a response give it. */
export interface Quota {
  /** Requests in a month. */
  readonly limit: number
  /** Requests left this month. */
  readonly remaining: number
  /** When the quota resets. */
  readonly reset: Date
}

/** Returns the quota in the headers; null when a proxy or a browser's CORS rules hide them. */
export function readQuota(headers: Headers): Quota | null {
  const limit = readCount(headers.get("x-ratelimit-limit"))
  const remaining = readCount(headers.get("x-ratelimit-remaining"))
  const reset = readInstant(headers.get("x-ratelimit-reset") ?? "")
  if (limit === null || remaining === null || reset === null) return null
  return { limit, remaining, reset }
}

/** Returns the instant of an ISO 8601 text; null when the text is anything else. */
export function readInstant(text: string): Date | null {
  const instant = /^\d{4}-\d{2}-\d{2}T/.test(text) ? new Date(text) : null
  return instant === null || Number.isNaN(instant.getTime()) ? null : instant
}

function readCount(text: string | null): number | null {
  return text !== null && /^\d{1,15}$/.test(text) ? Number(text) : null
}

const HTTP_DATE = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/

/**
 * Returns the wait that `Retry-After` asks for, seconds; null when it is missing or malformed.
 * A date is measured against the response's own `Date`, so that a wrong local clock does not matter. RFC 9110 10.2.3.
 */
export function readRetryAfterSeconds(headers: Headers): number | null {
  const text = headers.get("retry-after") ?? ""
  if (/^\d{1,9}$/.test(text)) return Number(text)
  const retryAt = readHttpDate(text)
  const respondedAt = readHttpDate(headers.get("date") ?? "")
  if (retryAt === null || respondedAt === null) return null
  return Math.max(0, (retryAt - respondedAt) / 1000)
}

function readHttpDate(text: string): number | null {
  const milliseconds = HTTP_DATE.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(milliseconds) ? null : milliseconds
}
