import type { TrendDay } from "@restwell/client"
import { amountAtFirstSight, figure, formatClock, hoursText } from "@restwell/client/figures"
import { DAY_MINUTES, HOUR_MINUTES, MINUTE_MS } from "@restwell/client/time-units"
import { Link } from "wouter"
import { type Series, useSeries } from "../api/series.ts"
import { type Hours, type Span, STEP_MINUTES } from "../charts/hours.ts"
import { Legend } from "../charts/legend.tsx"
import { Skeleton } from "../components/notice.tsx"
import { Panel } from "../components/page.tsx"
import { MISSING_TEXTS, missingOf } from "../format/number.ts"
import { sportName } from "../format/provider-name.ts"
import { lowestOf, meansByStep } from "../trends/samples.ts"
import { type DayProps, FromSource, REASON_ABOVE } from "./day.tsx"
import { HEART_RATE, HoursView } from "./hours-view.tsx"

/** Values in fewer hours are the ends of nights, of a source that measures in them alone. */
const FEWEST_HOURS = 4

interface DayPanelProps extends DayProps {
  /** From `dataVersion`. */
  readonly version: string
}

/** The hours of the day. Undefined without values in them, and "loading" while they may come. */
export function useWakingHours({
  day,
  isToday,
  namesSources,
  version,
}: Pick<DayPanelProps, "day" | "isToday" | "namesSources" | "version">) {
  const { date } = day
  const question = { type: HEART_RATE.type, start_date: date, end_date: date, resolution: "5m" } as const
  const { data, isPending } = useSeries(question, version)
  // A source with phases has values of the day too, and so do most second sources. Their place is kept, so that nothing moves.
  if (!data) return isPending && (day.sleep?.course || namesSources) ? "loading" : undefined
  return hoursOf(day, data, isToday)
}

/** The heart rate from waking on, with the workouts. Nothing of a source that has no values within the day. */
export function DayPanel({ day, isToday, namesSources, preferences: { clock }, version }: DayPanelProps) {
  const { date } = day
  const waking = useWakingHours({ day, isToday, namesSources, version })
  if (waking === "loading") return <Skeleton className="h-72" label="Loading the day" />
  if (!waking) return null
  const { hours, low, high, source } = waking
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
              , <FromSource source={source} />
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
  readonly source: Series["source"]
}

/** The hours from waking, or from midnight without a night, to the newest value of today or the end of the date. Undefined without values in them. */
function hoursOf(
  { sleep, workouts }: TrendDay,
  { samples, endMs, source }: Series,
  isToday: boolean,
): Waking | undefined {
  // Counted from the midnight after: clocks change early in the morning.
  const minutesOf = (atMs: number) => DAY_MINUTES - (endMs - atMs) / MINUTE_MS
  const start = Math.floor(Math.max(sleep?.end_minutes ?? 0, 0) / STEP_MINUTES) * STEP_MINUTES
  const startMs = endMs - (DAY_MINUTES - start) * MINUTE_MS
  const awake = samples.filter(({ atMs }) => atMs >= startMs)
  const [lowest, newest] = [lowestOf(awake), awake.at(-1)]
  const hoursWithValues = new Set(awake.map(({ atMs }) => Math.floor(minutesOf(atMs) / HOUR_MINUTES)))
  if (!lowest || !newest || hoursWithValues.size < FEWEST_HOURS) return undefined
  const end = isToday ? minutesOf(newest.atMs) + STEP_MINUTES : DAY_MINUTES
  const steps = { startMs, endMs: startMs + (end - start) * MINUTE_MS, stepMs: STEP_MINUTES * MINUTE_MS }
  return {
    hours: {
      start,
      end,
      curves: [{ ...HEART_RATE, values: meansByStep(awake, steps) }],
      workouts: workouts.map(spanOf).filter(({ from, to }) => from < end && to > start),
    },
    low: lowest.low,
    high: Math.max(...awake.map(({ high }) => high)),
    source,
  }
}

const spanOf = ({
  start_minutes: from,
  duration_hours: hours,
  sport_type: sport,
}: TrendDay["workouts"][number]): Span => ({
  from,
  to: from + hours * HOUR_MINUTES,
  label: sportName(sport),
})

/** The workouts of a day, in their local times. */
export const WorkoutsPanel = ({ day, isToday, namesSources, explained, preferences }: DayProps) => (
  <Panel
    title="Workouts"
    {...(day.workouts.length === 0 && {
      description: explained.has("workout") ? REASON_ABOVE : isToday ? "No workouts today yet." : "No workouts.",
    })}
  >
    {day.workouts.length > 0 ? (
      <ul className="divide-y divide-line">
        {day.workouts.map((workout) => (
          <Workout
            key={workout.id}
            date={day.date}
            workout={workout}
            namesSource={namesSources}
            preferences={preferences}
          />
        ))}
      </ul>
    ) : undefined}
  </Panel>
)

interface WorkoutProps extends Pick<DayProps, "preferences"> {
  readonly date: string
  readonly workout: TrendDay["workouts"][number]
  readonly namesSource: boolean
}

const Workout = ({ date, workout, namesSource, preferences }: WorkoutProps) => (
  <li className="relative flex items-center justify-between gap-4 py-2.5 first:pt-0 last:pb-0">
    <div className="min-w-0">
      <p className="font-medium">
        <Link href={workoutHref(date, workout.id)} className="after:absolute after:inset-0 hover:underline">
          {sportName(workout.sport_type)}
        </Link>
      </p>
      <p className="text-sm text-muted">
        {detailsOf(workout, preferences)}
        {namesSource && (
          <>
            {" · "}
            <FromSource source={sourceOf(workout.id)} />
          </>
        )}
      </p>
    </div>
    <WorkoutStrain workout={workout} />
  </li>
)

/** Nothing for a source without strain. */
function WorkoutStrain({ workout: { strain, score_state: state } }: Pick<WorkoutProps, "workout">) {
  const missing = missingOf(state)
  if (strain === null && missing === "none") return null
  if (strain === null && missing !== "none")
    return <p className="max-w-28 shrink-0 text-right text-sm text-muted">{MISSING_TEXTS[missing]}</p>
  return (
    <p className="text-right">
      <span className="text-lg font-semibold text-strain tabular-nums">{figure(strain, 1)}</span>
      <span className="block text-xs text-muted">strain</span>
    </p>
  )
}

/** The page of a workout. It is looked for on its date. */
const workoutHref = (date: string, id: string): string => `/workout?${new URLSearchParams({ date, id })}`

/** Ids begin with the name of the source. */
const sourceOf = (id: string): string => id.split("-", 1)[0] ?? ""

function detailsOf(workout: WorkoutProps["workout"], { clock, units }: DayProps["preferences"]): string {
  const { start_minutes, duration_hours, distance_meters, average_heart_rate, calories, device } = workout
  return [
    `${formatClock(start_minutes, clock)}, ${hoursText(duration_hours)}`,
    distance_meters !== null && distance_meters > 0 && amountAtFirstSight(distance_meters, "m", units),
    average_heart_rate !== null && `${figure(average_heart_rate)} bpm`,
    calories !== null && `${figure(calories)} kcal`,
    // Vendors that hand on others' data ask for their names, such as Garmin's.
    device ?? false,
  ]
    .filter((part) => part !== false)
    .join(" · ")
}
