import { abortableDelay } from "./abort.ts"
import type { Quota } from "./quota.ts"
import type { RetryPolicy } from "./retry.ts"

/** How a client reaches the service. */
export interface ClientOptions {
  /** Where the service is, `https://restwell.example`, with the path prefix it is mounted under if any. */
  readonly baseUrl: string | URL
  /** The API key from the dashboard. Keep it out of pages and version control: it reads a person's health data. Spec 5. */
  readonly apiKey: string
  /** What sends the requests. @default globalThis.fetch */
  readonly fetch?: ((url: string, init: RequestInit) => Promise<Response>) | undefined
  /** The longest one attempt may take, milliseconds. To bound a whole call, give it `AbortSignal.timeout()`. @default 10_000 */
  readonly timeoutMs?: number | undefined
  /** Attempts after the first when there is no answer, on 502, 503 and 504, and on 429 with a short `Retry-After`. @default 2 */
  readonly retries?: number | undefined
  /** The longest `Retry-After` that is waited for, seconds. Longer ones, as that of a used-up month, fail at once. @default 30 */
  readonly maxRetryAfterSeconds?: number | undefined
  /** How many answers are kept in memory to be confirmed by a 304, which is not counted. 0 keeps none. @default 32 */
  readonly maxKeptAnswers?: number | undefined
  /** Ends every call of this client when it aborts. Each call takes one of its own beside it. */
  readonly signal?: AbortSignal | undefined
  /** Called with the quota that an answer tells, as soon as its headers are read. */
  readonly onQuota?: ((quota: Quota) => void) | undefined
  /** Waits between attempts, for tests. @default setTimeout */
  readonly delay?: RetryPolicy["delay"] | undefined
  /** A number from 0 to 1 for the jitter, for tests. @default Math.random */
  readonly random?: RetryPolicy["random"] | undefined
}

/** The options, checked and complete. */
export interface Settings extends RetryPolicy {
  /** Without a slash at the end. */
  readonly baseUrl: string
  readonly apiKey: string
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>
  readonly timeoutMs: number
  readonly maxKeptAnswers: number
  readonly signal: AbortSignal | undefined
  readonly onQuota: (quota: Quota) => void
}

/** The longest a timer can run, milliseconds; a longer one fires at once. */
const MAX_TIMER_MS = 2 ** 31 - 1

/** Returns the options, checked and with their defaults. Throws a TypeError that names the option, never the key. */
export function readSettings(options: ClientOptions): Settings {
  const maxRetryAfterSeconds = { value: options.maxRetryAfterSeconds ?? 30, min: 0, max: MAX_TIMER_MS / 1000 - 1 }
  return {
    baseUrl: readBaseUrl(options.baseUrl),
    apiKey: readApiKey(options.apiKey),
    // Looked up at each call: test tools and instruments replace it after the client was made.
    fetch: options.fetch ?? ((url, init) => globalThis.fetch(url, init)),
    timeoutMs: readNumber("timeoutMs", { value: options.timeoutMs ?? 10_000, min: 1, max: MAX_TIMER_MS }),
    retries: readNumber("retries", { value: options.retries ?? 2, min: 0, max: 10 }),
    maxRetryAfterSeconds: readNumber("maxRetryAfterSeconds", maxRetryAfterSeconds),
    maxKeptAnswers: readNumber("maxKeptAnswers", { value: options.maxKeptAnswers ?? 32, min: 0, max: 10_000 }),
    signal: options.signal,
    onQuota: options.onQuota ?? (() => undefined),
    delay: options.delay ?? abortableDelay,
    random: options.random ?? Math.random,
  }
}

function readBaseUrl(baseUrl: string | URL): string {
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    throw new TypeError("baseUrl must be the whole address of the service, like https://restwell.example")
  }
  if (url.username + url.password + url.search + url.hash !== "") {
    throw new TypeError("baseUrl must have no user name, password, query or fragment in it")
  }
  return url.href.replace(/\/+$/, "")
}

/** RFC 6750 2.1. What is not sendable is refused here: `fetch` would repeat the whole header in its error. */
function readApiKey(apiKey: string): string {
  if (typeof apiKey !== "string" || apiKey === "") throw new TypeError("apiKey is missing: copy one from the dashboard")
  if (!/^[A-Za-z0-9\-._~+/]+=*$/.test(apiKey)) {
    throw new TypeError("apiKey has characters in it that no key has, such as spaces, quotes or a line end")
  }
  return apiKey
}

function readNumber(name: string, { value, min, max }: { value: number; min: number; max: number }): number {
  if (value >= min && value <= max) return value
  throw new TypeError(`${name} must be a number from ${min} to ${max}`)
}
