import { HOUR_MS } from "@restwell/client/time-units"
import fc from "fast-check"
import { expect, test } from "vitest"
import { asleepMsOf, type StoredRecord, type StoredSleep } from "../store/stored-record.ts"
import { nightsOf, withWholeNights } from "./nights.ts"

const MIDNIGHT_MS = Date.parse("2026-11-20T00:00:00Z")

/** A sleep from and to hours after midnight. */
function sleep(
  from: number,
  to: number,
  { hasStages = true, ...change }: Partial<StoredSleep> & { readonly hasStages?: boolean } = {},
): StoredSleep {
  const [startMs, endMs] = [MIDNIGHT_MS + Math.round(from * HOUR_MS), MIDNIGHT_MS + Math.round(to * HOUR_MS)]
  const durationMs = endMs - startMs
  const [half, fifth, tenth] = [0.5 * durationMs, 0.2 * durationMs, 0.1 * durationMs]
  const stages = { lightMs: half, deepMs: fifth, remMs: fifth, awakeMs: tenth }
  return {
    kind: "sleep",
    provider: "phone",
    providerId: `sleep ${from}`,
    fromArchive: false,
    date: new Date(endMs).toISOString().slice(0, 10),
    scoreState: "scored",
    updatedMs: endMs,
    utcOffsetMinutes: 0,
    startMs,
    endMs,
    isNap: false,
    durationMs,
    ...(hasStages && { stages }),
    ...change,
  }
}

const WITHOUT_STAGES = { hasStages: false }
const asleep = (hours: number) => ({ ...WITHOUT_STAGES, asleepMs: hours * HOUR_MS })
const only = (...sleeps: StoredSleep[]): StoredSleep | undefined => {
  const nights = nightsOf(sleeps)
  expect(nights).toHaveLength(1)
  return nights[0]?.night
}

test("getting up between two parts is once more awake, and falling asleep is that of the first", () => {
  const [first, last] = [sleep(-3, -0.5, { timesAwake: 2, latencyMs: 60_000 }), sleep(1, 7, { timesAwake: 3 })]
  expect(only(first, last)).toMatchObject({ timesAwake: 6, latencyMs: 60_000 })
  expect(only(first, sleep(1, 7, { latencyMs: 90_000 }))).not.toHaveProperty("timesAwake")
  expect(only(sleep(-3, -0.5), sleep(1, 7, { latencyMs: 90_000 }))).not.toHaveProperty("latencyMs")
})

test("two parts are one night of the date of the last waking, with the time between as awake", () => {
  const first = sleep(-3, -0.5, {
    efficiencyPercent: 90,
    respiratoryRatePerMinute: 14,
    needMs: 8 * HOUR_MS,
    scorePercent: 30,
  })
  const last = sleep(1, 7, {
    efficiencyPercent: 80,
    respiratoryRatePerMinute: 15,
    needMs: 7 * HOUR_MS,
    scorePercent: 70,
    consistencyPercent: 60,
  })
  expect(first.date).toBe("2026-11-19")
  expect(only(first, last)).toMatchObject({
    date: "2026-11-20",
    startMs: first.startMs,
    endMs: last.endMs,
    durationMs: 10 * HOUR_MS,
    stages: { lightMs: 4.25 * HOUR_MS, deepMs: 1.7 * HOUR_MS, remMs: 1.7 * HOUR_MS, awakeMs: 2.35 * HOUR_MS },
    // 2.25 and 4.8 of 10 hours.
    efficiencyPercent: 70.5,
    respiratoryRatePerMinute: (14 * 2.5 + 15 * 6) / 8.5,
    scorePercent: 70,
    needMs: 7 * HOUR_MS,
    consistencyPercent: 60,
  })
})

test("a nap, two hours, another source and another device keep sleeps apart", () => {
  const night = sleep(0, 5)
  expect(nightsOf([night, sleep(6, 7, { isNap: true })]).map((each) => each.night)).toEqual([night])
  expect(nightsOf([night, sleep(7, 8)])).toHaveLength(2)
  expect(nightsOf([night, sleep(7 - 1 / 3600, 8)])).toHaveLength(1)
  expect(nightsOf([night, sleep(6, 8, { provider: "oura" })])).toHaveLength(2)
  // The other device's hours are not added to the first one's, and are no second night.
  expect(only(night, sleep(6, 8, { device: "Ring" }))).toEqual(night)
  expect(only(night, sleep(0.5, 4, { device: "Ring" }))).toEqual(night)
})

test("a figure that only one part has is that of the night, and a missing time asleep is no zero", () => {
  expect(only(sleep(0, 5), sleep(6, 7, { scorePercent: 81 }))?.scorePercent).toBe(81)
  const half = only(sleep(0, 5), sleep(6, 7, asleep(0.75)))
  expect(half).toMatchObject({ asleepMs: 5.25 * HOUR_MS })
  expect(half).not.toHaveProperty("stages")
  // A part of which nothing is known leaves the night as it is.
  expect(only(sleep(0, 5), sleep(6, 7, WITHOUT_STAGES))).toEqual(sleep(0, 5))
  const inBed = [sleep(0, 5, WITHOUT_STAGES), sleep(6, 7, WITHOUT_STAGES)]
  expect(only(...inBed)).toMatchObject({ durationMs: 7 * HOUR_MS })
  for (const field of ["stages", "asleepMs"]) expect(only(...inBed)).not.toHaveProperty(field)
})

test("a part that is still to be scored keeps the night pending", () => {
  const pending = sleep(3, 7, { ...WITHOUT_STAGES, scoreState: "pending" })
  expect(only(sleep(0, 2), pending)).toMatchObject({ scoreState: "pending", endMs: pending.endMs })
  expect(only(sleep(0, 2), pending)).not.toHaveProperty("asleepMs")
  expect(only(sleep(0, 2), { ...pending, scoreState: "unscorable" })).toEqual(sleep(0, 2))
})

test("the heart rate is the mean of the time asleep, and the lowest of all parts", () => {
  const lowest = { lowestHeartRateBpm: 44, lowestHeartRateAtMs: MIDNIGHT_MS + HOUR_MS }
  const first = sleep(0, 2, { averageHeartRateBpm: 50, ...lowest })
  const later = { lowestHeartRateBpm: 46, lowestHeartRateAtMs: MIDNIGHT_MS + 4 * HOUR_MS }
  const last = sleep(3, 7, { averageHeartRateBpm: 56, ...later })
  expect(only(first, last)).toMatchObject({ averageHeartRateBpm: 54, ...lowest })
  expect(only(first, sleep(3, 7))).toMatchObject({ averageHeartRateBpm: 50, ...lowest })
  const without = only(sleep(0, 2), sleep(3, 7))
  for (const field of ["averageHeartRateBpm", ...Object.keys(lowest)]) expect(without).not.toHaveProperty(field)
})

/** Main sleeps of one device in minutes, each a while after the one before. */
const lives = fc
  .array(
    fc.record({
      apart: fc.integer({ min: 0, max: 400 }),
      minutes: fc.integer({ min: 10, max: 500 }),
      hasStages: fc.boolean(),
      isNap: fc.boolean(),
    }),
    { minLength: 1, maxLength: 12 },
  )
  .map((steps) => {
    let end = 0
    return steps.map(({ apart, minutes, hasStages, isNap }) => {
      const start = end + apart
      end = start + minutes
      return sleep(start / 60, end / 60, { isNap, ...(!hasStages && asleep((0.8 * minutes) / 60)) })
    })
  })

test("whatever the parts are: nights are two hours apart, no time is lost or counted twice, and naps stay as they are", () => {
  fc.assert(
    fc.property(lives, fc.nat(), (sleeps, seed) => {
      const shuffled = sleeps.toSorted(
        (one, other) => ((one.startMs * (seed + 7)) % 101) - ((other.startMs * (seed + 7)) % 101),
      )
      const naps = sleeps.filter(({ isNap }) => isNap)
      const main = sleeps.filter(({ isNap }) => !isNap)
      const whole = withWholeNights<StoredRecord>(shuffled).filter((fact) => fact.kind === "sleep")
      const nights = whole.filter(({ isNap }) => !isNap).toSorted((one, other) => one.startMs - other.startMs)
      expect(new Set(whole.filter(({ isNap }) => isNap))).toEqual(new Set(naps))
      // Once put together, they stay as they are.
      expect(withWholeNights(nights)).toEqual(nights)
      expect(new Set(withWholeNights(shuffled.toReversed()))).toEqual(new Set(whole))
      for (const [index, { startMs }] of nights.slice(1).entries())
        expect(startMs - (nights[index]?.endMs ?? 0)).toBeGreaterThanOrEqual(2 * HOUR_MS)
      const total = (values: readonly (number | null)[]) => values.reduce<number>((sum, value) => sum + (value ?? 0), 0)
      expect(total(nights.map(asleepMsOf))).toBeCloseTo(total(main.map(asleepMsOf)), 3)
      for (const night of nights) {
        expect(night.durationMs).toBe(night.endMs - night.startMs)
        expect(night.date).toBe(new Date(night.endMs).toISOString().slice(0, 10))
        const { lightMs = 0, deepMs = 0, remMs = 0, awakeMs = 0 } = night.stages ?? {}
        if (night.stages) expect(lightMs + deepMs + remMs + awakeMs).toBeCloseTo(night.durationMs, 3)
      }
    }),
  )
})
