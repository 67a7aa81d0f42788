import { expect, test } from "vitest"
import { randomFor } from "./random.ts"

const draws = (...keys: (string | number)[]) => {
  const random = randomFor(...keys)
  return Array.from({ length: 5 }, () => random.next())
}

test("the same keys give the same draws, other keys give other draws", () => {
  expect(draws("a", 1)).toEqual(draws("a", 1))
  expect(draws("a", 1)).not.toEqual(draws("a", 2))
  expect(draws("a1")).not.toEqual(draws("a", 1))
})

test("draws are spread evenly", () => {
  const random = randomFor("even")
  const tenths = Array.from({ length: 10 }, () => 0)
  for (let draw = 0; draw < 20_000; draw++) {
    const tenth = Math.floor(random.next() * 10)
    tenths[tenth] = (tenths[tenth] ?? 0) + 1
  }
  for (const count of tenths) expect(Math.abs(count - 2000)).toBeLessThan(200)
})

test("normal draws have the requested mean and spread", () => {
  const random = randomFor("normal")
  const values = Array.from({ length: 20_000 }, () => random.normal(50, 10))
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length
  const spread = Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length)
  expect(mean).toBeCloseTo(50, 0)
  expect(spread).toBeCloseTo(10, 0)
})

test("uuids have the layout of version 4 and do not repeat", () => {
  const random = randomFor("uuid")
  const uuids = Array.from({ length: 2000 }, () => random.uuid())
  for (const uuid of uuids)
    expect(uuid).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  expect(new Set(uuids).size).toBe(uuids.length)
})
