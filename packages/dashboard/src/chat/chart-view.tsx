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
      return (
        <p role="status" className="text-muted">
          Loading the chart.
        </p>
      )
    case "cancelled":
      return <p role="status">{`The request was cancelled${state.reason === undefined ? "" : `: ${state.reason}`}.`}</p>
    case "failed":
      return (
        <div role="alert">
          <p className="font-semibold">There is no chart, because the request failed.</p>
          <p>{state.text}</p>
        </div>
      )
    case "text":
      return (
        <>
          <p className="text-muted">There is no chart for this answer.</p>
          <p className="whitespace-pre-line">{state.text}</p>
        </>
      )
    case "chart":
      return <ChartOfKind chart={state.chart} />
  }
}

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
