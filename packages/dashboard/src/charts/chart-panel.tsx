import { ChartNoAxesColumn, Table2 } from "lucide-react"
import { type ReactNode, useState } from "react"
import { Button } from "../components/button.tsx"
import { type Column, DataTable } from "../components/data-table.tsx"
import { Panel } from "../components/page.tsx"

/** The texts around a chart. */
export interface ChartText {
  readonly title: string
  /** What one value is, as "Weekly average recovery", or the answer in one sentence. */
  readonly description: ReactNode
  /** The figure that matters, above the chart. */
  readonly headline?: ReactNode
  /** Below the legend and the table. */
  readonly footer?: ReactNode
}

/** What a page puts around the drawing of a chart. */
export type ChartFrame = Pick<ChartText, "description" | "headline" | "footer">

interface Table<Row> {
  readonly rows: readonly Row[]
  readonly columns: readonly Column<Row>[]
  /** What a row is about. @default "Date" */
  readonly rowHeader?: string
}

interface ChartPanelProps<Row> extends ChartText {
  /** Undefined where there are no figures. */
  readonly table: Table<Row> | undefined
  /** The chart and its legend. */
  readonly children: ReactNode
}

interface TextRow {
  readonly key: string
  readonly label: string
  readonly cells: readonly string[]
}

/** A table of rows that are texts. */
export const textTable = (rowHeader: string, headers: readonly string[], rows: readonly TextRow[]): Table<TextRow> => ({
  rowHeader,
  rows,
  columns: headers.map((header, index) => ({ header, cell: ({ cells }) => cells[index] ?? "" })),
})

interface TableButtonProps {
  readonly title: string
  readonly isTable: boolean
  readonly onChange: (isTable: boolean) => void
}

function TableButton({ title, isTable, onChange }: TableButtonProps) {
  const Icon = isTable ? ChartNoAxesColumn : Table2
  return (
    <Button aria-pressed={isTable} onClick={() => onChange(!isTable)}>
      <Icon size={15} aria-hidden="true" className="max-sm:hidden" />
      {isTable ? "Chart" : "Table"}
      <span className="sr-only"> of {title}</span>
    </Button>
  )
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
  return (
    <Panel
      title={title}
      description={description}
      actions={table && <TableButton title={title} isTable={isTable} onChange={setTable} />}
    >
      {headline}
      {table && isTable ? <DataTable caption={title} {...table} /> : children}
      {footer}
    </Panel>
  )
}

interface ChartOrTableProps {
  readonly title: string
  readonly chart: ReactNode
  readonly table: ReactNode
}

/** A chart inside a panel. A button shows the same data as a table. */
export function ChartOrTable({ title, chart, table }: ChartOrTableProps) {
  const [isTable, setTable] = useState(false)
  return (
    <>
      <div className="flex items-center justify-between gap-2">
        <h3 className="text-sm font-medium">{title}</h3>
        <TableButton title={title} isTable={isTable} onChange={setTable} />
      </div>
      {isTable ? table : chart}
    </>
  )
}
