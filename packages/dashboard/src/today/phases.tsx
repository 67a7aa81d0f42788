import { useState } from "react"
import { HYPNOGRAM_TITLE, Hypnogram, type HypnogramProps, phaseLabel, stretchTimes } from "../charts/hypnogram.tsx"
import { Button } from "../components/button.tsx"
import { DataTable } from "../components/data-table.tsx"
import { minutesText } from "../format/number.ts"

/** The phases of a night, as a chart or a table. */
export function Phases(props: HypnogramProps) {
  const [isTable, setTable] = useState(false)
  const rows = props.stretches.map((stretch) => ({
    ...stretch,
    key: String(stretch.from),
    label: stretchTimes(stretch),
  }))
  return (
    <div className="mb-4">
      <div className="flex items-center justify-between gap-2">
        <h3 className="text-sm font-medium">{HYPNOGRAM_TITLE}</h3>
        <Button look="quiet" aria-pressed={isTable} onClick={() => setTable(!isTable)}>
          {isTable ? "Chart" : "Table"}
          <span className="sr-only"> of {HYPNOGRAM_TITLE}</span>
        </Button>
      </div>
      {isTable ? (
        <DataTable
          caption={HYPNOGRAM_TITLE}
          rowHeader="Time"
          rows={rows}
          columns={[
            { header: "Phase", cell: phaseLabel },
            { header: "Duration", cell: ({ from, to }) => minutesText(to - from) },
          ]}
        />
      ) : (
        <Hypnogram {...props} />
      )}
    </div>
  )
}
