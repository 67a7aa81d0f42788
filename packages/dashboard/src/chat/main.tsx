import "../api/zod-without-eval.ts"
import { CHART_KEY, type Chart, ChartSchema } from "@restwell/client"
import { StrictMode } from "react"
import { createRoot } from "react-dom/client"
import { applyTheme, connectHost, type Host, HostConnection, reportSize, type ToolResult } from "./host.ts"
import { ComparisonView, TrendView } from "./metric-views.tsx"
import { NightView } from "./night-view.tsx"
import { RelationView } from "./relation-view.tsx"
import { SeriesView } from "./series-view.tsx"
import "./chat.css"

// The view of a tool's result inside a chat. It shows the newest state, and loads nothing.

/** What the view shows. */
type ViewState =
  | { readonly status: "waiting" }
  | { readonly status: "chart"; readonly chart: Chart }
  /** A result whose data did not arrive, because the host left `_meta` out or the service is another version. */
  | { readonly status: "text"; readonly text: string }
  | { readonly status: "failed"; readonly text: string }
  | { readonly status: "cancelled"; readonly reason: string | undefined }

function stateOf({ isError = false, content, _meta: meta }: ToolResult): ViewState {
  const text = content
    .flatMap((part) => (part.type === "text" && part.text !== undefined ? [part.text] : []))
    .join("\n")
  if (isError) return { status: "failed", text }
  const chart = ChartSchema.safeParse(meta?.[CHART_KEY])
  return chart.success ? { status: "chart", chart: chart.data } : { status: "text", text }
}

/** The chart of a tool's result, or what happened instead. */
function ChartView({ state }: { state: ViewState }) {
  switch (state.status) {
    case "waiting":
      return <Message title="Loading the chart" />
    case "cancelled":
      return <Message title="The request was cancelled" text={state.reason} />
    case "failed":
      return <Message title="There is no chart, because the request failed" text={state.text} />
    case "text":
      return <Message title="There is no chart for this answer" text={state.text} />
    case "chart":
      return <ChartOfKind chart={state.chart} />
  }
}

const Message = ({ title, text }: { title: string; text?: string | undefined }) => (
  <div role="status">
    <h1 className="font-semibold">{title}</h1>
    {text !== undefined && <p className="break-words whitespace-pre-line">{text}</p>}
  </div>
)

function ChartOfKind({ chart }: { chart: Chart }) {
  switch (chart.kind) {
    case "trend":
      return <TrendView chart={chart} />
    case "comparison":
      return <ComparisonView chart={chart} />
    case "relation":
      return <RelationView chart={chart} />
    case "night":
      return <NightView chart={chart} />
    case "series":
      return <SeriesView chart={chart} />
  }
}

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
