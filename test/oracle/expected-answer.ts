/*
 * A second, independent reading of DESIGN.md section 4: what the service must answer, worked out with plain loops from the vendor's
 * raw records alone. It shares no code with the service, and is written to be compared with the design line by line.
 */
import type { WireCycle, WireRecords, WireRecovery, WireSleep, WireWorkout } from "@restwell/simulator"

export interface OracleQuery {
  type: "summary" | "sleep" | "recovery" | "workout" | "cycle" | "profile"
  days?: number
  start_date?: string
  end_date?: string
}

const HOUR = 3_600_000
const DAY = 24 * HOUR

/** The body without its `source`, or `"invalid"` where the range is refused. */
export function expectedAnswer(raw: WireRecords, now: Date, query: OracleQuery): unknown {
  const range = rangeOf(raw, now, query)
  if (range === "invalid") return "invalid"
  const within = (date: string) => date >= range.from && date <= range.to
  switch (query.type) {
    case "sleep":
      return listOf(byStart(raw.sleeps.filter((sleep) => within(dateOfSleep(sleep)))).map(sleepAnswer))
    case "workout":
      return listOf(byStart(raw.workouts.filter((workout) => within(dateOfWorkout(workout)))).map(workoutAnswer))
    case "cycle":
      return listOf(
        byStart(raw.cycles.filter((cycle) => within(dateOfCycle(raw, cycle)))).map((cycle) => cycleAnswer(raw, cycle)),
      )
    case "recovery":
      return listOf(
        newestFirst(raw, raw.recoveries)
          .filter((recovery) => within(dateOfRecovery(raw, recovery)))
          .map((recovery) => recoveryAnswer(raw, recovery)),
      )
    case "profile":
      return {
        profile: { first_name: raw.profile.first_name, last_name: raw.profile.last_name, email: raw.profile.email },
        body: {
          height_meters: raw.body.height_meter,
          weight_kilograms: raw.body.weight_kilogram,
          max_heart_rate: tidy(raw.body.max_heart_rate, 0),
        },
      }
    case "summary":
      return summaryAnswer(raw, range, within)
  }
}

/* Time and days */

/** Minutes east of UTC of `+hh:mm`, `-hh:mm` or `Z`. */
function minutesOf(offset: string): number {
  if (offset === "Z") return 0
  const [hours = "0", minutes = "0"] = offset.slice(1).split(":")
  return (offset.startsWith("-") ? -1 : 1) * (Number(hours) * 60 + Number(minutes))
}

const localDate = (milliseconds: number, offset: string): string =>
  new Date(milliseconds + minutesOf(offset) * 60_000).toISOString().slice(0, 10)

export const dateOfSleep = (sleep: WireSleep): string => localDate(Date.parse(sleep.end), sleep.timezone_offset)
export const dateOfWorkout = (workout: WireWorkout): string =>
  localDate(Date.parse(workout.start), workout.timezone_offset)

export function dateOfCycle(raw: WireRecords, cycle: WireCycle): string {
  let main: WireSleep | undefined
  for (const sleep of raw.sleeps)
    if (sleep.cycle_id === cycle.id && !sleep.nap && (!main || sleep.start < main.start)) main = sleep
  return main ? dateOfSleep(main) : localDate(Date.parse(cycle.start) + 12 * HOUR, cycle.timezone_offset)
}

function sleepOf(raw: WireRecords, recovery: WireRecovery): WireSleep | undefined {
  return raw.sleeps.find((sleep) => sleep.id === recovery.sleep_id)
}

function cycleOf(raw: WireRecords, recovery: WireRecovery): WireCycle | undefined {
  return raw.cycles.find((cycle) => cycle.id === recovery.cycle_id)
}

export function dateOfRecovery(raw: WireRecords, recovery: WireRecovery): string {
  const sleep = sleepOf(raw, recovery)
  if (sleep) return dateOfSleep(sleep)
  const cycle = cycleOf(raw, recovery)
  return cycle ? dateOfCycle(raw, cycle) : recovery.created_at.slice(0, 10)
}

function timeOfRecovery(raw: WireRecords, recovery: WireRecovery): number {
  return Date.parse((sleepOf(raw, recovery) ?? cycleOf(raw, recovery))?.start ?? recovery.created_at)
}

/** The offset of the newest record; at the same start a sleep's, that of waking, before its cycle's, that of falling asleep. */
function offsetOfToday(raw: WireRecords): string {
  let newest = { start: "", offset: "Z" }
  for (const { start, timezone_offset } of [...raw.sleeps, ...raw.workouts, ...raw.cycles])
    if (start > newest.start) newest = { start, offset: timezone_offset }
  return newest.offset
}

interface Range {
  from: string
  to: string
  offset: string
}

function rangeOf(raw: WireRecords, now: Date, { days = 7, start_date, end_date }: OracleQuery): Range | "invalid" {
  const offset = offsetOfToday(raw)
  const to = end_date ?? localDate(now.getTime(), offset)
  const from = start_date ?? new Date(Date.parse(to) - (days - 1) * DAY).toISOString().slice(0, 10)
  const length = (Date.parse(to) - Date.parse(from)) / DAY + 1
  return length < 1 || length > 90 ? "invalid" : { from, to, offset }
}

/* Answers */

/** Half up on the decimal value, as a person rounds. */
function tidy(value: number | null | undefined, decimals: number): number | null {
  if (value === null || value === undefined) return null
  const scaled = Number((value * 10 ** decimals).toPrecision(15))
  return Math.floor(scaled + 0.5) / 10 ** decimals
}

const hours = (milliseconds: number | undefined): number | null =>
  milliseconds === undefined ? null : tidy(milliseconds / HOUR, 2)

const stateOf = (record: { score_state: string }): string =>
  ({ SCORED: "scored", PENDING_SCORE: "pending", UNSCORABLE: "unscorable" })[record.score_state] ?? "?"

const scoreOf = <Score>(record: { score_state: string; score?: Score | null }): Score | undefined =>
  record.score_state === "SCORED" ? (record.score ?? undefined) : undefined

const listOf = (records: unknown[]) => ({
  records,
  count: records.length,
  empty_reason: records.length > 0 ? null : "no_data_in_range",
})

const iso = (text: string): string => new Date(text).toISOString()

function byStart<Item extends { start: string; id: string | number }>(items: Item[]): Item[] {
  return items.sort((a, b) => Date.parse(b.start) - Date.parse(a.start) || (String(a.id) < String(b.id) ? 1 : -1))
}

function newestFirst(raw: WireRecords, recoveries: readonly WireRecovery[]): WireRecovery[] {
  return [...recoveries].sort(
    (a, b) => timeOfRecovery(raw, b) - timeOfRecovery(raw, a) || (String(a.cycle_id) < String(b.cycle_id) ? 1 : -1),
  )
}

function inBed(sleep: WireSleep): number {
  return scoreOf(sleep)?.stage_summary.total_in_bed_time_milli ?? Date.parse(sleep.end) - Date.parse(sleep.start)
}

function sleepAnswer(sleep: WireSleep) {
  const score = scoreOf(sleep)
  const stages = score?.stage_summary
  return {
    id: `whoop-${sleep.id}`,
    date: dateOfSleep(sleep),
    start: iso(sleep.start),
    end: iso(sleep.end),
    duration_hours: hours(inBed(sleep)),
    is_nap: sleep.nap,
    score_state: stateOf(sleep),
    score: {
      performance: tidy(score?.sleep_performance_percentage, 1),
      efficiency: tidy(score?.sleep_efficiency_percentage, 1),
      consistency: tidy(score?.sleep_consistency_percentage, 1),
    },
    stages: {
      light_hours: hours(stages?.total_light_sleep_time_milli),
      deep_hours: hours(stages?.total_slow_wave_sleep_time_milli),
      rem_hours: hours(stages?.total_rem_sleep_time_milli),
      awake_hours: hours(stages?.total_awake_time_milli),
    },
    respiratory_rate: tidy(score?.respiratory_rate, 1),
  }
}

function recoveryAnswer(raw: WireRecords, recovery: WireRecovery) {
  const score = scoreOf(recovery)
  return {
    cycle_id: `whoop-${recovery.cycle_id}`,
    date: dateOfRecovery(raw, recovery),
    score_state: stateOf(recovery),
    score: tidy(score?.recovery_score, 1),
    hrv: tidy(score?.hrv_rmssd_milli, 1),
    resting_heart_rate: tidy(score?.resting_heart_rate, 0),
    spo2: tidy(score?.spo2_percentage, 1),
    skin_temp_celsius: tidy(score?.skin_temp_celsius, 1),
    skin_temp_deviation_celsius: tidy(deviation(raw, recovery), 1),
  }
}

/** From the mean of the previous 30 scored nights that have a temperature; nothing before 5 of them. */
function deviation(raw: WireRecords, recovery: WireRecovery): number | undefined {
  const own = scoreOf(recovery)?.skin_temp_celsius
  if (own === undefined || own === null) return undefined
  const warm = newestFirst(raw, raw.recoveries).filter((other) => typeof scoreOf(other)?.skin_temp_celsius === "number")
  const before = warm.slice(warm.indexOf(recovery) + 1).slice(0, 30)
  if (before.length < 5) return undefined
  let sum = 0
  for (const night of before.reverse()) sum += scoreOf(night)?.skin_temp_celsius ?? Number.NaN
  return own - sum / before.length
}

const SPORTS: Record<string, string[]> = {
  running: ["running", "trackfield", "strollerjogging"],
  cycling: ["cycling", "mountainbiking", "spin", "assaultbike"],
  swimming: ["swimming"],
  strength: ["weightlifting", "powerlifting", "strengthtrainer", "weightliftingmsk"],
  yoga: ["yoga", "hotyoga", "stretching"],
  hiit: ["hiit", "functionalfitness", "jumpingrope", "f45training", "barrys"],
  walking: ["walking", "hikingrucking", "dogwalking", "strollerwalking"],
  other: ["activity", "other"],
}
const REST = [
  "sauna",
  "icebath",
  "massagetherapy",
  "meditation",
  "aircompression",
  "percussivemassage",
  "foamrolling",
  "hottub",
  "hotshower",
]

const keyOf = (workout: WireWorkout): string => workout.sport_name.toLowerCase().replaceAll(/[^a-z0-9]/g, "")

function sportOf(workout: WireWorkout): string {
  for (const [sport, keys] of Object.entries(SPORTS)) if (keys.includes(keyOf(workout))) return sport
  return workout.sport_name.toLowerCase()
}

function workoutAnswer(workout: WireWorkout) {
  const score = scoreOf(workout)
  const zones = score?.zone_durations
  return {
    id: `whoop-${workout.id}`,
    date: dateOfWorkout(workout),
    start: iso(workout.start),
    end: iso(workout.end),
    duration_hours: hours(Date.parse(workout.end) - Date.parse(workout.start)),
    sport_type: sportOf(workout),
    score_state: stateOf(workout),
    strain: tidy(score?.strain, 1),
    average_heart_rate: tidy(score?.average_heart_rate, 0),
    max_heart_rate: tidy(score?.max_heart_rate, 0),
    calories: tidy(score && score.kilojoule / 4.184, 0),
    distance_meters: tidy(score?.distance_meter, 1),
    zones: zones
      ? {
          zone_0_hours: hours(zones.zone_zero_milli),
          zone_1_hours: hours(zones.zone_one_milli),
          zone_2_hours: hours(zones.zone_two_milli),
          zone_3_hours: hours(zones.zone_three_milli),
          zone_4_hours: hours(zones.zone_four_milli),
          zone_5_hours: hours(zones.zone_five_milli),
        }
      : null,
  }
}

function cycleAnswer(raw: WireRecords, cycle: WireCycle) {
  const score = scoreOf(cycle)
  return {
    id: `whoop-${cycle.id}`,
    date: dateOfCycle(raw, cycle),
    start: iso(cycle.start),
    end: cycle.end ? iso(cycle.end) : null,
    score_state: stateOf(cycle),
    strain: tidy(score?.strain, 1),
    calories: tidy(score && score.kilojoule / 4.184, 0),
    average_heart_rate: tidy(score?.average_heart_rate, 0),
    max_heart_rate: tidy(score?.max_heart_rate, 0),
  }
}

function mean(values: (number | undefined)[]): number | undefined {
  let [sum, count] = [0, 0]
  for (const value of values)
    if (value !== undefined) {
      sum += value
      count += 1
    }
  return count === 0 ? undefined : sum / count
}

function summaryAnswer(raw: WireRecords, { from, to, offset }: Range, within: (date: string) => boolean) {
  const nights = byStart(raw.sleeps.filter((sleep) => !sleep.nap && scoreOf(sleep) && within(dateOfSleep(sleep))))
  const recoveries = newestFirst(raw, raw.recoveries).filter(
    (each) => scoreOf(each) && within(dateOfRecovery(raw, each)),
  )
  const cycles = byStart(raw.cycles.filter((cycle) => scoreOf(cycle) && within(dateOfCycle(raw, cycle))))
  const workouts = raw.workouts.filter((workout) => within(dateOfWorkout(workout)) && !REST.includes(keyOf(workout)))
  const strains = cycles.map((cycle) => scoreOf(cycle)?.strain)
  let total: number | undefined
  for (const strain of strains) if (strain !== undefined) total = (total ?? 0) + strain
  const midnight = (date: string, plusDays: number): string =>
    new Date(Date.parse(date) + plusDays * DAY - minutesOf(offset) * 60_000).toISOString()
  return {
    period: { start: midnight(from, 0), end: midnight(to, 1), days: (Date.parse(to) - Date.parse(from)) / DAY + 1 },
    sleep: {
      average_duration_hours: hours(mean(nights.map(inBed))),
      average_performance: tidy(mean(nights.map((night) => scoreOf(night)?.sleep_performance_percentage)), 1),
      average_efficiency: tidy(mean(nights.map((night) => scoreOf(night)?.sleep_efficiency_percentage)), 1),
      night_count: nights.length,
    },
    recovery: {
      average_score: tidy(mean(recoveries.map((each) => scoreOf(each)?.recovery_score)), 1),
      average_hrv: tidy(mean(recoveries.map((each) => scoreOf(each)?.hrv_rmssd_milli)), 1),
      average_rhr: tidy(mean(recoveries.map((each) => scoreOf(each)?.resting_heart_rate)), 1),
      day_count: recoveries.length,
    },
    strain: {
      total: tidy(total, 1),
      average_daily: tidy(mean(strains), 1),
      workout_count: workouts.length,
      cycle_count: cycles.length,
      includes_open_cycle: cycles.some((cycle) => !cycle.end),
    },
  }
}
