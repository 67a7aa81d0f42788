import type { DisplayPreferences } from "@restwell/client"
import { usePreferences } from "../api/preferences.ts"
import { useSeries } from "../api/series.ts"
import { ChartOrTable } from "../charts/chart-or-table.tsx"
import { HourGrid } from "../charts/hour-grid.tsx"
import { DataTable } from "../components/data-table.tsx"
import { addDays, WEEKDAYS } from "../format/date.ts"
import { figure, plural } from "../format/number.ts"
import { firstWeekday, formatClock } from "../format/preferred.ts"
import { HOURS, type HourMean, meansByHour } from "../trends/by-hour.ts"
import type { Dates } from "../trends/days.ts"
import type { CardView } from "./card-view.ts"

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
