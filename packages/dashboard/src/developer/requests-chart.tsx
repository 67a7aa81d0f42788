import type { AccountResponse } from "@restwell/client"
import { useState } from "react"
import { useReader } from "../charts/use-cursor.ts"
import { Button } from "../components/button.tsx"
import { tickDate } from "../format/date.ts"
import { figure } from "../format/number.ts"

type Day = AccountResponse["usage"]["by_day"][number]

const HEIGHT = 72
const STEP = 10
const GAP = 2

const textOf = ({ date, requests }: Day): string =>
  `${tickDate(date)}: ${figure(requests)} ${requests === 1 ? "request" : "requests"}`

/** Requests of the last 30 days, UTC; the same as a table on demand. */
export function RequestsChart({ days }: { days: readonly Day[] }) {
  const [isTable, setTable] = useState(false)
  return (
    <div className="mt-5">
      <div className="flex items-center justify-between gap-2">
        <h3 className="text-sm font-medium">Requests per day</h3>
        <Button look="quiet" aria-pressed={isTable} onClick={() => setTable(!isTable)}>
          {isTable ? "Chart" : "Table"}
          <span className="sr-only"> of requests per day</span>
        </Button>
      </div>
      {isTable ? <Table days={days} /> : <Bars days={days} />}
    </div>
  )
}

function Bars({ days }: { days: readonly Day[] }) {
  const width = days.length * STEP
  const most = Math.max(1, ...days.map(({ requests }) => requests))
  const [box, setBox] = useState(1)
  const reader = useReader(days.length, (x) => Math.floor((x / box) * days.length))
  const read = days[reader.index ?? days.length - 1]
  return (
    <>
      <p aria-hidden="true" className="text-sm text-muted tabular-nums">
        {read && textOf(read)}
      </p>
      <div
        role="slider"
        tabIndex={0}
        aria-label="Requests per day, arrow keys read it day by day"
        aria-readonly="true"
        aria-valuemin={0}
        aria-valuemax={days.length - 1}
        aria-valuenow={reader.index ?? days.length - 1}
        aria-valuetext={read ? textOf(read) : ""}
        className="mt-2 touch-pan-y rounded-md"
        onPointerEnter={(event) => setBox(event.currentTarget.getBoundingClientRect().width)}
        {...reader.handlers}
      >
        <svg viewBox={`0 0 ${width} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true" className="h-18 w-full">
          {days.map((day, index) => {
            const height = day.requests === 0 ? 1 : Math.max((day.requests / most) * HEIGHT, 2)
            const color = day.requests === 0 ? "fill-line-strong" : "fill-accent"
            const isDimmed = reader.index !== undefined && reader.index !== index
            return (
              <rect
                key={day.date}
                x={index * STEP + GAP / 2}
                y={HEIGHT - height}
                width={STEP - GAP}
                height={height}
                className={`${color} ${isDimmed ? "opacity-45" : ""}`}
              />
            )
          })}
        </svg>
      </div>
      <div aria-hidden="true" className="flex justify-between text-[11px] text-muted">
        <span>{days[0] && tickDate(days[0].date)}</span>
        <span>{days.at(-1) && "today"}</span>
      </div>
    </>
  )
}

const Table = ({ days }: { days: readonly Day[] }) => (
  <section
    aria-label="Requests per day, table"
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must take the keyboard, WCAG 2.1.1
    tabIndex={0}
    className="mt-2 max-h-60 overflow-auto rounded-lg border border-line"
  >
    <table className="w-full text-left text-sm tabular-nums">
      <caption className="sr-only">Requests per day</caption>
      <thead className="sticky top-0 bg-raised">
        <tr>
          <th scope="col" className="px-3 py-2 font-medium">
            Date (UTC)
          </th>
          <th scope="col" className="px-3 py-2 font-medium">
            Requests
          </th>
        </tr>
      </thead>
      <tbody className="divide-y divide-line">
        {days.toReversed().map(({ date, requests }) => (
          <tr key={date}>
            <th scope="row" className="px-3 py-1.5 font-normal text-muted">
              {date}
            </th>
            <td className="px-3 py-1.5">{figure(requests)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  </section>
)
