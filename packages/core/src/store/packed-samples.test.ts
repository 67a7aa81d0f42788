import { round, SERIES_TYPES } from "@restwell/client"
import { DAY_MS } from "@restwell/client/time-units"
import { SAMPLE_BOUNDS, type Sample } from "@restwell/providers"
import fc from "fast-check"
import { expect, test } from "vitest"
import { columnsOf, joinSamples, packSamples, samplesOf, unpackSamples } from "./packed-samples.ts"

const DAY = "2026-11-21"

const oneSample: fc.Arbitrary<Sample> = fc.record(
  {
    atMs: fc.integer({ min: 0, max: DAY_MS - 1 }).map((offset) => Date.parse(DAY) + offset),
    value: fc.oneof(fc.integer({ min: 0, max: 100_000 }), fc.double({ min: -50, max: 1_000_000, noNaN: true })),
    durationMs: fc.integer({ min: 1, max: DAY_MS }),
    utcOffsetMinutes: fc.integer({ min: -720, max: 840 }),
  },
  { requiredKeys: ["atMs", "value"] },
)

test("unpacks what was packed, to a thousandth of a unit", () => {
  fc.assert(
    fc.property(fc.array(oneSample, { minLength: 1, maxLength: 300 }), (all) => {
      const { samples } = joinSamples("heart_rate", all)
      const unpacked = unpackSamples(DAY, packSamples(DAY, samples))
      expect(samplesOf(unpacked)).toEqual(samples)
      expect(unpacked).toEqual(columnsOf(samples))
    }),
  )
})

test("every value within the bounds of its type is stored as it is, whatever value is beside it", () => {
  for (const type of SERIES_TYPES) {
    const [least, most] = SAMPLE_BOUNDS[type]
    const decimals = type === "sleep_stages" ? 0 : 3
    const step = 10 ** -decimals
    const values = [least, most, least, most - step, least + step, most / 3, most].map((value) =>
      round(value, decimals),
    )
    const samples = values.map((value, index) => ({ atMs: Date.parse(DAY) + index * 1_000, value }))
    expect([type, samplesOf(unpackSamples(DAY, packSamples(DAY, samples)))]).toEqual([type, samples])
  }
})

test("counts of one instant are all stored, and equal ones once", () => {
  const atMs = Date.parse(DAY)
  const counts = [40, 30, 40].map((value) => ({ atMs, value }))
  expect(joinSamples("steps", counts).samples).toEqual([
    { atMs, value: 30 },
    { atMs, value: 40 },
  ])
  expect(joinSamples("heart_rate", counts).samples).toEqual([{ atMs, value: 40 }])
})

test("takes about two bytes for a heart rate every few seconds", () => {
  const samples = Array.from({ length: 8_640 }, (_, index) => ({
    atMs: Date.parse(DAY) + index * 10_000,
    value: 55 + (index % 9),
    utcOffsetMinutes: 60,
  }))
  expect(packSamples(DAY, samples).length).toBeLessThan(2.1 * samples.length)
})

test("joins samples to the same ones in any order, and however often they come", () => {
  fc.assert(
    fc.property(
      fc.constantFrom("steps" as const, "sleep_stages" as const),
      fc.array(oneSample, { minLength: 1, maxLength: 40 }),
      fc.infiniteStream(fc.nat()),
      (type, all, dice) => {
        // A few instants, so that samples meet.
        const close = all.map((sample) => ({ ...sample, atMs: Date.parse(DAY) + (sample.atMs % 7) * 1000 }))
        const shuffled = [...close, ...close]
          .map((sample) => ({ sample, at: dice.next().value ?? 0 }))
          .toSorted((one, other) => one.at - other.at)
          .map(({ sample }) => sample)
        const inTwo = joinSamples(type, [...joinSamples(type, shuffled.slice(0, 9)).samples, ...shuffled.slice(9)])
        expect(inTwo).toEqual(joinSamples(type, close))
      },
    ),
  )
})

test("keeps the earliest of more samples than a day may have, and reports how many are left out", () => {
  const many = Array.from({ length: 100_002 }, (_, index) => ({ atMs: Date.parse(DAY) + index * 500, value: 60 }))
  const { samples, leftOut } = joinSamples("heart_rate", many.toReversed())
  expect(samples).toHaveLength(100_000)
  expect(samples[0]?.atMs).toBe(Date.parse(DAY))
  expect(leftOut).toEqual([{ type: "heart_rate", reason: "more than 100000 values in a day", count: 2 }])
})

test("refuses bytes that it has not written", () => {
  expect(() => unpackSamples(DAY, Buffer.from([9, 0, 0, 1]))).toThrow("unknown format 9")
  expect(() => unpackSamples(DAY, Buffer.from([1, 1, 0, 2, 1, 1, 1, 1, 0]))).toThrow("end too early")
  expect(() => unpackSamples(DAY, Buffer.from([1, 0, 0, 255, 255, 255, 15]))).toThrow("packed samples of")
})
