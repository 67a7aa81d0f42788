import type { AccountResponse } from "@restwell/client"
import { useState } from "react"
import { useCursor } from "../charts/use-cursor.ts"
import { Button } from "../components/button.tsx"
import { DataTable } from "../components/data-table.tsx"
import { tickDate } from "../format/date.ts"
import { figure, plural } from "../format/number.ts"

type Day = AccountResponse["usage"]["by_day"][number]

const TITLE = "Requests per day (UTC)"
const HEIGHT = 72
const STEP = 10
const GAP = 2

/** Requests of the last 30 UTC dates, as a chart or a table. */
export function RequestsChart({ days }: { days: readonly Day[] }) {
  const [isTable, setTable] = useState(false)
  const rows = days.toReversed().map(({ date, requests }) => ({ key: date, label: date, requests }))
  return (
    <div className="mt-5">
      <div className="mb-2 flex items-center justify-between gap-2">
        <h3 className="text-sm font-medium">{TITLE}</h3>
        <Button look="quiet" aria-pressed={isTable} onClick={() => setTable(!isTable)}>
          {isTable ? "Chart" : "Table"}
          <span className="sr-only"> of {TITLE}</span>
        </Button>
      </div>
      {isTable ? (
        <DataTable
          caption={TITLE}
          rows={rows}
          columns={[{ header: "Requests", cell: ({ requests }) => figure(requests) }]}
        />
      ) : (
        <Bars days={days} />
      )}
    </div>
  )
}

function Bars({ days }: { days: readonly Day[] }) {
  const width = days.length * STEP
  const max = Math.max(1, ...days.map(({ requests }) => requests))
  const [boxWidth, setBoxWidth] = useState(1)
  const cursor = useCursor(days.length, (x) => Math.floor((x / boxWidth) * days.length))
  const index = cursor.index ?? days.length - 1
  const day = days[index]
  const text = day ? `${tickDate(day.date)}: ${plural(day.requests, "request")}` : ""
  return (
    <>
      <p aria-hidden="true" className="text-sm text-muted tabular-nums">
        {text}
      </p>
      <div
        role="slider"
        tabIndex={0}
        aria-label={`${TITLE}, use the arrow keys to read each day`}
        aria-readonly="true"
        aria-valuemin={0}
        aria-valuemax={days.length - 1}
        aria-valuenow={index}
        aria-valuetext={text}
        className="mt-2 touch-pan-y rounded-md"
        onPointerEnter={(event) => setBoxWidth(event.currentTarget.getBoundingClientRect().width)}
        {...cursor.handlers}
      >
        <svg viewBox={`0 0 ${width} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true" className="h-18 w-full">
          {days.map(({ date, requests }, position) => {
            const height = requests === 0 ? 1 : Math.max((requests / max) * HEIGHT, 2)
            const isDimmed = cursor.index !== undefined && cursor.index !== position
            return (
              <rect
                key={date}
                x={position * STEP + GAP / 2}
                y={HEIGHT - height}
                width={STEP - GAP}
                height={height}
                className={`${requests === 0 ? "fill-line-strong" : "fill-accent"} ${isDimmed ? "opacity-45" : ""}`}
              />
            )
          })}
        </svg>
      </div>
      <div aria-hidden="true" className="flex justify-between text-[11px] text-muted">
        <span>{days[0] && tickDate(days[0].date)}</span>
        <span>{days.length > 0 && "today"}</span>
      </div>
    </>
  )
}
