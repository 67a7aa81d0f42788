import { afterEach, beforeEach, expect, test, vi } from "vitest"
import { MINUTE_MS } from "../model/calendar.ts"
import { SimulatedClock } from "./clock.ts"

const START = new Date("2026-11-20T12:00:00Z")

beforeEach(() => {
  vi.useFakeTimers({ now: new Date("2030-01-01T00:00:00Z") })
})
afterEach(() => {
  vi.useRealTimers()
})

test("a clock that starts at a date is constant until it is moved", () => {
  const clock = new SimulatedClock(START)
  vi.advanceTimersByTime(5000)
  expect(clock.now()).toEqual(START)
  clock.advance(1500)
  expect(clock.nowMs()).toBe(START.getTime() + 1500)
  clock.set(new Date("2026-01-01T00:00:00Z"))
  expect(clock.now().toISOString()).toBe("2026-01-01T00:00:00.000Z")
})

test("a ticking clock continues from where it was set", () => {
  const clock = new SimulatedClock(START, true)
  vi.advanceTimersByTime(5000)
  expect(clock.nowMs()).toBe(START.getTime() + 5000)
  clock.set(START)
  vi.advanceTimersByTime(300)
  expect(clock.nowMs()).toBe(START.getTime() + 300)
  clock.stop()
})

test("the system clock is the real time and can be advanced", () => {
  const clock = new SimulatedClock("system")
  vi.advanceTimersByTime(1234)
  expect(clock.nowMs()).toBe(Date.now())
  clock.advance(MINUTE_MS)
  expect(clock.nowMs()).toBe(Date.now() + MINUTE_MS)
  clock.stop()
})

test("calls listeners on every move until it is stopped", () => {
  const clock = new SimulatedClock(START)
  const calls: number[] = []
  clock.onMove(() => calls.push(clock.nowMs() - START.getTime()))
  clock.advance(10)
  clock.advance(5)
  clock.set(START)
  clock.stop()
  clock.advance(1)
  expect(calls).toEqual([10, 15, 0])
})

test("calls listeners of a running clock every second until it is stopped", () => {
  const clock = new SimulatedClock(START, true)
  let ticks = 0
  clock.onMove(() => ticks++)
  vi.advanceTimersByTime(3000)
  clock.stop()
  vi.advanceTimersByTime(3000)
  expect(ticks).toBe(3)
})

test("refuses invalid dates and durations", () => {
  const clock = new SimulatedClock(START)
  expect(() => clock.advance(-1)).toThrow(RangeError)
  expect(() => clock.advance(Number.NaN)).toThrow(RangeError)
  expect(() => clock.set(new Date("soon"))).toThrow(RangeError)
})
