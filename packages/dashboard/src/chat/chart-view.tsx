import type { Chart } from "@restwell/client"
import { ComparisonView } from "./comparison-view.tsx"
import { NightView } from "./night-view.tsx"
import { RelationView } from "./relation-view.tsx"
import { TrendView } from "./trend-view.tsx"
import type { ViewState } from "./view-state.ts"

/** The chart of a tool's result, or what happened instead. */
export function ChartView({ state }: { state: ViewState }) {
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
  }
}
