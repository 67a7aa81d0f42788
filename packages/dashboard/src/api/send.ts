import "./zod-without-eval.ts"
import { ErrorResponseSchema } from "@restwell/client"
import { QueryCache, QueryClient, useMutation, useQueryClient } from "@tanstack/react-query"
import { useSyncExternalStore } from "react"
import { z } from "zod"
import { isKept, isOutOfReach, STORED_AT } from "../worker/rules.ts"

const FailureSchema = ErrorResponseSchema.extend({ field: z.string().optional() })

/** An error response with the service's message. Status 0 when the service was unreachable. */
export class ServiceFailure extends Error {
  override readonly name = "ServiceFailure"
  readonly status: number
  readonly code: string
  readonly field: string | undefined
  /** The wait that `Retry-After` asks for, seconds. RFC 9110 10.2.3. */
  readonly retryAfterSeconds: number | undefined

  constructor(
    message: string,
    details: { status: number; code: string; field?: string; retryAfterSeconds?: number; cause?: unknown },
  ) {
    super(message, { cause: details.cause })
    this.status = details.status
    this.code = details.code
    this.field = details.field
    this.retryAfterSeconds = details.retryAfterSeconds
  }
}

export type SearchParameters = Readonly<Record<string, string | number | boolean | undefined>>

/** "metric=hrv&days=90". Parameters that are undefined are left out. */
export function searchOf(parameters: SearchParameters): string {
  const given = Object.entries(parameters).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)] satisfies [string, string]],
  )
  return new URLSearchParams(given).toString()
}

interface SendOptions {
  readonly method?: "GET" | "POST" | "PUT" | "DELETE"
  readonly body?: object
  /** The token of a share, which is sent instead of the session cookie. */
  readonly token?: string
}

/** Sends a request with the session cookie, or with the token of a share, and parses the response body. @throws {ServiceFailure} */
export async function send<Schema extends z.ZodType>(
  path: string,
  schema: Schema,
  { method = "GET", body, token }: SendOptions = {},
): Promise<z.infer<Schema>> {
  const response = await request(path, {
    method,
    headers: {
      accept: "application/json",
      ...(body && { "content-type": "application/json" }),
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
    },
    ...(token !== undefined && { credentials: "omit" }),
    ...(body && { body: JSON.stringify(body) }),
  })
  const storedAt = response.headers.get(STORED_AT)
  const isOfService = storedAt !== null || !isOutOfReach(response)
  if (isOfService && isKept(new URL(path, window.location.origin).pathname)) noteAnswer(storedAt)
  const text = await response.text()
  const value: unknown = text === "" ? undefined : parseJson(text)
  if (!response.ok) throw failureOf(response, value)
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  throw new ServiceFailure("this page is out of date. Reload it", {
    status: response.status,
    code: "unexpected_response",
    cause: parsed.error,
  })
}

/** The schema of a response without a body. */
export const NO_BODY = z.undefined()

declare global {
  /** Answers for which `start.js` asks before this script is there, by their paths. */
  var firstAnswers: Map<string, Promise<Response>> | undefined
}

/** The answer that is already on its way, once. One that no page has taken in time is stale. */
function takeFirstAnswer(path: string, { method }: RequestInit): Promise<Response> | undefined {
  if (method !== "GET") return undefined
  const first = globalThis.firstAnswers?.get(path)
  globalThis.firstAnswers?.delete(path)
  return performance.now() < STALE_MS ? first : undefined
}

async function request(path: string, init: RequestInit): Promise<Response> {
  try {
    return await (takeFirstAnswer(path, init) ??
      fetch(path, { credentials: "same-origin", cache: "no-cache", ...init }))
  } catch (cause) {
    throw new ServiceFailure("Restwell is unreachable. Check your connection and try again", {
      status: 0,
      code: "unreachable",
      cause,
    })
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // A proxy responds with pages of its own. The status is enough then.
    return undefined
  }
}

function failureOf(response: Response, value: unknown): ServiceFailure {
  const parsed = FailureSchema.safeParse(value).data
  const retryAfter = Number(response.headers.get("retry-after") ?? Number.NaN)
  return new ServiceFailure(parsed?.message ?? `the service responded with ${response.status}. Try again in a moment`, {
    status: response.status,
    code: parsed?.error ?? "unexpected_response",
    ...(parsed?.field !== undefined && { field: parsed.field }),
    ...(Number.isFinite(retryAfter) && { retryAfterSeconds: retryAfter }),
  })
}

/** A mutation of the account. All queries are refetched after it. @param gcTime how long its result stays in memory, milliseconds */
export function useChange<Input = void, Output = unknown>(
  mutationFn: (input: Input) => Promise<Output>,
  gcTime?: number,
) {
  const queries = useQueryClient()
  const onSuccess = () => queries.invalidateQueries()
  return useMutation({ mutationFn, onSuccess, ...(gcTime !== undefined && { gcTime }) })
}

const STALE_MS = 30_000
const MAX_RETRIES = 2

/**
 * Returns the client of all queries. Cached data is displayed at once, and refetched in the background when stale.
 * @param isSignedIn whether they are of a session, after whose end the person signs in again. @default true
 */
export function createQueryClient({ isSignedIn = true } = {}): QueryClient {
  return new QueryClient({
    queryCache: new QueryCache(isSignedIn ? { onError: redirectWhenSignedOut } : {}),
    defaultOptions: {
      mutations: { networkMode: "always" },
      queries: {
        // Without a connection the service worker has the last answers.
        networkMode: "always",
        staleTime: STALE_MS,
        retry: (failures, error) => failures < MAX_RETRIES && navigator.onLine && isTemporary(error),
      },
    },
  })
}

const isTemporary = (error: Error): boolean =>
  error instanceof ServiceFailure && (error.status === 0 || error.status >= 500)

/** After the session has ended, signs in again and returns to the same page. */
function redirectWhenSignedOut(error: Error): void {
  if (error instanceof ServiceFailure && error.status === 401)
    // Back leads to the page before, and not through the sign-in again.
    window.location.replace(signInPath(window.location, "session_ended"))
}

/** Pages that need no session. */
const PUBLIC_PAGES = ["/sign-in", "/sign-up", "/forgot-password", "/reset", "/invite", "/setup"]

/** Returns the path of the sign-in page, which leads back to the page with what it showed. */
function signInPath({ pathname, search: state }: Pick<Location, "pathname" | "search">, problem: string): string {
  const search = new URLSearchParams()
  if (pathname + state !== "/" && !PUBLIC_PAGES.includes(pathname)) search.set("next", pathname + state)
  search.set("problem", problem)
  return `/sign-in?${search}`
}

/** Returns the path to open after signing in. It is always a path of this site, to prevent open redirects. */
export function nextPath(search: string): string {
  const next = new URLSearchParams(search).get("next")
  if (next === null || !next.startsWith("/")) return "/"
  const target = URL.parse(next, window.location.origin)
  // The path of `/.//host` is `//host`, another site.
  const isOwn = target?.origin === window.location.origin && !target.pathname.startsWith("//")
  return isOwn ? target.pathname + target.search : "/"
}

/** Whether the path is a page of an assistant's request. The server renders those, so they need a full page load. */
export const isAssistantPath = (path: string): boolean => path.startsWith("/oauth/")

/** Opens a path in place of the sign-in page, to which Back then does not lead. */
export function openNext(path: string, navigate: (path: string, options: { replace: true }) => void): void {
  if (isAssistantPath(path)) window.location.replace(path)
  else navigate(path, { replace: true })
}

/** Returns the query that passes `next` on to another sign-in page; empty for the start page. */
export function nextSearch(search: string): string {
  const next = nextPath(search)
  return next === "/" ? "" : `?${new URLSearchParams({ next })}`
}

/** When the oldest answer on the screen came from the service, while that is out of reach. Undefined with a connection. */
let shownFrom: string | undefined
const listeners = new Set<() => void>()

/** Notes an answer of the service. @param storedAt when it was kept, or null for one that came just now */
function noteAnswer(storedAt: string | null): void {
  const next = storedAt === null ? undefined : shownFrom === undefined || storedAt < shownFrom ? storedAt : shownFrom
  if (next === shownFrom) return
  shownFrom = next
  for (const listener of listeners) listener()
}

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** The instant of which the page shows what it last saw; undefined with a connection. */
export const useShownFrom = (): string | undefined => useSyncExternalStore(subscribe, () => shownFrom)
