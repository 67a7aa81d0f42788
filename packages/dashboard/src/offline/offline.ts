import { DayResponseSchema } from "@restwell/client"
import { addDays } from "@restwell/client/calendar-dates"
import { type QueryClient, useQueryClient } from "@tanstack/react-query"
import { useEffect } from "react"
import { z } from "zod"
import { useAccount } from "../api/account.ts"
import { dayPath } from "../api/journal.ts"
import { send } from "../api/send.ts"
import { ACCOUNT, ANSWERS } from "../worker/rules.ts"

/** What Trends and Insights ask for first, so that they can be opened offline although the person has only seen Today. */
const FIRST_ANSWERS = ["/api/account/pages/trends?days=30", "/api/account/pages/insights?days=180"]

/** Lets the service worker keep what the main pages show first, once the page is idle. */
export function useKeepAhead(): void {
  const { data: account } = useAccount()
  const queries = useQueryClient()
  const hasData = account !== undefined && account.connections.length > 0
  useEffect(() => {
    if (hasData && "serviceWorker" in navigator) void keepAhead(queries)
  }, [hasData, queries])
}

async function keepAhead(queries: QueryClient): Promise<void> {
  if (navigator.serviceWorker.controller === null) await untilControlled()
  const kept = await caches.open(ANSWERS)
  // What is on the screen may have been asked for before the worker could keep it.
  if (!(await kept.match(ACCOUNT))) await queries.refetchQueries({ type: "active" })
  await untilIdle()
  const keep = async (path: string): Promise<unknown> => {
    const answer = await kept.match(path)
    return answer ? answer.json() : send(path, z.unknown()).catch(ignoreFailure)
  }
  const today = todayOf(await keep(TODAY))
  for (const path of [...FIRST_ANSWERS, ...(today === undefined ? [] : daysBefore(today))]) await keep(path)
}

const TODAY = dayPath(undefined)

/** The person's date, as the answer of Today has it. */
const todayOf = (answer: unknown): string | undefined =>
  DayResponseSchema.pick({ today: true }).safeParse(answer).data?.today

/** Days before today that Today can show offline although the person has not opened them. */
const KEPT_DAYS = 6

const daysBefore = (today: string): readonly string[] =>
  Array.from({ length: KEPT_DAYS }, (_, index) => dayPath(addDays(today, -1 - index)))

/** A page that needs the answer asks again, and reports what is wrong. */
const ignoreFailure = (): void => {}

const untilControlled = (): Promise<void> =>
  new Promise((resolve) =>
    navigator.serviceWorker.addEventListener("controllerchange", () => resolve(), { once: true }),
  )

/** Resolves once the browser has nothing else to do. Not every browser has idle times. */
const untilIdle = (): Promise<void> =>
  new Promise((resolve) => {
    if ("requestIdleCallback" in window) window.requestIdleCallback(() => resolve())
    else resolve()
  })

const WORKER = "/assets/worker.js"

/**
 * Starts the service worker once the page has its figures, so that what it loads for later does not delay them. Browsers without one, and
 * addresses without HTTPS, have no pages offline.
 */
export function startWorker(queries: QueryClient): void {
  if (!("serviceWorker" in navigator)) return
  const cache = queries.getQueryCache()
  const isQuiet = () => queries.isFetching() === 0 && cache.getAll().some(({ state }) => state.data !== undefined)
  let isStarted = false
  const stopWatching = cache.subscribe(async () => {
    if (!isQuiet()) return
    // A page may ask for its figures only now, after the account has arrived.
    await untilIdle()
    if (isStarted || !isQuiet()) return
    isStarted = true
    stopWatching()
    await navigator.serviceWorker.register(scriptUrl(), { scope: "/" }).catch(ignoreRefusal)
  })
}

/** The browser may refuse workers, as in some private windows. The page does not need one. */
const ignoreRefusal = (): void => {}

interface TrustedTypes {
  createPolicy(name: string, rules: { createScriptURL: () => string }): { createScriptURL(url: string): string }
}
declare global {
  interface Window {
    readonly trustedTypes?: TrustedTypes
  }
}

/** The Content-Security-Policy takes a script's address only from this policy, which knows one address. @see https://www.w3.org/TR/trusted-types/ */
const scriptUrl = (): string =>
  window.trustedTypes?.createPolicy("restwell-worker", { createScriptURL: () => WORKER }).createScriptURL(WORKER) ??
  WORKER
