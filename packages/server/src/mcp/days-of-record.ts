import {
  DayResponseSchema,
  DEFAULT_PREFERENCES,
  type HealthQuery,
  HealthQuerySchema,
  type MetricId,
  wholeNightOf,
} from "@restwell/client"
import { answerText, metricNamed, nameOf, ofSource } from "@restwell/client/figures"
import { Forbidden, InvalidRequest, SCOPE_OF } from "@restwell/core/connector"
import { z } from "zod"
import { cycleText, recoveryText, sleepText, words, workoutText } from "./answer-text.ts"
import {
  type CycleOutput,
  OUTPUTS,
  plainWords,
  type RecoveryOutput,
  type SleepOutput,
  type WorkoutOutput,
} from "./tool-schemas.ts"
import type { ToolSource } from "./tool-source.ts"

/** The shared records of some dates. */
export interface DayRecords {
  readonly sleep?: SleepOutput
  readonly recovery?: RecoveryOutput
  readonly workout?: WorkoutOutput
  readonly cycle?: CycleOutput
}

export interface DayEntry {
  readonly id: string
  readonly title: string
}

export const dayId = (date: string): string => `day:${date}`

/** The page of a date. */
export const dayUrl = (baseUrl: string, date: string): string => `${baseUrl}/?date=${date}`

/** A weekday and date as titles and texts have them. */
export const dayName = (date: string): string =>
  `${Temporal.PlainDate.from(date).toLocaleString("en", { weekday: "long" })} ${date}`

/** Each date with data, newest first, titled by its figures. */
export function datedTitles({ sleep, recovery, workout, cycle }: DayRecords): { date: string; title: string }[] {
  const facts = new Map<string, string[]>()
  const note = (date: string, fact: string) => facts.set(date, [...(facts.get(date) ?? []), fact])
  for (const { date, asleep_hours, duration_hours, is_nap } of wholeNightsOf(sleep?.records ?? []))
    note(
      date,
      words(is_nap ? "nap" : "sleep", asleep_hours === null ? `${duration_hours} h in bed` : `${asleep_hours} h`),
    )
  const say = (date: string, id: MetricId, value: number | null, source: string) => {
    const metric = ofSource(metricNamed(id), source)
    if (value !== null) note(date, `${nameOf(metric)} ${answerText(metric, value, DEFAULT_PREFERENCES)}`)
  }
  for (const { date, score, hrv, source } of recovery?.records ?? []) {
    say(date, "recovery_score", score, source)
    say(date, "hrv", hrv, source)
  }
  for (const { date, strain, source } of cycle?.records ?? []) say(date, "strain", strain, source)
  for (const { date, sport_type } of workout?.records ?? []) note(date, `workout ${sport_type}`)
  return [...facts]
    .toSorted(([one], [other]) => (one < other ? 1 : -1))
    .map(([date, all]) => ({ date, title: `${dayName(date)}: ${all.join(", ")}` }))
}

/** Sleeps with each night once, also one in parts. */
function wholeNightsOf(records: SleepOutput["records"]): SleepOutput["records"] {
  const isFirstPart = ({ night, source }: SleepOutput["records"][number], index: number) =>
    night === undefined ||
    records.findIndex((other) => other.night?.start === night.start && other.source === source) === index
  return records.filter(isFirstPart).map(wholeNightOf)
}

/** All shared records of one date, as a document. */
export async function readDay(source: ToolSource, operation: string, date: string) {
  requireDate(date)
  const { preferences, baseUrl } = source
  const groups = sharedTypes(source)
  const [body] = await source.read(operation, [{ type: "day", date }], { groups })
  const { sleep, recovery, cycle, workout } = plainWords(DayResponseSchema.parse(body))
  const isEmpty = [sleep, recovery, cycle, workout].every((list) => list === null || list.count === 0)
  const parts = [
    isEmpty ? await whyEmpty(source, operation, { date, type: groups[0] }) : null,
    sleep && sleepText(sleep, preferences),
    recovery && recoveryText(recovery, preferences),
    cycle && cycleText(cycle, preferences),
    workout && workoutText(workout, preferences),
  ]
  const text = parts.filter((part) => part !== null).join("\n\n")
  return { id: dayId(date), title: `Health data of ${date}`, text, url: dayUrl(baseUrl, date), metadata: { date } }
}

/** Why a date has no record of a type, where more is known than that: as a part of the same call. */
async function whyEmpty(
  source: ToolSource,
  operation: string,
  { date, type }: { readonly date: string; readonly type: ReturnType<typeof sharedTypes>[number] | undefined },
): Promise<string | null> {
  if (type === undefined) return null
  const [body] = await source.readMore(operation, [{ type, start_date: date, end_date: date }])
  const { empty_note: note } = EmptySchema.parse(body)
  return note === undefined ? null : `Nothing of ${date}: ${note}`
}

const EmptySchema = z.object({ empty_note: z.string().optional() })

/** @throws {InvalidRequest} for a date that no calendar has, in the id of a document */
export function requireDate(date: string): void {
  if (!HealthQuerySchema.shape.start_date.safeParse(date).success)
    throw new InvalidRequest(`${date} is not a calendar date`, "id")
}

/** The types of records that are shared. @throws {Forbidden} without any */
function sharedTypes({ sharing: { scopes }, baseUrl }: ToolSource) {
  const types = (["sleep", "recovery", "workout", "cycle"] as const).filter((type) => scopes.includes(SCOPE_OF[type]))
  if (types.length > 0) return types
  throw new Forbidden(`the person shares no sleep, recovery or workouts with this assistant, see ${baseUrl}/access`)
}

/** The shared records of some dates, by type. Counts as one request. */
export async function readDays(
  source: ToolSource,
  operation: string,
  range: Omit<HealthQuery, "type">,
): Promise<DayRecords> {
  const { scopes } = source.sharing
  const types = sharedTypes(source)
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
