// The HealthProvider over Oura: every figure is the one that the simulated Oura has.
import {
  CycleDataSchema,
  type HealthProvider,
  RecoveryDataSchema,
  SleepDataSchema,
  WorkoutDataSchema,
} from "@restwell/client"
import { type OuraRecords, type OuraSimulator, startOuraSimulator } from "@restwell/simulator"
import { afterAll, beforeAll, expect, test } from "vitest"
import { createHealthProvider, createOuraAdapter } from "../src/index.ts"
import { adapterUnderTest } from "./adapter-under-test.ts"
import { connect, simulatorCredentials } from "./connect.ts"
import { storedTokens } from "./stored-tokens.ts"

const SAM = "sam@example.com"
const NOW = new Date("2026-11-19T12:00:00Z")
const FROM = new Date("2026-08-20T00:00:00Z")
const TO = new Date("2026-11-16T00:00:00Z")

let simulator: OuraSimulator
let provider: HealthProvider
let documents: OuraRecords

beforeAll(async () => {
  simulator = await startOuraSimulator({ seed: 11, now: NOW, days: 120, autoApprove: true, rateLimits: "off" })
  const now = () => NOW
  const options = simulatorCredentials(simulator)
  const { adapter } = adapterUnderTest(simulator.url, options, (all) => createOuraAdapter({ ...all, now }))
  provider = createHealthProvider(
    { defaultBaseUrl: simulator.url, createAdapter: (all) => createOuraAdapter({ ...all, now }) },
    { ...options, tokens: storedTokens(await connect(adapter, SAM)), now },
  )
  documents = simulator.records(SAM)
})
afterAll(() => simulator.close())

const inRange = (start: string, end: string) => Date.parse(start) < TO.getTime() && Date.parse(end) >= FROM.getTime()
const mainSleep = (day: string) => documents.sleep.find((one) => one.day === day && one.type === "long_sleep")

test("sleeps are those of the ring, with the score of their day", async () => {
  const sleeps = await provider.getSleep(FROM, TO)
  const wanted = documents.sleep.filter(
    ({ type, bedtime_start, bedtime_end }) =>
      type !== "deleted" && type !== "rest" && inRange(bedtime_start, bedtime_end),
  )
  expect(sleeps.map(({ providerId }) => providerId).toSorted()).toEqual(wanted.map(({ id }) => id).toSorted())
  expect(wanted.length).toBeGreaterThan(70)
  for (const sleep of sleeps) {
    expect(SleepDataSchema.strict().parse(sleep)).toEqual(sleep)
    const own = wanted.find(({ id }) => id === sleep.providerId)
    const score = documents.daily_sleep.find(({ day }) => day === own?.day)?.score
    expect(sleep.start).toBe(new Date(own?.bedtime_start ?? "").toISOString())
    expect(sleep.durationMs).toBe((own?.time_in_bed ?? 0) * 1000)
    expect(sleep.isNap).toBe(own?.type !== "long_sleep")
    expect(sleep.score ?? null).toBe(own?.type === "long_sleep" ? (score ?? null) : null)
    expect(sleep.stages?.remMs).toBe(own?.rem_sleep_duration == null ? undefined : own.rem_sleep_duration * 1000)
    expect(sleep.metrics?.efficiency).toBe(own?.efficiency ?? undefined)
  }
})

test("recoveries are readinesses of their day, with the night's figures and Oura's deviation of the temperature", async () => {
  const recoveries = await provider.getRecovery(FROM, TO)
  expect(recoveries.length).toBeGreaterThan(60)
  for (const recovery of recoveries) {
    expect(RecoveryDataSchema.strict().parse(recovery)).toEqual(recovery)
    const own = documents.daily_readiness.find(({ id }) => id === recovery.providerId)
    const day = own?.day ?? documents.sleep.find(({ id }) => id === recovery.providerId)?.day ?? ""
    const oxygen = documents.daily_spo2.find((one) => one.day === day)?.spo2_percentage?.average
    expect(recovery).toEqual({
      id: `oura-${recovery.providerId}`,
      providerId: recovery.providerId,
      date: day,
      ...(own?.score != null && { score: own.score }),
      ...(recovery.metrics && {
        metrics: {
          ...(mainSleep(day)?.average_hrv != null && { hrv: mainSleep(day)?.average_hrv }),
          ...(mainSleep(day)?.lowest_heart_rate != null && { restingHeartRate: mainSleep(day)?.lowest_heart_rate }),
          ...(oxygen !== undefined && { spo2: oxygen }),
          ...(own?.temperature_deviation != null && { skinTemp: own.temperature_deviation }),
        },
      }),
    })
  }
})

test("cycles are activity days on their own dates, workouts are the ring's", async () => {
  const cycles = await provider.getCycles(FROM, TO)
  expect(cycles.length).toBeGreaterThan(60)
  for (const cycle of cycles) {
    expect(CycleDataSchema.strict().parse(cycle)).toEqual(cycle)
    const own = documents.daily_activity.find(({ id }) => id === cycle.providerId)
    expect(cycle).toMatchObject({ date: own?.day, metrics: { calories: own?.total_calories } })
  }
  const workouts = await provider.getWorkouts(FROM, TO)
  const wanted = documents.workout.filter(({ start_datetime, end_datetime }) => inRange(start_datetime, end_datetime))
  expect(workouts.map(({ providerId }) => providerId).toSorted()).toEqual(wanted.map(({ id }) => id).toSorted())
  for (const workout of workouts) expect(WorkoutDataSchema.strict().parse(workout)).toEqual(workout)
})
