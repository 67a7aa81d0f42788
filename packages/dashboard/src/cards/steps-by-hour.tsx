import type { DisplayPreferences } from "@restwell/client"
import { addDays } from "@restwell/client/calendar-dates"
import { figure, firstWeekday, formatClock, plural } from "@restwell/client/figures"
import { usePreferences } from "../api/preferences.ts"
import { useSeries } from "../api/series.ts"
import type { Clock } from "../charts/axes.tsx"
import { ChartOrTable } from "../charts/chart-panel.tsx"
import { ReadableChart } from "../charts/readable-chart.tsx"
import { AXIS, MARGIN } from "../charts/sizes.ts"
import { DataTable } from "../components/data-table.tsx"
import { WEEKDAYS } from "../format/date.ts"
import type { Dates } from "../trends/days.ts"
import { HOURS, type HourMean, meansByHour } from "../trends/samples.ts"
import type { CardView } from "./period-page.tsx"

const ROW = 22
const GAP = 1.5
const LABELLED_HOURS = [0, 6, 12, 18]
/** Of the colour, where nothing happens. */
const FAINTEST = 0.07

interface HourGridProps {
  readonly title: string
  /** A mean for each hour of the week, Monday first. */
  readonly means: readonly HourMean[]
  /** The rows from the top: 0 for Monday to 6 for Sunday. */
  readonly weekdays: readonly number[]
  readonly unit: string
  readonly clock: Clock
}

/** A row for each weekday and a column for each hour. The more, the stronger is the colour. */
function HourGrid({ title, means, weekdays, unit, clock }: HourGridProps) {
  const rows = weekdays.map((weekday) => means.filter((each) => each.weekday === weekday))
  const items = rows.flat()
  const most = Math.max(...items.map(({ mean }) => mean ?? 0))
  const height = rows.length * ROW + AXIS
  const describe = ({ weekday, hour, mean, dates }: HourMean): string => {
    const when = `${WEEKDAYS[weekday]}, ${formatClock(hour * 60, clock)} to ${formatClock((hour + 1) * 60, clock)}`
    return mean === null ? `${when}: no data` : `${when}: ${figure(mean)} ${unit} on average of ${plural(dates, "day")}`
  }
  const columnOf = (width: number) => (width - MARGIN.left - MARGIN.right) / HOURS
  return (
    <ReadableChart
      title={title}
      items={items}
      itemName="hour"
      describe={describe}
      height={height}
      restingIndex={items.findIndex(({ mean }) => mean === most)}
      textClass="mb-1 min-h-10 text-sm sm:min-h-5"
      nearest={({ x, y, width }) => {
        const column = Math.floor((x - MARGIN.left) / columnOf(width))
        const row = Math.min(Math.max(Math.floor(y / ROW), 0), rows.length - 1)
        return row * HOURS + Math.min(Math.max(column, 0), HOURS - 1)
      }}
    >
      {({ width, described }) => {
        const column = columnOf(width)
        return (
          <>
            {rows.map((row, index) => (
              <g key={row[0]?.weekday} transform={`translate(${MARGIN.left} ${index * ROW})`}>
                <text x={-8} y={ROW / 2} dy="0.32em" textAnchor="end" className="fill-muted text-[11px]">
                  {WEEKDAYS[row[0]?.weekday ?? 0]?.slice(0, 3)}
                </text>
                {row.map((each) => (
                  <rect
                    key={each.hour}
                    x={each.hour * column}
                    width={Math.max(column - GAP, 1)}
                    height={ROW - GAP}
                    rx={2}
                    fillOpacity={FAINTEST + ((each.mean ?? 0) / (most || 1)) * (1 - FAINTEST)}
                    className={`fill-strain ${each === described ? "stroke-text" : ""}`}
                    strokeWidth={1.5}
                  />
                ))}
              </g>
            ))}
            {LABELLED_HOURS.map((hour) => (
              <text
                key={hour}
                x={MARGIN.left + hour * column}
                y={height - 6}
                textAnchor={hour === 0 ? "start" : "middle"}
                className="fill-muted text-[11px] tabular-nums"
              >
                {formatClock(hour * 60, clock).replace(":00 ", " ")}
              </text>
            ))}
          </>
        )
      }}
    </ReadableChart>
  )
}

const BY_HOUR = "Steps by hour"
/** Of longer periods the newest dates are read: the service gives at most 20,000 hours at a time. */
const MOST_DAYS = 800

/** The average steps of each hour of the week. Nothing of a source that counts whole days alone. */
export function StepsByHour({ view: { dates, version } }: { view: CardView }) {
  const preferences = usePreferences()
  const question = { type: "steps", ...newestOf(dates) } as const
  const hours = useSeries({ ...question, resolution: "1h" }, version).data?.samples
  const days = useSeries({ ...question, resolution: "1d" }, version).data?.samples
  if (!hours || !days || hours.length === 0) return null
  const means = meansByHour(hours, days)
  const first = firstWeekday(preferences.first_weekday)
  const weekdays = WEEKDAYS.map((_, index) => (first + index) % WEEKDAYS.length)
  return (
    <div className="mt-4">
      <ChartOrTable
        title={BY_HOUR}
        chart={<HourGrid title={BY_HOUR} means={means} weekdays={weekdays} unit="steps" clock={preferences.clock} />}
        table={<HourTable means={means} weekdays={weekdays} clock={preferences.clock} />}
      />
      <p className="mt-2 text-xs text-muted">The average of each hour, over {plural(days.length, "day")} with steps.</p>
    </div>
  )
}

function newestOf({ start_date: start, end_date }: Dates): Dates {
  const first = addDays(end_date, 1 - MOST_DAYS)
  return { start_date: start > first ? start : first, end_date }
}

interface HourTableProps {
  readonly means: readonly HourMean[]
  /** In their order. */
  readonly weekdays: readonly number[]
  readonly clock: DisplayPreferences["clock"]
}

interface HourRow {
  readonly key: string
  readonly label: string
  /** Monday first. */
  readonly means: readonly HourMean[]
}

const HourTable = ({ means, weekdays, clock }: HourTableProps) => (
  <DataTable
    caption={BY_HOUR}
    rowHeader="Hour"
    rows={Array.from({ length: HOURS }, (_, hour) => ({
      key: String(hour),
      label: formatClock(hour * 60, clock),
      means: means.filter((each) => each.hour === hour),
    }))}
    columns={weekdays.map((weekday) => ({
      header: WEEKDAYS[weekday] ?? "",
      cell: (row: HourRow) => figure(row.means[weekday]?.mean ?? null),
    }))}
  />
)
