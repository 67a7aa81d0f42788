import { Component, type ReactNode } from "react"
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
