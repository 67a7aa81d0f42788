import type { TrendDay } from "@restwell/client"
import { Panel } from "../components/page.tsx"
import { clockTime } from "../format/date.ts"
import { figure, hoursText, MISSING_TEXTS, missingOf } from "../format/number.ts"
import { sportName } from "../format/provider-name.ts"
import { type DayProps, FromSource } from "./day.tsx"

const KILOMETER_METERS = 1000

/** The workouts of a day, in their local times. */
export const WorkoutsPanel = ({ day, isToday, namesSources }: DayProps) => (
  <Panel
    title="Workouts"
    {...(day.workouts.length === 0 && { description: isToday ? "No workouts today yet." : "No workouts." })}
  >
    {day.workouts.length > 0 && (
      <ul className="divide-y divide-line">
        {day.workouts.map((workout) => (
          <Workout key={workout.id} workout={workout} namesSource={namesSources} />
        ))}
      </ul>
    )}
  </Panel>
)

const Workout = ({ workout, namesSource }: { workout: TrendDay["workouts"][number]; namesSource: boolean }) => (
  <li className="flex items-center justify-between gap-4 py-2.5 first:pt-0 last:pb-0">
    <div className="min-w-0">
      <p className="truncate font-medium">{sportName(workout.sport_type)}</p>
      <p className="text-sm text-muted">
        {detailsOf(workout)}
        {namesSource && (
          <>
            {" · "}
            <FromSource source={sourceOf(workout.id)} />
          </>
        )}
      </p>
    </div>
    {workout.strain === null ? (
      <p className="max-w-28 shrink-0 text-right text-sm text-muted">{MISSING_TEXTS[missingOf(workout.score_state)]}</p>
    ) : (
      <p className="text-right">
        <span className="text-lg font-semibold text-strain tabular-nums">{figure(workout.strain, 1)}</span>
        <span className="block text-xs text-muted">strain</span>
      </p>
    )}
  </li>
)

/** Ids begin with the name of the source. */
const sourceOf = (id: string): string => id.split("-", 1)[0] ?? ""

function detailsOf({
  start_minutes,
  duration_hours,
  distance_meters,
  average_heart_rate,
  calories,
}: TrendDay["workouts"][number]): string {
  return [
    `${clockTime(start_minutes)}, ${hoursText(duration_hours)}`,
    distance_meters !== null && distance_meters > 0 && `${figure(distance_meters / KILOMETER_METERS, 1)} km`,
    average_heart_rate !== null && `${figure(average_heart_rate)} bpm`,
    calories !== null && `${figure(calories)} kcal`,
  ]
    .filter((part) => part !== false)
    .join(" · ")
}
