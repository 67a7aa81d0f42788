import { describe, expect, test } from "vitest"
import { enduranceAthlete, officeWorker } from "../../model/archetypes.ts"
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../model/calendar.ts"
import { createLife } from "../../model/life.ts"
import type { Traits } from "../../model/traits.ts"
import { PersonRecords } from "./person-records.ts"

const NOW_MS = Date.parse("2026-11-20T12:00:00Z")

function person(traits: Traits, days: number, seed = "seed", startMs = NOW_MS): PersonRecords {
  const life = createLife(seed, traits)
  const identity = { userId: 1, email: "member@example.com", firstName: "Ada", lastName: "Adler" }
  return new PersonRecords({
    person: { ...identity, traits },
    life,
    ordinal: 3,
    memberSinceMs: startMs - days * DAY_MS,
  })
}

function visible(records: PersonRecords, nowMs: number) {
  records.extendTo(nowMs)
  return {
    cycles: records.cycles.visibleAt(nowMs).map(({ body }) => body),
    sleeps: records.sleeps.visibleAt(nowMs).map(({ body }) => body),
    recoveries: records.recoveries.visibleAt(nowMs).map(({ body }) => body),
    workouts: records.workouts.visibleAt(nowMs).map(({ body }) => body),
  }
}

const year = visible(person(officeWorker, 365), NOW_MS)

describe("the visible records", () => {
  test("depend on the seed and the moment only", () => {
    const straight = person(officeWorker, 60)
    const stepwise = person(officeWorker, 60)
    for (let nowMs = NOW_MS - 60 * DAY_MS; nowMs < NOW_MS; nowMs += 7 * HOUR_MS) visible(stepwise, nowMs)
    visible(stepwise, NOW_MS + 3 * DAY_MS)
    expect(visible(stepwise, NOW_MS)).toEqual(visible(straight, NOW_MS))
  })

  test("are complete when the person is a day ahead of home", () => {
    const life = { ...officeWorker.life, tripsPerYear: 8, destinations: ["Pacific/Auckland"] as const }
    const traveller = { ...officeWorker, homeZone: "America/Los_Angeles", life }
    const ahead = person(traveller, 100).extendTo(NOW_MS + 10 * DAY_MS)
    const onTime = person(traveller, 100)
    const ids = (records: PersonRecords, nowMs: number) => records.sleeps.visibleAt(nowMs).map(({ key }) => key)
    for (let nowMs = NOW_MS - 100 * DAY_MS; nowMs <= NOW_MS; nowMs += 2 * HOUR_MS) {
      expect(ids(onTime.extendTo(nowMs), nowMs)).toEqual(ids(ahead, nowMs))
    }
  })

  test("differ between seeds", () => {
    expect(visible(person(officeWorker, 20, "one"), NOW_MS)).not.toEqual(
      visible(person(officeWorker, 20, "two"), NOW_MS),
    )
  })

  test("of a day do not depend on the first day of the history", () => {
    const longer = visible(person(officeWorker, 120), NOW_MS)
    const shorter = visible(person(officeWorker, 40), NOW_MS)
    const sinceMs = NOW_MS - 30 * DAY_MS
    const recent = (records: ReturnType<typeof visible>) =>
      Object.values(records).map((kind) => kind.filter(({ created_at }) => Date.parse(created_at) > sinceMs))
    expect(recent(shorter)).toEqual(recent(longer))
    expect(recent(shorter).every((kind) => kind.length > 5)).toBe(true)
  })

  test("contain nothing from the future", () => {
    for (let nowMs = NOW_MS; nowMs < NOW_MS + 3 * DAY_MS; nowMs += 97 * MINUTE_MS) {
      const records = Object.values(visible(person(enduranceAthlete, 20), nowMs)).flat()
      for (const record of records) {
        expect(Date.parse(record.updated_at)).toBeLessThanOrEqual(nowMs)
        expect(Date.parse(record.created_at)).toBeLessThanOrEqual(Date.parse(record.updated_at))
      }
    }
  })

  test("have a score exactly when their state is SCORED", () => {
    for (const record of Object.values(year).flat()) expect(record.score != null).toBe(record.score_state === "SCORED")
  })
})

describe("a night", () => {
  const records = person(enduranceAthlete, 30)
  const night = visible(records, NOW_MS).sleeps.find(({ nap }) => !nap)
  const wakeMs = Date.parse(night?.end ?? "")
  const stateAt = (minutes: number) => {
    const then = visible(records, wakeMs + minutes * MINUTE_MS)
    return {
      sleep: then.sleeps.find(({ id }) => id === night?.id)?.score_state,
      recovery: then.recoveries.find(({ sleep_id }) => sleep_id === night?.id)?.score_state,
    }
  }

  test("is absent before waking, pending after, and scored within 30 minutes with its recovery", () => {
    expect(stateAt(1)).toEqual({ sleep: undefined, recovery: undefined })
    expect(stateAt(8)).toEqual({ sleep: "PENDING_SCORE", recovery: undefined })
    expect(stateAt(14)).toEqual({ sleep: "PENDING_SCORE", recovery: undefined })
    expect(stateAt(35)).toEqual({ sleep: "SCORED", recovery: "SCORED" })
  })

  test("ends the cycle before it and begins one at its onset", () => {
    const before = visible(records, wakeMs).cycles[0]
    expect(before?.end ?? null).toBeNull()
    const [open, closed] = visible(records, wakeMs + 10 * MINUTE_MS).cycles
    expect(open?.end ?? null).toBeNull()
    expect(open?.id).toBe(night?.cycle_id)
    expect(closed?.id).toBe(before?.id)
    expect(closed?.end).toBe(open?.start)
    expect(closed?.score_state).toBe("PENDING_SCORE")
    const later = visible(records, wakeMs + 35 * MINUTE_MS).cycles.find(({ id }) => id === closed?.id)
    expect(later).toMatchObject({ end: closed?.end, score_state: "SCORED" })
  })
})

describe("a year of records", () => {
  test("contains all variations of real responses", () => {
    expect(year.sleeps.some(({ nap }) => nap)).toBe(true)
    expect(year.sleeps.some(({ score_state }) => score_state === "UNSCORABLE")).toBe(true)
    expect(year.sleeps.some((sleep) => "score" in sleep && sleep.score === null)).toBe(true)
    expect(year.sleeps.some((sleep) => !("score" in sleep))).toBe(true)
    expect(year.sleeps.some(({ v1_id }) => v1_id === null)).toBe(true)
    expect(year.workouts.some(({ score }) => score?.distance_meter === null)).toBe(true)
    expect(new Set(year.sleeps.map(({ timezone_offset }) => timezone_offset)).size).toBeGreaterThan(2)
    const withSleep = new Set(year.sleeps.map(({ cycle_id }) => cycle_id))
    expect(year.cycles.some(({ id }) => !withSleep.has(id))).toBe(true)
    expect(year.cycles.every(({ id }) => Number.isSafeInteger(id) && id > 2 ** 31)).toBe(true)
    const lateMs = (sleep: { updated_at: string; end: string }) => Date.parse(sleep.updated_at) - Date.parse(sleep.end)
    expect(year.sleeps.some((sleep) => !sleep.nap && lateMs(sleep) > 40 * MINUTE_MS)).toBe(true)
  })

  test("has gaps of whole days without the strap", () => {
    const starts = year.cycles.map(({ start }) => Date.parse(start))
    const apartMs = starts.slice(1).map((start, index) => (starts[index] ?? start) - start)
    expect(Math.max(...apartMs)).toBeGreaterThan(44 * HOUR_MS)
  })

  test("links every recovery to a night of its own cycle", () => {
    for (const recovery of year.recoveries) {
      const sleep = year.sleeps.find(({ id }) => id === recovery.sleep_id)
      expect(sleep).toMatchObject({ nap: false, cycle_id: recovery.cycle_id })
    }
  })

  test("has no overlapping cycles", () => {
    year.cycles.slice(1).forEach((cycle, index) => {
      expect(Date.parse(cycle.end ?? "")).toBeLessThanOrEqual(Date.parse(year.cycles[index]?.start ?? ""))
    })
  })

  test("has no workout or nap that overlaps a night or another activity", () => {
    const spans = [...year.sleeps, ...year.workouts]
      .filter(({ updated_at, end }) => Date.parse(updated_at) - Date.parse(end) < 40 * MINUTE_MS)
      .map(({ start, end }) => ({ start: Date.parse(start), end: Date.parse(end) }))
      .sort((left, right) => left.start - right.start)
    spans.slice(1).forEach((span, index) => {
      expect(span.start).toBeGreaterThanOrEqual(spans[index]?.end ?? Number.NaN)
    })
  })

  test("deletes some earlier records", () => {
    const records = person(officeWorker, 365)
    const deleted = records
      .extendTo(NOW_MS)
      .workouts.changesBetween(0, NOW_MS)
      .filter(({ body }) => body === null)
    expect(deleted.length).toBeGreaterThan(0)
    for (const { key, atMs } of deleted) {
      expect(records.workouts.at(key, atMs - 1)).not.toBeNull()
      expect(records.workouts.at(key, NOW_MS)).toBeNull()
    }
  })

  test("has version 1 ids only before September 2025", () => {
    const old = visible(
      person(officeWorker, 30, "seed", Date.parse("2025-08-20T00:00:00Z")),
      Date.parse("2025-08-20T00:00:00Z"),
    )
    expect(old.sleeps.every(({ v1_id }) => Number.isInteger(v1_id))).toBe(true)
    expect(year.sleeps.every(({ v1_id }) => v1_id == null)).toBe(true)
  })
})

test.each([
  ["2026-03-29", "+02:00"],
  ["2026-10-25", "+01:00"],
])("the night of the clock change of %s ends under the new offset %s", (date, offset) => {
  const homebody = {
    ...enduranceAthlete,
    life: { ...enduranceAthlete.life, tripsPerYear: 0, gapsPerYear: 0, chargingNights: 0 },
  }
  const noonMs = Date.parse(`${date}T12:00:00Z`)
  const { sleeps } = visible(person(homebody, 10, "dst", noonMs), noonMs)
  const night = sleeps.find(({ nap, end }) => !nap && end.startsWith(date))
  expect(night?.timezone_offset).toBe(offset)
})

test("a new member is calibrating for four nights and has no sleep performance", () => {
  const { recoveries, sleeps } = visible(person(enduranceAthlete, 12, "new"), NOW_MS)
  const scored = recoveries.toReversed().flatMap(({ score }) => (score ? [score.user_calibrating] : []))
  expect(scored.slice(0, 4)).toEqual([true, true, true, true])
  expect(scored.slice(5).some(Boolean)).toBe(false)
  expect(sleeps.at(-1)?.score?.sleep_performance_percentage).toBeUndefined()
  expect(sleeps.find(({ nap }) => !nap)?.score?.sleep_performance_percentage).toBeDefined()
})

test("a strap of the third generation measures neither blood oxygen nor skin temperature", () => {
  const { recoveries } = visible(person({ ...officeWorker, strapGeneration: 3 }, 10), NOW_MS)
  for (const { score } of recoveries) {
    expect(score?.spo2_percentage).toBeUndefined()
    expect(score?.skin_temp_celsius).toBeUndefined()
  }
})

test("generates ten years with unique cycle ids", () => {
  const { cycles, recoveries } = visible(person(enduranceAthlete, 3650), NOW_MS)
  expect(cycles.length).toBeGreaterThan(3400)
  expect(new Set(cycles.map(({ id }) => id)).size).toBe(cycles.length)
  expect(recoveries.length).toBeGreaterThan(3300)
})
