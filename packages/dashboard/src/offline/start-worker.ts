const WORKER = "/assets/worker.js"

/**
 * Starts the service worker once the page is drawn, so that what it loads for later does not delay what is on the screen. Browsers without
 * one, and addresses without HTTPS, have no pages offline.
 */
export function startWorker(): void {
  if (!("serviceWorker" in navigator)) return
  const start = () => void navigator.serviceWorker.register(scriptUrl(), { scope: "/" }).catch(ignoreRefusal)
  if (document.readyState === "complete") start()
  else window.addEventListener("load", start, { once: true })
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
