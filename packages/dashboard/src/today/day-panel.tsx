import type { TrendDay } from "@restwell/client"
import { type Series, useSeries } from "../api/insights.ts"
import { type Hours, type Span, STEP_MINUTES } from "../charts/hours-chart.tsx"
import { Legend } from "../charts/legend.tsx"
import { Skeleton } from "../components/notice.tsx"
import { Panel } from "../components/page.tsx"
import { figure } from "../format/number.ts"
import { formatClock } from "../format/preferred.ts"
import { sportName } from "../format/provider-name.ts"
import { lowestOf, MINUTE_MS, meansByStep } from "../trends/samples.ts"
import { type DayProps, FromSource } from "./day.tsx"
import { HEART_RATE, HoursView } from "./hours-view.tsx"

const DAY_MINUTES = 1440
const HOUR = 60
/** Values in fewer hours are the ends of nights, of a source that measures in them alone. */
const FEWEST_HOURS = 4

interface DayPanelProps extends DayProps {
  /** From `dataVersion`. */
  readonly version: string
}

/** The heart rate from waking on, with the workouts. Nothing of a source that has no values within the day. */
export function DayPanel({ day, isToday, namesSources, preferences: { clock }, version }: DayPanelProps) {
  const { date } = day
  const question = { type: HEART_RATE.type, start_date: date, end_date: date, resolution: "5m" } as const
  const { data, isPending } = useSeries(question, version)
  // A source with the phases of a night has values of the day too. Their place is kept, so that nothing moves when they arrive.
  if (!data) return isPending && day.sleep?.course ? <Skeleton className="h-72" label="Loading the day" /> : null
  const waking = hoursOf(day, data, isToday)
  if (!waking) return null
  const { hours, low, high } = waking
  const workouts = hours.workouts ?? []
  return (
    <Panel
      title="The day"
      description={
        <>
          {formatClock(hours.start, clock)} to {formatClock(hours.end, clock)}, {figure(low)} to {figure(high)}{" "}
          {HEART_RATE.unit}
          {namesSources && (
            <>
              , <FromSource source={data.source} />
            </>
          )}
        </>
      }
    >
      <HoursView key={date} hours={hours} clock={clock} />
      {workouts.length > 0 && (
        <Legend entries={[{ label: "workout", color: "bg-strain/20", shape: "band" }]} missing={new Set()} />
      )}
    </Panel>
  )
}

interface Waking {
  readonly hours: Hours
  /** The lowest and the highest heart rate. */
  readonly low: number
  readonly high: number
}

/** The hours from waking, or from midnight without a night, to the newest value of today or the end of the date. Undefined without values in them. */
function hoursOf({ sleep, workouts }: TrendDay, { samples, endMs }: Series, isToday: boolean): Waking | undefined {
  // Counted from the midnight after: clocks change early in the morning.
  const minutesOf = (atMs: number) => DAY_MINUTES - (endMs - atMs) / MINUTE_MS
  const start = Math.floor(Math.max(sleep?.end_minutes ?? 0, 0) / STEP_MINUTES) * STEP_MINUTES
  const startMs = endMs - (DAY_MINUTES - start) * MINUTE_MS
  const awake = samples.filter(({ atMs }) => atMs >= startMs)
  const [lowest, newest] = [lowestOf(awake), awake.at(-1)]
  const hoursWithValues = new Set(awake.map(({ atMs }) => Math.floor(minutesOf(atMs) / HOUR)))
  if (!lowest || !newest || hoursWithValues.size < FEWEST_HOURS) return undefined
  const end = isToday ? minutesOf(newest.atMs) + STEP_MINUTES : DAY_MINUTES
  const steps = { startMs, endMs: startMs + (end - start) * MINUTE_MS, stepMs: STEP_MINUTES * MINUTE_MS }
  return {
    hours: {
      start,
      end,
      curves: [{ ...HEART_RATE, values: meansByStep(awake, steps) }],
      workouts: workouts.map(spanOf),
    },
    low: lowest.low,
    high: Math.max(...awake.map(({ high }) => high)),
  }
}

const spanOf = ({
  start_minutes: from,
  duration_hours: hours,
  sport_type: sport,
}: TrendDay["workouts"][number]): Span => ({
  from,
  to: from + hours * HOUR,
  label: sportName(sport),
})
