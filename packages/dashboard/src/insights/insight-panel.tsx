import type { Metric } from "@restwell/client"
import { type ReactNode, useState } from "react"
import { Button } from "../components/button.tsx"
import { Select } from "../components/choice.tsx"
import { DataTable } from "../components/data-table.tsx"
import { Panel } from "../components/page.tsx"
import { Notes } from "./notes.tsx"

interface Row {
  readonly key: string
  readonly label: string
  readonly cells: readonly string[]
}

interface InsightPanelProps {
  readonly title: string
  /** The answer in one sentence. */
  readonly sentence: string
  readonly notes?: readonly string[]
  /** The figures of the chart. Undefined where there are none. */
  readonly table?:
    | { readonly rowHeader: string; readonly headers: readonly string[]; readonly rows: readonly Row[] }
    | undefined
  readonly children?: ReactNode
}

/** A statistical answer: its sentence, a chart or the same figures as a table, and the notes on left-out dates. */
export function InsightPanel({ title, sentence, notes = [], table, children }: InsightPanelProps) {
  const [isTable, setTable] = useState(false)
  return (
    <Panel
      title={title}
      description={<p className="text-text tabular-nums">{sentence}</p>}
      actions={
        table && (
          <Button look="quiet" aria-pressed={isTable} onClick={() => setTable(!isTable)}>
            {isTable ? "Chart" : "Table"}
            <span className="sr-only"> of {title}</span>
          </Button>
        )
      }
    >
      {table && isTable ? (
        <DataTable
          caption={title}
          rows={table.rows}
          rowHeader={table.rowHeader}
          columns={table.headers.map((header, index) => ({ header, cell: ({ cells }: Row) => cells[index] ?? "" }))}
        />
      ) : (
        children
      )}
      <Notes notes={notes} />
    </Panel>
  )
}

interface MetricPickerProps {
  readonly label: string
  readonly metrics: readonly Metric[]
  readonly value: string
  readonly onChange: (metricId: string) => void
  /** An entry before the metrics. */
  readonly first?: readonly [value: string, text: string]
}

/** A choice among the metrics that have values. The current one is always among them. */
export function MetricPicker({ label, metrics, value, onChange, first }: MetricPickerProps) {
  const choices = metrics.filter(({ id, n }) => n > 0 || id === value)
  return (
    <Select
      label={label}
      value={value}
      onChange={({ target }) => onChange(target.value)}
      options={[...(first ? [first] : []), ...choices.map((metric) => [metric.id, choiceText(metric)] as const)]}
    />
  )
}

/** Short names, because a phone has little room for a choice. */
const choiceText = ({ id, title, kind }: Metric): string =>
  id === "hrv" ? "HRV" : kind === "yes_no" ? `${title} (journal)` : title
