import { type ReactNode, useState } from "react"
import { Button } from "../components/button.tsx"

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
        <Button look="quiet" aria-pressed={isTable} onClick={() => setTable(!isTable)}>
          {isTable ? "Chart" : "Table"}
          <span className="sr-only"> of {title}</span>
        </Button>
      </div>
      {isTable ? table : chart}
    </>
  )
}
