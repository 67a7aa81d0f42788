import { METRIC_IDS } from "@restwell/client"
import { factorNameOf, isMetricId, journalMetric, METRICS } from "@restwell/client/figures"
import { HOUR_MS } from "@restwell/client/time-units"
import { known } from "@restwell/providers"
import { expect, test } from "vitest"
import type { JournalFact } from "../store/statements/journal.ts"
import type { StoredCycle, StoredRecovery, StoredSleep, StoredWorkout } from "../store/stored-record.ts"
import { metricFigures } from "./figures.ts"
import { awayFrom, type DayFacts, dayFactsOf, EXTRACT, extractAnswer } from "./metrics.ts"
import { dayOf } from "./series.ts"

const common = {
  provider: "whoop",
  fromArchive: false,
  date: "2026-11-20",
  utcOffsetMinutes: 60,
  scoreState: "scored",
  updatedMs: Date.parse("2026-11-20T07:00:00Z"),
} as const

function sleep(id: string, start: string, end: string, more: Partial<StoredSleep> = {}): StoredSleep {
  const [startMs, endMs] = [Date.parse(start), Date.parse(end)]
  const durationMs = endMs - startMs
  const stages = { lightMs: durationMs / 2, deepMs: durationMs / 4, remMs: durationMs / 8, awakeMs: durationMs / 8 }
  const figures = {
    scorePercent: 90,
    efficiencyPercent: 87.5,
    consistencyPercent: 80,
    respiratoryRatePerMinute: 15,
    needMs: 8 * HOUR_MS,
  }
  const times = { startMs, endMs, durationMs, isNap: false }
  return { ...common, kind: "sleep", providerId: id, ...times, ...figures, stages, ...more }
}
const night = sleep("night", "2026-11-19T22:30:00Z", "2026-11-20T06:30:00Z")
const nap = (more: Partial<StoredSleep> = {}) =>
  sleep("nap", "2026-11-20T13:00:00Z", "2026-11-20T14:00:00Z", { isNap: true, ...more })
const recovery: StoredRecovery = {
  ...common,
  kind: "recovery",
  providerId: "r",
  startMs: night.startMs,
  cycleProviderId: "1",
  createdMs: night.endMs,
  scorePercent: 66,
  hrvMs: 55.5,
  restingHeartRateBpm: 50,
  spo2Percent: 97,
  skinTempDeviationCelsius: -0.2,
}
const effort = { strain: 12, energyKcal: 2500 }
const cycle = (end?: string): StoredCycle => ({
  ...common,
  kind: "cycle",
  providerId: "c",
  startMs: night.startMs,
  endMs: end === undefined ? null : Date.parse(end),
  ...effort,
  steps: 9000,
})
function workout(id: string, end: string, distanceMeters?: number, countsAsWorkout = true): StoredWorkout {
  const [startMs, endMs] = [Date.parse("2026-11-20T17:00:00Z"), Date.parse(end)]
  const times = { startMs, endMs, durationMs: endMs - startMs }
  const kind = { kind: "workout", sportType: "running", countsAsWorkout } as const
  return { ...common, ...kind, providerId: id, ...times, ...effort, ...known({ distanceMeters }) }
}

const valuesOf = (day: DayFacts): Record<string, number | null | undefined> =>
  Object.fromEntries(METRIC_IDS.map((id) => [id, EXTRACT[id](day)]))

test("every metric of a whole day", () => {
  const run = workout("run", "2026-11-20T18:00:00Z", 10_000)
  const strength = workout("strength", "2026-11-20T17:30:00Z")
  const sauna = workout("sauna", "2026-11-20T23:30:00Z", 5, false)
  const day = dayFactsOf([night, recovery, cycle("2026-11-20T22:00:00Z"), nap(), run, strength, sauna])
  expect(valuesOf(day)).toEqual({
    recovery_score: 66,
    hrv: 55.5,
    resting_heart_rate: 50,
    respiratory_rate: 15,
    spo2: 97,
    skin_temp_deviation: -0.2,
    asleep: 7,
    in_bed: 8,
    deep: 2,
    rem: 1,
    light: 4,
    awake: 1,
    sleep_efficiency: 87.5,
    sleep_performance: 90,
    sleep_consistency: 80,
    sleep_need: 8,
    sleep_debt: 1,
    bedtime: 23 * 60 + 30,
    wake_time: 7 * 60 + 30,
    midsleep: 3 * 60 + 30,
    nap: 0.875,
    strain: 12,
    calories: 2500,
    steps: 9000,
    workout_count: 2,
    workout: 1.5,
    distance: 10_000,
    first_workout_start: 18 * 60,
    last_workout_end: 19 * 60,
  })
})

test("the highest heart rate of a day is that of any workout that is scored, and times in zones are sums", () => {
  const hour = (zone2Ms: number) => ({ zone0Ms: 0, zone1Ms: 0, zone2Ms, zone3Ms: HOUR_MS, zone4Ms: 0, zone5Ms: 0 })
  const run = { ...workout("run", "2026-11-20T18:00:00Z"), maxHeartRateBpm: 171, zones: hour(HOUR_MS / 2) }
  const ride = { ...workout("ride", "2026-11-20T18:30:00Z"), maxHeartRateBpm: 164, zones: hour(HOUR_MS / 4) }
  const pending: StoredWorkout = {
    ...workout("row", "2026-11-20T19:00:00Z"),
    scoreState: "pending",
    maxHeartRateBpm: 199,
  }
  const scored = dayFactsOf([run, ride])
  expect(EXTRACT.workout_max_heart_rate(dayFactsOf([ride, run, pending]))).toBe(171)
  expect(EXTRACT.workout_max_heart_rate(dayFactsOf([pending]))).toBeUndefined()
  expect([EXTRACT.zone_2_hours(scored), EXTRACT.zone_3_hours(scored), EXTRACT.zone_5_hours(scored)]).toEqual([
    0.75, 2, 0,
  ])
  expect(EXTRACT.zone_2_hours(dayFactsOf([run, workout("yoga", "2026-11-20T19:00:00Z")]))).toBeUndefined()
})

test("a night is away if its clock is not that of the home zone at that instant", () => {
  const day = dayFactsOf([night])
  const summer = sleep("summer", "2026-07-19T22:30:00Z", "2026-07-20T06:30:00Z", { utcOffsetMinutes: 120 })
  expect(awayFrom("Europe/Berlin")(day)).toBe(0)
  expect(awayFrom("Europe/Berlin")(dayFactsOf([summer]))).toBe(0)
  expect(awayFrom("America/New_York")(day)).toBe(1)
  expect(awayFrom(null)(day)).toBeUndefined()
  expect(awayFrom("Europe/Berlin")(dayFactsOf([recovery]))).toBeUndefined()
})

test("a day with a record and without activities has zeros for them, and nothing else", () => {
  const values = Object.entries(valuesOf(dayFactsOf([cycle()]))).filter(([, value]) => value != null)
  expect(values).toEqual([
    ["nap", 0],
    ["workout_count", 0],
    ["workout", 0],
    ["distance", 0],
    ...[1, 2, 3, 4, 5].map((zone) => [`zone_${zone}_hours`, 0]),
  ])
})

test("pending figures are missing, and those of a record that the vendor could not score count", () => {
  const ofState = (scoreState: "pending" | "unscorable") =>
    dayFactsOf([
      { ...night, scoreState },
      { ...recovery, scoreState },
    ])
  const figuresOf = (day: ReturnType<typeof ofState>) =>
    [EXTRACT.asleep, EXTRACT.bedtime, EXTRACT.hrv].map((of) => of(day))
  expect(figuresOf(ofState("pending"))).toEqual([undefined, undefined, undefined])
  expect(figuresOf(ofState("unscorable"))).toEqual(figuresOf(dayFactsOf([night, recovery])))
  const rates = { averageHeartRateBpm: 51, lowestHeartRateBpm: 44, lowestHeartRateAtMs: night.startMs + HOUR_MS }
  const ratesOf = (scoreState: "pending" | "unscorable") => {
    const day = dayFactsOf([{ ...night, ...rates, scoreState }])
    return [EXTRACT.night_heart_rate, EXTRACT.lowest_heart_rate, EXTRACT.lowest_heart_rate_time].map((of) => of(day))
  }
  expect(ratesOf("pending")).toEqual([undefined, undefined, undefined])
  expect(ratesOf("unscorable")).toEqual([51, 44, 30])
  const {
    startMs,
    endMs,
    updatedMs,
    durationMs,
    isNap,
    kind,
    provider,
    providerId,
    date,
    fromArchive,
    utcOffsetMinutes,
  } = night
  const times = {
    startMs,
    endMs,
    updatedMs,
    durationMs,
    isNap,
    kind,
    provider,
    providerId,
    date,
    fromArchive,
    utcOffsetMinutes,
  }
  expect(EXTRACT.bedtime(dayFactsOf([{ ...times, scoreState: "unscorable" }]))).toBeUndefined()
  expect(EXTRACT.nap(dayFactsOf([nap({ scoreState: "pending" })]))).toBeUndefined()
  const run: StoredWorkout = { ...workout("run", "2026-11-20T18:00:00Z", 5000), scoreState: "pending" }
  expect(EXTRACT.distance(dayFactsOf([run, workout("other", "2026-11-20T18:00:00Z", 100)]))).toBeUndefined()
  expect(EXTRACT.workout_count(dayFactsOf([run]))).toBe(1)
})

test("of several sleeps the longest is the night, and a record that is given twice counts once", () => {
  const short = sleep("short", "2026-11-19T20:00:00Z", "2026-11-19T21:00:00Z")
  expect(EXTRACT.in_bed(dayFactsOf([short, night]))).toBe(8)
  expect(EXTRACT.nap(dayFactsOf([night, nap(), nap()]))).toBe(0.875)
})

test("bedtime and wake time each have the offset of their own moment", () => {
  const flown = { ...night, startUtcOffsetMinutes: -300, endUtcOffsetMinutes: 60 }
  const day = dayFactsOf([flown])
  expect([EXTRACT.bedtime(day), EXTRACT.wake_time(day)]).toEqual([17 * 60 + 30, 7 * 60 + 30])
})

const answered = (answer: boolean | null): JournalFact => ({
  provider: "whoop",
  date: "2026-11-20",
  factor: "alcohol",
  question: "Have any alcoholic drinks?",
  answer,
  value: null,
  isChosen: true,
})

test("an answer is yes if one of a date's is, and missing without any", () => {
  expect(extractAnswer([answered(false), answered(true)])).toBe(1)
  expect(extractAnswer([answered(false), answered(null)])).toBe(0)
  expect(extractAnswer([answered(null)])).toBeUndefined()
  expect(extractAnswer([])).toBeUndefined()
})

test("the catalogue knows its ids, and the factors of the journal by their name", () => {
  expect(METRICS.map(({ id }) => id)).toEqual(METRIC_IDS)
  expect([isMetricId("hrv"), isMetricId("toString"), isMetricId("journal:alcohol")]).toEqual([true, false, false])
  expect(journalMetric("late_meal")).toMatchObject({ id: "journal:late_meal", title: "Late meal", kind: "yes_no" })
  expect([factorNameOf("journal:late_meal"), factorNameOf("hrv")]).toEqual(["late_meal", null])
})

test("a metric's entry lists its sources, dates and number of values", () => {
  const hrv = METRICS.find(({ id }) => id === "hrv")
  if (!hrv) throw new Error("the catalogue has no hrv")
  const value = (date: string, source: string) => ({ day: dayOf(date), source, value: 1, method: null })
  const values = [value("2026-11-20", "whoop"), value("2026-11-18", "oura"), value("2026-11-19", "whoop")]
  expect(metricFigures(hrv, values)).toEqual({
    ...hrv,
    sources: ["oura", "whoop"],
    first_date: "2026-11-18",
    last_date: "2026-11-20",
    n: 3,
  })
  expect(metricFigures(hrv, [])).toMatchObject({ sources: [], first_date: null, last_date: null, n: 0 })
})
