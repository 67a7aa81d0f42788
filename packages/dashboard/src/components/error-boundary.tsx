import { Component, type ComponentType, lazy, type ReactNode } from "react"
import { Button } from "./button.tsx"

interface State {
  readonly error: unknown
}

/** Shows what to do where the content below it cannot be drawn. Give it another key for other content. */
export class ErrorBoundary extends Component<{ readonly children: ReactNode }, State> {
  override readonly state: State = { error: undefined }

  static getDerivedStateFromError(error: unknown): State {
    return { error: error ?? new Error("unknown") }
  }

  override render(): ReactNode {
    return this.state.error === undefined ? this.props.children : <Failed />
  }
}

const Failed = () => (
  <div role="alert" className="flex flex-col items-start gap-3 py-8">
    <h1 className="text-2xl font-semibold tracking-tight">This page could not be loaded</h1>
    <p className="max-w-prose text-sm text-muted">
      Reload it to try again. Restwell may have been updated, or the connection may have been lost. Your data is not
      affected.
    </p>
    <Button look="primary" onClick={() => window.location.reload()}>
      Reload
    </Button>
  </div>
)

/** The version for which this tab has reloaded itself, so that it does not do so again. */
const RELOADED_FOR = "reloaded-for"
/** The name of this script has a hash of the version. */
const VERSION = import.meta.url

/**
 * A part of a page in a script of its own. After an upgrade the scripts of an old tab are gone: it then reloads itself, once. If that does
 * not help, the error boundary offers to reload.
 */
export const lazyPart = <Props extends object>(load: () => Promise<{ default: ComponentType<Props> }>) =>
  lazy(() => load().catch(reloadOnce))

/** A whole page, as a part. */
export const lazyPage = (load: () => Promise<{ default: ComponentType }>) => lazyPart(load)

function reloadOnce(error: unknown): Promise<never> {
  if (!navigator.onLine || sessionStorage.getItem(RELOADED_FOR) === VERSION) throw error
  sessionStorage.setItem(RELOADED_FOR, VERSION)
  window.location.reload()
  // The page stays as it is until the browser has loaded it again.
  return new Promise<never>(() => {})
}
