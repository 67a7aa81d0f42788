import type { QueryClient } from "@tanstack/react-query"
import { untilIdle } from "./until-idle.ts"

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
