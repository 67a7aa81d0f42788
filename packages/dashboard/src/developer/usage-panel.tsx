import { Meter } from "@base-ui/react/meter"
import type { AccountResponse } from "@restwell/client"
import { figure, plural } from "@restwell/client/figures"
import { useState } from "react"
import { useInstantText } from "../api/preferences.ts"
import { useCursor } from "../charts/layout.ts"
import { Button } from "../components/button.tsx"
import { DataTable } from "../components/data-table.tsx"
import { Panel } from "../components/page.tsx"
import { shortInstantDate, tickDate } from "../format/date.ts"

type Day = AccountResponse["usage"]["by_day"][number]

const TITLE = "Requests per day (UTC)"
const HEIGHT = 72
const STEP = 10
const GAP = 2

/** Requests of the last 30 UTC dates, as a chart or a table. */
function RequestsChart({ days }: { days: readonly Day[] }) {
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

/** From this fraction of the quota on, the bar turns yellow. */
const WARNING_FRACTION = 0.8

const PLANS = { free: "Free plan", pro: "Pro plan" } as const

/** The requests of this month, the quota, and when it resets. */
export function UsagePanel({ plan, usage, is_alone }: Pick<AccountResponse, "plan" | "usage" | "is_alone">) {
  const instantText = useInstantText()
  const fraction = usage.limit === 0 ? 1 : usage.used / usage.limit
  // Where one person is alone, a plan means nothing until its limit is near.
  const isPlanNamed = !is_alone || fraction >= WARNING_FRACTION
  const color = fraction >= 1 ? "bg-poor-mark" : fraction >= WARNING_FRACTION ? "bg-fair-mark" : "bg-accent"
  const text = `${figure(usage.used)} of ${figure(usage.limit)} requests`
  return (
    <Panel
      title="Usage this month"
      description={`${isPlanNamed ? `${PLANS[plan]}. ` : ""}Only responses with data count. Unchanged responses (304) and errors are free.`}
    >
      <Meter.Root
        value={Math.min(usage.used, usage.limit)}
        max={Math.max(usage.limit, 1)}
        getAriaValueText={() => text}
      >
        <div className="flex flex-wrap items-baseline justify-between gap-x-4 text-sm">
          <Meter.Label className="font-medium tabular-nums">{text}</Meter.Label>
          <span className="text-muted tabular-nums">
            {figure(usage.remaining)} left, resets{" "}
            <time dateTime={usage.reset} title={instantText(usage.reset)}>
              {shortInstantDate(usage.reset)}
            </time>
          </span>
        </div>
        <Meter.Track className="mt-2 h-2 overflow-hidden rounded-full bg-raised">
          <Meter.Indicator className={`h-full rounded-full ${color}`} />
        </Meter.Track>
      </Meter.Root>
      {fraction >= 1 && (
        <p role="status" className="mt-2 text-sm text-poor">
          The monthly quota is used up. The API responds with 429 until it resets. This dashboard keeps working.
        </p>
      )}
      <RequestsChart days={usage.by_day} />
    </Panel>
  )
}
