import type { TrendDay } from "@restwell/client"
import { Panel } from "../components/page.tsx"
import { figure, hoursText, MISSING_TEXTS, missingOf } from "../format/number.ts"
import { formatClock, formatDistance } from "../format/preferred.ts"
import { sportName } from "../format/provider-name.ts"
import { type DayProps, FromSource } from "./day.tsx"

/** The workouts of a day, in their local times. */
export const WorkoutsPanel = ({ day, isToday, namesSources, preferences }: DayProps) => (
  <Panel
    title="Workouts"
    {...(day.workouts.length === 0 && { description: isToday ? "No workouts today yet." : "No workouts." })}
  >
    {day.workouts.length > 0 ? (
      <ul className="divide-y divide-line">
        {day.workouts.map((workout) => (
          <Workout key={workout.id} workout={workout} namesSource={namesSources} preferences={preferences} />
        ))}
      </ul>
    ) : undefined}
  </Panel>
)

interface WorkoutProps extends Pick<DayProps, "preferences"> {
  readonly workout: TrendDay["workouts"][number]
  readonly namesSource: boolean
}

const Workout = ({ workout, namesSource, preferences }: WorkoutProps) => (
  <li className="flex items-center justify-between gap-4 py-2.5 first:pt-0 last:pb-0">
    <div className="min-w-0">
      <p className="truncate font-medium">{sportName(workout.sport_type)}</p>
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

/** Ids begin with the name of the source. */
const sourceOf = (id: string): string => id.split("-", 1)[0] ?? ""

function detailsOf(workout: WorkoutProps["workout"], { clock, units }: DayProps["preferences"]): string {
  const { start_minutes, duration_hours, distance_meters, average_heart_rate, calories } = workout
  return [
    `${formatClock(start_minutes, clock)}, ${hoursText(duration_hours)}`,
    distance_meters !== null && distance_meters > 0 && formatDistance(distance_meters, units),
    average_heart_rate !== null && `${figure(average_heart_rate)} bpm`,
    calories !== null && `${figure(calories)} kcal`,
  ]
    .filter((part) => part !== false)
    .join(" · ")
}
