import { type HealthQuery, HealthQuerySchema } from "@restwell/client"
import { Forbidden, InvalidRequest } from "@restwell/core"
import { cycleText, recoveryText, sleepText, workoutText } from "./answer-text.ts"
import { type DayRecords, dayId } from "./days-of-record.ts"
import type { HealthSource } from "./health-source.ts"
import { plainWords } from "./shared-answer.ts"
import { OUTPUTS } from "./tool-schemas.ts"

/** All shared records of one date, as a document. */
export async function readDay(source: HealthSource, operation: string, date: string) {
  requireDate(date)
  const { sleep, recovery, workout, cycle } = await readDays(source, operation, { start_date: date, end_date: date })
  const parts = [
    sleep && sleepText(sleep),
    recovery && recoveryText(recovery),
    cycle && cycleText(cycle),
    workout && workoutText(workout),
  ]
  const text = parts.filter((part) => part !== undefined).join("\n\n")
  return { id: dayId(date), title: `Health data of ${date}`, text, url: `${source.baseUrl}/trends`, metadata: { date } }
}

/** @throws {InvalidRequest} for a date that no calendar has, in the id of a document */
export function requireDate(date: string): void {
  if (!HealthQuerySchema.shape.start_date.safeParse(date).success)
    throw new InvalidRequest(`${date} is not a calendar date`, "id")
}

/** The shared records of some dates, by type. Counts as one request. */
export async function readDays(
  source: HealthSource,
  operation: string,
  range: Omit<HealthQuery, "type">,
): Promise<DayRecords> {
  const { scopes } = source.sharing
  const types = [
    ...(scopes.includes("sleep:read") ? (["sleep"] as const) : []),
    ...(scopes.includes("recovery:read") ? (["recovery"] as const) : []),
    ...(scopes.includes("workouts:read") ? (["workout", "cycle"] as const) : []),
  ]
  if (types.length === 0)
    throw new Forbidden(
      `the person shares no sleep, recovery or workouts with this assistant, see ${source.baseUrl}/connections`,
    )
  const bodies = await source.read(
    operation,
    types.map((type) => ({ type, ...range })),
  )
  const bodyOf = (type: (typeof types)[number]): unknown => plainWords(bodies[types.indexOf(type)])
  return {
    ...(scopes.includes("sleep:read") && { sleep: OUTPUTS.sleep.parse(bodyOf("sleep")) }),
    ...(scopes.includes("recovery:read") && { recovery: OUTPUTS.recovery.parse(bodyOf("recovery")) }),
    ...(scopes.includes("workouts:read") && {
      workout: OUTPUTS.workout.parse(bodyOf("workout")),
      cycle: OUTPUTS.cycle.parse(bodyOf("cycle")),
    }),
  }
}
