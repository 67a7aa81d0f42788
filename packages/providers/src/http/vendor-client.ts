import { setTimeout as timer } from "node:timers/promises"
import type { AdapterOptions } from "../contract/adapter.ts"
import { AccessTokenRejected, RateLimited, RequestRefused, VendorUnavailable } from "../contract/errors.ts"
import type { Json } from "../contract/records.ts"
import type { CallGate } from "../contract/sync-policy.ts"
import { type Answer, type ExchangeLimits, exchange, readJson } from "./exchange.ts"
import { type LimitHeaders, pauseBeforeRepeat, type RetryTools, retryAfterSeconds, withRetries } from "./retry.ts"

/** One call of a vendor's API for one person. A repeat changes nothing, so it is retried. */
interface VendorCall {
  readonly method: "GET" | "POST" | "DELETE"
  /** With `{name}` for each of `parameters`. Messages contain it unfilled, so no id reaches a log. */
  readonly path: string
  readonly parameters?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string>>
  /** The body of a call with POST, for a vendor whose reads are forms. */
  readonly form?: Readonly<Record<string, string>>
  /** Of a question that is too long for an address. It is sent with POST, and changes nothing either. */
  readonly body?: Json
  readonly accessToken: string
}

export interface VendorClient {
  /**
   * Returns the JSON of a record or list, undefined for 404, or null for 204: there is nothing.
   * @throws {ProviderError} all of errors.ts except AuthorizationRevoked and ContractViolation
   */
  read(call: Omit<VendorCall, "method">): Promise<Json | undefined>
  /** Sends DELETE. @throws {ProviderError} as `read` does */
  remove(call: Omit<VendorCall, "method">): Promise<void>
}

interface VendorClientOptions extends ExchangeLimits, RetryTools {
  readonly baseUrl: string
  /** The `Authorization` header of a person's calls. @default the access token as a bearer token */
  readonly authorizationOf?: (accessToken: string) => string
  readonly gate: CallGate
  /** Reads this vendor's limit headers. */
  readonly readLimits: (headers: Headers) => LimitHeaders
  /** The vendor's shortest window, seconds: the wait after a 429 that names none. */
  readonly windowSeconds: number
  /** Returns what a refusal means by its body. Undefined where the status says it. @default bodies are ignored: they may be a proxy's */
  readonly refusalOf?: (answer: Answer, operation: string) => RequestRefused | undefined
}

/** Returns the client of one vendor's API. Every try passes the gate, and every answer's limits are reported to it. */
export function createVendorClient(options: VendorClientOptions): VendorClient {
  return {
    read: (call) =>
      perform(
        options,
        { ...call, method: call.form || call.body !== undefined ? "POST" : "GET" },
        (answer, operation) =>
          answer.status === 404
            ? undefined
            : answer.status === 204
              ? null
              : readJson(accepted(answer, operation), operation),
      ),
    remove: (call) =>
      perform(options, { ...call, method: "DELETE" }, (answer, operation) => {
        accepted(answer, operation)
      }),
  }
}

const bearer = (accessToken: string): string => `Bearer ${accessToken}`

async function perform<T>(
  options: VendorClientOptions,
  call: VendorCall,
  read: (answer: Answer, operation: string) => T,
): Promise<T> {
  const operation = `${call.method} ${call.path}`
  const url = addressOf(options.baseUrl, call)
  const { authorizationOf = bearer } = options
  const headers = {
    authorization: authorizationOf(call.accessToken),
    accept: "application/json",
    ...(call.body !== undefined && { "content-type": "application/json" }),
  }
  return withRetries(options, pauseBeforeRepeat, async () => {
    await options.gate.acquire()
    const answer = await exchange(options, operation, url, { method: call.method, headers, ...bodyOf(call) })
    await reportLimits(options, answer, operation)
    const refusal = answer.status >= 400 && answer.status < 500 ? options.refusalOf?.(answer, operation) : undefined
    if (refusal) throw refusal
    return read(answer, operation)
  })
}

function bodyOf({ form, body }: VendorCall): Pick<RequestInit, "body"> {
  if (form) return { body: new URLSearchParams(form) }
  return body === undefined ? {} : { body: JSON.stringify(body) }
}

/** Reports the answer's limits to the gate. @throws {RateLimited} for a 429 */
async function reportLimits(options: VendorClientOptions, answer: Answer, operation: string): Promise<void> {
  const { remaining, resetSeconds } = options.readLimits(answer.headers)
  if (answer.status !== 429) {
    if (remaining !== undefined && resetSeconds !== undefined) await options.gate.report({ remaining, resetSeconds })
    return
  }
  const waitSeconds = retryAfterSeconds(answer.headers) ?? resetSeconds ?? options.windowSeconds
  await options.gate.report({ remaining: 0, resetSeconds: waitSeconds })
  throw new RateLimited(`${operation} answered 429: the limit of the app is used up`, waitSeconds)
}

/** Returns a successful answer. Bodies of errors are ignored: they are undocumented and may be a proxy's. */
function accepted(answer: Answer, operation: string): Answer {
  const { status } = answer
  if (status >= 200 && status < 300) return answer
  const message = `${operation} answered ${status}`
  if (status === 401) throw new AccessTokenRejected(message)
  if (status === 403) {
    throw new RequestRefused(`${message}: the person did not grant the scope it needs`, { isForbidden: true })
  }
  if (status === 426) throw new RequestRefused(message, { needsAppUpdate: true })
  if (status >= 500 || status === 408) {
    throw new VendorUnavailable(message, { retryAfterSeconds: retryAfterSeconds(answer.headers) })
  }
  throw new RequestRefused(message)
}

function addressOf(baseUrl: string, call: VendorCall): URL {
  const path = Object.entries(call.parameters ?? {}).reduce(
    (template, [name, value]) => template.replace(`{${name}}`, () => encodeURIComponent(value)),
    call.path,
  )
  const url = new URL(`${baseUrl.replace(/\/+$/, "")}${path}`)
  for (const [name, value] of Object.entries(call.query ?? {})) url.searchParams.set(name, value)
  return url
}

/** Limit of one exchange, milliseconds. */
const TIMEOUT_MS = 20_000
/** Far above any page of records, bytes. It limits the cost of a broken vendor. */
const MAX_BODY_BYTES = 8 * 1024 * 1024

/** Returns an adapter's options with the defaults for everything left out. */
export const withDefaults = <Options extends AdapterOptions>(options: Options) => ({
  timeoutMs: TIMEOUT_MS,
  maxBodyBytes: MAX_BODY_BYTES,
  fetch: globalThis.fetch,
  delay: (delayMs: number) => timer(delayMs),
  random: Math.random,
  ...options,
})
