/*
 * The oracle: the answer that docs/api.md requires for WHOOP's raw records. It shares no code with the service, has no state, and
 * computes with fractions and Temporal instead of SQL and floats.
 */
import type { WireCycle, WireRecords, WireRecovery, WireSleep, WireWorkout } from "@restwell/simulator"
import { Chart, instantOf, scoreOf } from "./chart.ts"
import {
  dateOfSleep,
  dateOfWorkout,
  isIn,
  localDate,
  type OracleQuery,
  periodOf,
  type Range,
  rangeOf,
  written,
} from "./days.ts"
import { dividedBy, exactly, type Fraction, inHours, mean, minus, rounded, sum } from "./exact.ts"
import { dateOfCycle, dateOfRecovery } from "./night-dates.ts"
import { nightOfEachDate, type WholeNight, wholeNights } from "./nights.ts"
import { asleepMs, inBedMs, localTimes, needMs } from "./record-times.ts"
import { isRecoveryActivity, sportTypeOf } from "./sports.ts"

export interface Question {
  raw: WireRecords
  now: Date
  query: OracleQuery
}

/** Returns the body of the answer without `source` and `sources`; null where the range of dates must be refused. */
export function expectedAnswer({ raw, now, query }: Question): object | null {
  return answerFrom(new Chart(raw), now, query)
}

/** A kind that the vendor refuses, and the reason that answers give. */
export interface Refused {
  readonly kind: "recovery" | "workout"
  readonly reason: string
}

/**
 * The same for a chart that is kept, because a thousand questions about one person need only one.
 * @param refused since before the range. The chart has no record of it
 */
export function answerFrom(chart: Chart, now: Date, query: OracleQuery, refused?: Refused): object | null {
  const range = rangeOf(chart, now, query)
  if (!range) return null
  if (query.type === "profile") return profile(chart.raw)
  const asked = query.type === "summary" || query.type === refused?.kind ? refused : undefined
  const missing = asked
    ? missingIn(range, localDate(Temporal.Instant.fromEpochMilliseconds(now.getTime()), range.offset), asked)
    : []
  if (query.type === "summary") return { ...summary(chart, range), missing }
  const records = {
    sleep: () => sleepsIn(chart, range).map((sleep) => ({ ...sleepRecord(sleep), ...nightOf(chart, sleep) })),
    recovery: () => recoveriesIn(chart, range).map((recovery) => recoveryRecord(chart, recovery)),
    workout: () => workoutsIn(chart, range).map(workoutRecord),
    cycle: () => cyclesIn(chart, range).map((cycle) => cycleRecord(chart, cycle)),
  }[query.type]()
  return { records, count: records.length, empty_reason: records.length === 0 ? "no_data_in_range" : null, missing }
}

/* What is missing: each date up to today, latest first. */

function missingIn({ first, last }: Range, today: Temporal.PlainDate, { kind, reason }: Refused): object[] {
  const newest = Temporal.PlainDate.compare(last, today) < 0 ? last : today
  const count = Math.max(0, first.until(newest, { largestUnit: "days" }).days + 1)
  return Array.from({ length: count }, (_, index) => {
    return { date: newest.subtract({ days: index }).toString(), kind, reason, source: "whoop" }
  })
}

/* Which records: those whose date is in the range, latest start first. */

function latestFirst<Item extends { start: string }>(items: Item[]): Item[] {
  return items.sort((left, right) => instantOf(right.start) - instantOf(left.start))
}

function sleepsIn({ raw }: Chart, range: Range): WireSleep[] {
  return latestFirst(raw.sleeps.filter((sleep) => isIn(range, dateOfSleep(sleep)) && !isPartOfNight(raw, sleep)))
}

/** A nap of which half or more lies within a night. */
function isPartOfNight({ sleeps }: WireRecords, sleep: WireSleep): boolean {
  const [start, end] = [instantOf(sleep.start), instantOf(sleep.end)]
  const sharedMs = (night: WireSleep) => Math.min(end, instantOf(night.end)) - Math.max(start, instantOf(night.start))
  return sleep.nap && sleeps.some((night) => !night.nap && sharedMs(night) > 0 && 2 * sharedMs(night) >= end - start)
}

function workoutsIn({ raw }: Chart, range: Range): WireWorkout[] {
  return latestFirst(raw.workouts.filter((workout) => isIn(range, dateOfWorkout(workout))))
}

function cyclesIn(chart: Chart, range: Range): WireCycle[] {
  return latestFirst(chart.raw.cycles.filter((cycle) => isIn(range, dateOfCycle(chart, cycle))))
}

function recoveriesIn(chart: Chart, range: Range): WireRecovery[] {
  return chart.raw.recoveries
    .filter((recovery) => isIn(range, dateOfRecovery(chart, recovery)))
    .sort((left, right) => chart.momentOf(right) - chart.momentOf(left))
}

/* What a record says. A number that WHOOP left out, or has not scored, is null. */

const KILOJOULES_PER_KILOCALORIE = exactly(4.184)

function tidy(value: number | null | undefined, decimals: number): number | null {
  return value === undefined || value === null ? null : rounded(exactly(value), decimals)
}

function tidied(value: Fraction | null, decimals: number): number | null {
  return value && rounded(value, decimals)
}

function hours(milliseconds: number | null | undefined): number | null {
  return milliseconds === undefined || milliseconds === null ? null : inHours(exactly(milliseconds))
}

function kilocalories(kilojoules: number | undefined): number | null {
  return kilojoules === undefined ? null : rounded(dividedBy(exactly(kilojoules), KILOJOULES_PER_KILOCALORIE), 0)
}

function utc(text: string): string {
  return written(Temporal.Instant.from(text))
}

/** Every record of a person with one source. */
const ONLY_SOURCE = { source: "whoop", device: null, chosen_because: "only_one" }

/** WHOOP's HRV is RMSSD. */
const methodOf = (hrv: number | null) => (hrv === null ? null : "rmssd")

/** The source of a family of figures, if there is any record behind it. */
const familyOf = (records: readonly unknown[]) => (records.length === 0 ? null : "whoop")

const SCORE_STATES = { SCORED: "scored", PENDING_SCORE: "pending", UNSCORABLE: "unscorable" } as const

function sleepRecord(sleep: WireSleep): object {
  const score = scoreOf(sleep)
  return {
    id: `whoop-${sleep.id}`,
    date: dateOfSleep(sleep).toString(),
    start: utc(sleep.start),
    end: utc(sleep.end),
    ...localTimes(sleep),
    duration_hours: hours(inBedMs(sleep)),
    asleep_hours: hours(asleepMs(sleep)),
    need_hours: hours(needMs(sleep)),
    is_nap: sleep.nap,
    score_state: SCORE_STATES[sleep.score_state],
    score: {
      performance: tidy(score?.sleep_performance_percentage, 1),
      efficiency: tidy(score?.sleep_efficiency_percentage, 1),
      consistency: tidy(score?.sleep_consistency_percentage, 1),
    },
    stages: {
      light_hours: hours(score?.stage_summary.total_light_sleep_time_milli),
      deep_hours: hours(score?.stage_summary.total_slow_wave_sleep_time_milli),
      rem_hours: hours(score?.stage_summary.total_rem_sleep_time_milli),
      awake_hours: hours(score?.stage_summary.total_awake_time_milli),
    },
    respiratory_rate: tidy(score?.respiratory_rate, 1),
    times_awake: tidy(score?.stage_summary.disturbance_count, 0),
    latency_minutes: null,
    contributors: partsOfNeed(sleep),
    ...ONLY_SOURCE,
  }
}

/** WHOOP's four parts of the need, which are of its score. */
function partsOfNeed(sleep: WireSleep): object[] {
  const need = scoreOf(sleep)?.sleep_needed
  if (!need) return []
  return [
    { name: "need_baseline", value: hours(need.baseline_milli), unit: "h" },
    { name: "need_from_sleep_debt", value: hours(need.need_from_sleep_debt_milli), unit: "h" },
    { name: "need_from_recent_strain", value: hours(need.need_from_recent_strain_milli), unit: "h" },
    { name: "need_from_recent_nap", value: hours(need.need_from_recent_nap_milli), unit: "h" },
  ]
}

/** The whole night of a sleep that is a part of one. */
function nightOf({ raw }: Chart, sleep: WireSleep): { night?: object } {
  const night = wholeNights(raw.sleeps).find(({ sleeps }) => sleeps.length > 1 && sleeps.includes(sleep))
  if (!night) return {}
  return {
    night: {
      date: night.date.toString(),
      start: utc(night.start),
      end: utc(night.end),
      start_local: night.startLocal,
      end_local: night.endLocal,
      duration_hours: inHours(night.inBed),
      asleep_hours: inHours(night.asleep),
      need_hours: inHours(night.need),
      score_state: SCORE_STATES[night.state],
      score: {
        performance: tidied(night.performance, 1),
        efficiency: tidied(night.efficiency, 1),
        consistency: tidied(night.consistency, 1),
      },
      stages: {
        light_hours: inHours(night.light),
        deep_hours: inHours(night.deep),
        rem_hours: inHours(night.rem),
        awake_hours: inHours(night.awake),
      },
      respiratory_rate: tidied(night.respiratoryRate, 1),
      times_awake: tidied(night.timesAwake, 0),
      latency_minutes: null,
      contributors: night.needOf === null ? [] : partsOfNeed(night.needOf),
    },
  }
}

function recoveryRecord(chart: Chart, recovery: WireRecovery): object {
  const score = scoreOf(recovery)
  return {
    cycle_id: `whoop-${recovery.cycle_id}`,
    date: dateOfRecovery(chart, recovery).toString(),
    score_state: SCORE_STATES[recovery.score_state],
    score: tidy(score?.recovery_score, 1),
    hrv: tidy(score?.hrv_rmssd_milli, 1),
    hrv_method: methodOf(tidy(score?.hrv_rmssd_milli, 1)),
    resting_heart_rate: tidy(score?.resting_heart_rate, 0),
    spo2: tidy(score?.spo2_percentage, 1),
    skin_temp_celsius: tidy(score?.skin_temp_celsius, 1),
    skin_temp_deviation_celsius: tidied(skinTemperatureDeviation(chart, recovery), 1),
    contributors: [],
    ...ONLY_SOURCE,
  }
}

/** How far from the mean of the previous 30 scored nights; null before there are 5 of them. */
function skinTemperatureDeviation(chart: Chart, recovery: WireRecovery): Fraction | null {
  const own = scoreOf(recovery)?.skin_temp_celsius
  const before = chart.temperaturesBefore(recovery)
  const usual = mean(before.map(exactly))
  return own === undefined || own === null || before.length < 5 || usual === null ? null : minus(exactly(own), usual)
}

function workoutRecord(workout: WireWorkout): object {
  const score = scoreOf(workout)
  const zones = score?.zone_durations
  return {
    id: `whoop-${workout.id}`,
    date: dateOfWorkout(workout).toString(),
    start: utc(workout.start),
    end: utc(workout.end),
    ...localTimes(workout),
    duration_hours: hours(instantOf(workout.end) - instantOf(workout.start)),
    sport_type: sportTypeOf(workout),
    score_state: SCORE_STATES[workout.score_state],
    strain: tidy(score?.strain, 1),
    average_heart_rate: tidy(score?.average_heart_rate, 0),
    max_heart_rate: tidy(score?.max_heart_rate, 0),
    calories: kilocalories(score?.kilojoule),
    distance_meters: tidy(score?.distance_meter, 1),
    pace_seconds_per_km: paceOf(workout),
    time_zone_offset_minutes: minutesEast(localTimes(workout).start_local),
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
    contributors: [],
    ...ONLY_SOURCE,
  }
}

/** Of a text as 2026-11-19T17:02:10+01:00. */
function minutesEast(local: string): number {
  const [, sign, hour, minute] = /([+-])(\d\d):(\d\d)$/.exec(local) ?? []
  return (sign === "-" ? -1 : 1) * (60 * Number(hour) + Number(minute))
}

/** Whole seconds for a kilometre of a run or a walk. */
function paceOf(workout: WireWorkout): number | null {
  const meters = scoreOf(workout)?.distance_meter ?? 0
  if (!["running", "walking"].includes(sportTypeOf(workout)) || meters <= 0) return null
  return rounded(dividedBy(exactly(instantOf(workout.end) - instantOf(workout.start)), exactly(meters)), 0)
}

function cycleRecord(chart: Chart, cycle: WireCycle): object {
  const score = scoreOf(cycle)
  return {
    id: `whoop-${cycle.id}`,
    date: dateOfCycle(chart, cycle).toString(),
    start: utc(cycle.start),
    end: cycle.end ? utc(cycle.end) : null,
    ...localTimes(cycle),
    score_state: SCORE_STATES[cycle.score_state],
    strain: tidy(score?.strain, 1),
    calories: kilocalories(score?.kilojoule),
    average_heart_rate: tidy(score?.average_heart_rate, 0),
    max_heart_rate: tidy(score?.max_heart_rate, 0),
    steps: null,
    active_calories: null,
    distance_meters: null,
    contributors: [],
    ...ONLY_SOURCE,
  }
}

function profile({ profile: person, body }: WireRecords): object {
  return {
    profile: { first_name: person.first_name, last_name: person.last_name, email: person.email },
    body: {
      height_meters: body.height_meter,
      weight_kilograms: body.weight_kilogram,
      max_heart_rate: tidy(body.max_heart_rate, 0),
    },
  }
}

/* The summary: averages exclude naps and records without a score. An average of nothing is null. */

function present(values: (number | null | undefined)[]): Fraction[] {
  return values.flatMap((value) => (value === undefined || value === null ? [] : [exactly(value)]))
}

function summary(chart: Chart, range: Range): object {
  const nights = nightOfEachDate(wholeNights(chart.raw.sleeps)).filter(({ date }) => isIn(range, date))
  return {
    period: periodOf(range),
    sleep: { ...sleepSummary(nights.filter(({ state }) => state === "SCORED")), source: familyOf(nights) },
    recovery: {
      ...recoverySummary(recoveriesIn(chart, range).filter(scoreOf)),
      source: familyOf(recoveriesIn(chart, range)),
    },
    strain: strainSummary(cyclesIn(chart, range).filter(scoreOf), workoutsIn(chart, range)),
  }
}

function sleepSummary(nights: readonly WholeNight[]): object {
  const average = (read: (night: WholeNight) => Fraction | null): Fraction | null =>
    mean(nights.flatMap((night) => read(night) ?? []))
  return {
    average_duration_hours: inHours(average(({ inBed }) => inBed)),
    average_asleep_hours: inHours(average(({ asleep }) => asleep)),
    average_need_hours: inHours(average(({ need }) => need)),
    average_light_hours: inHours(average(({ light }) => light)),
    average_deep_hours: inHours(average(({ deep }) => deep)),
    average_rem_hours: inHours(average(({ rem }) => rem)),
    average_awake_hours: inHours(average(({ awake }) => awake)),
    average_performance: tidied(
      average(({ performance }) => performance),
      1,
    ),
    average_efficiency: tidied(
      average(({ efficiency }) => efficiency),
      1,
    ),
    night_count: nights.length,
  }
}

function recoverySummary(recoveries: WireRecovery[]): object {
  const scores = recoveries.map(scoreOf)
  const hrv = tidied(mean(present(scores.map((score) => score?.hrv_rmssd_milli))), 1)
  return {
    average_score: tidied(mean(present(scores.map((score) => score?.recovery_score))), 1),
    average_hrv: hrv,
    hrv_method: methodOf(hrv),
    average_rhr: tidied(mean(present(scores.map((score) => score?.resting_heart_rate))), 1),
    day_count: recoveries.length,
  }
}

function strainSummary(cycles: WireCycle[], workouts: WireWorkout[]): object {
  const strains = present(cycles.map((cycle) => scoreOf(cycle)?.strain))
  let workoutCount = 0
  for (const workout of workouts) if (!isRecoveryActivity(workout)) workoutCount += 1
  return {
    total: tidied(sum(strains), 1),
    average_daily: tidied(mean(strains), 1),
    workout_count: workoutCount,
    cycle_count: cycles.length,
    includes_open_cycle: cycles.some((cycle) => !cycle.end),
    source: familyOf(strains),
  }
}
