import { CHART_KEY, type Chart, ChartSchema } from "@restwell/client"
import type { ToolResult } from "./host-messages.ts"

/** What the view shows. */
export type ViewState =
  | { readonly status: "waiting" }
  | { readonly status: "chart"; readonly chart: Chart }
  /** A result whose data did not arrive, because the host left `_meta` out or the service is another version. */
  | { readonly status: "text"; readonly text: string }
  | { readonly status: "failed"; readonly text: string }
  | { readonly status: "cancelled"; readonly reason: string | undefined }

export function stateOf({ isError = false, content, _meta: meta }: ToolResult): ViewState {
  const text = content
    .flatMap((part) => (part.type === "text" && part.text !== undefined ? [part.text] : []))
    .join("\n")
  if (isError) return { status: "failed", text }
  const chart = ChartSchema.safeParse(meta?.[CHART_KEY])
  return chart.success ? { status: "chart", chart: chart.data } : { status: "text", text }
}
