import { ChartNoAxesColumn, Table2 } from "lucide-react"
import { type ReactNode, useState } from "react"
import { Button } from "../components/button.tsx"
import { type Column, DataTable } from "../components/data-table.tsx"
import { Panel } from "../components/page.tsx"

/** The texts around a chart. */
export interface ChartText {
  readonly title: string
  /** What one value is: "Weekly average recovery". */
  readonly description: string
  /** The figure that matters, above the chart. */
  readonly headline?: ReactNode
  /** Below the legend and the table. */
  readonly footer?: ReactNode
}

/** What a page puts around the drawing of a chart. */
export type ChartFrame = Pick<ChartText, "description" | "headline" | "footer">

interface ChartPanelProps<Row> extends ChartText {
  readonly table: { readonly rows: readonly Row[]; readonly columns: readonly Column<Row>[] }
  /** The chart and its legend. */
  readonly children: ReactNode
}

/** A chart below its figure. A button shows the same data as a table. */
export function ChartPanel<Row extends { readonly key: string; readonly label: string }>({
  title,
  description,
  headline,
  footer,
  table,
  children,
}: ChartPanelProps<Row>) {
  const [isTable, setTable] = useState(false)
  const Icon = isTable ? ChartNoAxesColumn : Table2
  return (
    <Panel
      title={title}
      description={description}
      actions={
        <Button aria-pressed={isTable} onClick={() => setTable(!isTable)}>
          <Icon size={15} aria-hidden="true" className="max-sm:hidden" />
          {isTable ? "Chart" : "Table"}
          <span className="sr-only"> of {title}</span>
        </Button>
      }
    >
      {headline}
      {isTable ? <DataTable caption={title} {...table} /> : children}
      {footer}
    </Panel>
  )
}
