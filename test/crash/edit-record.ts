import type { Person, Simulator, WireWorkout } from "@restwell/simulator"
import type { Random } from "../../packages/simulator/src/model/random.ts"

const SPORTS = ["running", "cycling", "fencing", "tennis", "yoga"] as const
const NEWEST = 30
const SCORED_AFTER_MS = 50

/** Changes one record of a person at the vendor, which sends a webhook. Half of the changes are to the newest records. */
export function editRecord({ edit, clock, records }: Simulator, person: Person, random: Random): void {
  const { sleeps, recoveries, workouts } = records(person)
  const newest = random.chance(0.5) ? NEWEST : undefined
  const one = <Item>(items: readonly Item[]): Item | undefined => {
    const among = items.slice(0, newest)
    return among[random.integer(0, among.length - 1)]
  }
  const workout = one(workouts)
  const sleep = one(sleeps.filter(({ score_state }) => score_state === "SCORED"))
  const recovery = one(recoveries.filter(({ score_state }) => score_state === "SCORED"))
  const percentage = random.integer(0, 100)
  const edits: readonly [() => void, ...(() => void)[]] = [
    () => workout && edit.workout.patch(person, workout.id, { sport_name: random.pick(SPORTS) }),
    () => workout && edit.workout.delete(person, workout.id),
    () => workout && addScored(edit, person, another(workout, clock.now(), random)),
    () => sleep && edit.sleep.patch(person, sleep.id, { score: { sleep_performance_percentage: percentage } }),
    () => sleep && random.chance(0.5) && edit.sleep.delete(person, sleep.id),
    () => recovery && edit.recovery.patch(person, recovery.cycle_id, { score: { recovery_score: percentage } }),
  ]
  random.pick(edits)()
}

/** Adds a workout, and soon after its score with another webhook, so that the service does not wait long for the score. */
function addScored({ workout: workouts }: Simulator["edit"], person: Person, workout: WireWorkout): void {
  workouts.put(person, workout)
  setTimeout(() => workouts.patch(person, workout.id, { sport_name: workout.sport_name }), SCORED_AFTER_MS)
}

/** A workout that was recorded late: it began a little before an existing one. */
function another(workout: WireWorkout, now: Date, random: Random): WireWorkout {
  const byMs = random.integer(1_000, 3_600_000)
  const earlier = (instant: string) => new Date(Date.parse(instant) - byMs).toISOString()
  return {
    ...workout,
    id: random.uuid(),
    v1_id: null,
    start: earlier(workout.start),
    end: earlier(workout.end),
    created_at: now.toISOString(),
    updated_at: now.toISOString(),
  }
}
