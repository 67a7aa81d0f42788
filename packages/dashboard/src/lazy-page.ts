import { type ComponentType, lazy } from "react"

/** The version for which this tab has reloaded itself, so that it does not do so again. */
const RELOADED_FOR = "reloaded-for"
/** The name of this script has a hash of the version. */
const VERSION = import.meta.url

/**
 * A page in a script of its own. After an upgrade the scripts of an old tab are gone: it then reloads itself, once. If that does not help,
 * the error boundary offers to reload.
 */
export const lazyPage = (load: () => Promise<{ default: ComponentType }>) => lazy(() => load().catch(reloadOnce))

function reloadOnce(error: unknown): Promise<never> {
  if (!navigator.onLine || sessionStorage.getItem(RELOADED_FOR) === VERSION) throw error
  sessionStorage.setItem(RELOADED_FOR, VERSION)
  window.location.reload()
  // The page stays as it is until the browser has loaded it again.
  return new Promise<never>(() => {})
}
