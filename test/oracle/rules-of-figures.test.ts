/* The rules by which figures of several sources are read (docs/sources.md), as properties of answers over HTTP. */
import { SourceSettingsResponseSchema, TrendsResponseSchema } from "@restwell/client"
import fc from "fast-check"
import { afterAll, beforeAll, expect, test } from "vitest"
import { z } from "zod"
import type { Someone } from "./several/installation.ts"
import { dateOfDay, plainNight, plainWorkout } from "./several/plain-records.ts"
import { byDate, type Listed, type Sent, Stage } from "./several/stage.ts"

const RUNS = { numRuns: 3 }

let stage: Stage
beforeAll(async () => {
  stage = await Stage.open()
})
afterAll(() => stage.close())

const CycleSchema = z.looseObject({ steps: z.number().nullable(), calories: z.number().nullable() })
const stepsOf = (record: Listed): number => CycleSchema.parse(record).steps ?? 0
const total = (records: readonly Listed[]): number => records.reduce((sum, record) => sum + stepsOf(record), 0)

test("steps and energy of a date are those of one source, never a sum", async () => {
  const { someone } = stage
  await fc.assert(
    fc.asyncProperty(stage.sent, async (sent) => {
      await stage.fill(someone, sent)
      const all = byDate(await stage.records(someone, "cycle", "all"))
      for (const [date, chosen] of byDate(await stage.records(someone, "cycle"))) {
        const sources = Map.groupBy(all.get(date) ?? [], ({ source }) => source)
        const totals = [...sources.values()].map(total)
        expect(new Set(chosen.map(({ source }) => source)).size).toBe(1)
        expect(totals).toContain(total(chosen))
        expect(total(chosen)).toBe(total(sources.get(chosen[0]?.source ?? "") ?? []))
      }
    }),
    RUNS,
  )
})

test("workouts of two sources are one from an overlap of 60 % of the shorter on", async () => {
  const { someone } = stage
  const span = fc.record({ startMinute: fc.nat({ max: 60 }), minutes: fc.integer({ min: 5, max: 60 }) })
  const day = fc.record({ one: span, other: span })
  await fc.assert(
    fc.asyncProperty(fc.array(day, { minLength: 20, maxLength: 20 }), async (days) => {
      const sent = new Map([
        ["oura", days.map(({ one }, index) => plainWorkout(123 + index, one))],
        ["whoop", days.map(({ other }, index) => plainWorkout(123 + index, other))],
      ] as const)
      await stage.fill(someone, sent)
      const range = { start_date: dateOfDay(123), end_date: dateOfDay(142) }
      const chosen = byDate(await stage.list(someone, { type: "workout", ...range }))
      for (const [index, { one, other }] of days.entries()) {
        const overlap =
          Math.min(one.startMinute + one.minutes, other.startMinute + other.minutes) -
          Math.max(one.startMinute, other.startMinute)
        const isOne = overlap * 5 >= Math.min(one.minutes, other.minutes) * 3
        const listed = chosen.get(dateOfDay(123 + index)) ?? []
        expect(listed.map(({ source }) => source).sort()).toEqual(isOne ? ["oura"] : ["oura", "whoop"])
      }
    }),
    RUNS,
  )
})

async function trendsOf(someone: Someone) {
  const response = await someone.member.send("GET", "/api/account/trends?days=60")
  return TrendsResponseSchema.parse(await response.json()).days
}

test("usual ranges and deviations of the temperature are those of one source", async () => {
  const { someone, other } = stage
  let bands = 0
  let deviations = 0
  const DeviationSchema = z.looseObject({ skin_temp_deviation_celsius: z.number().nullable() })
  await fc.assert(
    fc.asyncProperty(stage.sent, async (sent) => {
      await stage.fill(someone, sent)
      const days = (await trendsOf(someone)).filter(({ recovery }) => recovery)
      for (const [name, records] of sent) {
        await stage.fill(other, new Map([[name, records]]))
        const alone = new Map((await trendsOf(other)).map((day) => [day.date, day]))
        for (const day of days.filter(({ recovery }) => recovery?.source === name)) {
          const { hrv_band, resting_heart_rate_band, spo2_band, skin_temp_deviation_band, recovery } =
            alone.get(day.date) ?? {}
          expect(day).toMatchObject({
            hrv_band,
            resting_heart_rate_band,
            spo2_band,
            skin_temp_deviation_band,
            recovery,
          })
          if (hrv_band) bands += 1
        }
        const own = (await stage.records(other, "recovery")).map(
          (each) => [each.date, DeviationSchema.parse(each)] as const,
        )
        for (const each of (await stage.records(someone, "recovery")).filter(({ source }) => source === name)) {
          const { skin_temp_deviation_celsius } = DeviationSchema.parse(each)
          expect(
            own.filter(([date]) => date === each.date).map(([, { skin_temp_deviation_celsius: value }]) => value),
          ).toContain(skin_temp_deviation_celsius)
          if (skin_temp_deviation_celsius !== null) deviations += 1
        }
      }
    }),
    RUNS,
  )
  expect([bands > 0, deviations > 0]).toEqual([true, true])
})

const figures = fc.record({
  asleepMinutes: fc.constant(420),
  restingHeartRate: fc.integer({ min: 45, max: 60 }),
  hrv: fc.integer({ min: 60, max: 80 }),
})
/** Around the bounds: 60 minutes, 5 beats, and clearly less or more than 15 %. */
const gaps = fc.record({
  minutes: fc.constantFrom(0, 59, 60, 61, -60, -61),
  beats: fc.constantFrom(0, 5, 6, -5, -6),
  ratio: fc.constantFrom(1, 1.1, 1.25, 0.9, 0.75),
})

async function differencesOf(someone: Someone) {
  const response = await someone.member.send("GET", "/api/account/sources")
  return SourceSettingsResponseSchema.parse(await response.json()).differences
}

test.each([
  ["of one method", "whoop", true],
  ["of two methods, whose HRV is never compared", "apple_health", false],
] as const)(
  "differences of sources %s are reported from 60 minutes, 5 beats and 15 % on",
  async (_, second, isOneMethod) => {
    const { someone } = stage
    const night = fc.record({ figures, gaps })
    await fc.assert(
      fc.asyncProperty(fc.array(night, { minLength: 30, maxLength: 30 }), async (nights) => {
        const measuredBy = (isSecond: boolean) =>
          nights.flatMap((each, day) => {
            const { asleepMinutes, restingHeartRate, hrv } = each.figures
            const { minutes, beats, ratio } = isSecond ? each.gaps : { minutes: 0, beats: 0, ratio: 1 }
            return plainNight(day, {
              asleepMinutes: asleepMinutes + minutes,
              restingHeartRate: restingHeartRate + beats,
              hrv: hrv * ratio,
            })
          })
        const sent: Sent = new Map([
          ["oura", measuredBy(false)],
          [second, measuredBy(true)],
        ])
        await stage.fill(someone, sent)
        await stage.prefer(someone, [second, "oura"])
        const expected = nights
          .flatMap(({ gaps: { minutes, beats, ratio } }, day) => {
            const isOtherSleep = Math.abs(minutes) > 60
            const isOtherRecovery = Math.abs(beats) > 5 || (isOneMethod && Math.abs(ratio - 1) > 0.15)
            const date = dateOfDay(day)
            return [...(isOtherSleep ? [`${date} sleep`] : []), ...(isOtherRecovery ? [`${date} recovery`] : [])]
          })
          .sort()
        const differences = await differencesOf(someone)
        expect(differences.map(({ type, date }) => `${date} ${type}`).sort()).toEqual(expected)
        for (const { values } of differences)
          expect(values.map(({ source, chosen }) => [source, chosen])).toEqual([
            [second, true],
            ["oura", false],
          ])
      }),
      RUNS,
    )
  },
)

test("only the last 90 such dates are listed, the newest first", async () => {
  const { someone } = stage
  const nights = (asleepMinutes: number) =>
    Array.from({ length: 100 }, (_, day) => plainNight(day, { asleepMinutes, restingHeartRate: 50, hrv: 60 })).flat()
  await stage.fill(
    someone,
    new Map([
      ["oura", nights(400)],
      ["whoop", nights(480)],
    ] as const),
  )
  expect((await differencesOf(someone)).map(({ date }) => date)).toEqual(
    Array.from({ length: 90 }, (_, index) => dateOfDay(99 - index)),
  )
})
