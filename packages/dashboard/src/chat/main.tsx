import "../api/zod-without-eval.ts"
import { StrictMode } from "react"
import { createRoot } from "react-dom/client"
import "./chat.css"
import { ChartView, stateOf, type ViewState } from "./chart-view.tsx"
import { applyTheme, connectHost, type Host, HostConnection, reportSize } from "./host.ts"

/** The view of a tool's result inside a chat. It shows the newest state, and loads nothing. */
const element = document.getElementById("root")
if (!element) throw new Error("the document has no #root")
const root = createRoot(element)

let host: Host | undefined
let state: ViewState = { status: "waiting" }

function show(next: ViewState = state): void {
  state = next
  root.render(
    <StrictMode>
      <HostConnection value={host}>
        <ChartView state={state} />
      </HostConnection>
    </StrictMode>,
  )
}

show()
host = await connectHost(window, {
  onContext: (changed) => applyTheme(document, changed),
  onInput: () => show({ status: "waiting" }),
  onResult: (result) => show(stateOf(result)),
  onCancelled: (reason) => show({ status: "cancelled", reason }),
  onTeardown: () => root.render(null),
})
show()
reportSize(document, host)
