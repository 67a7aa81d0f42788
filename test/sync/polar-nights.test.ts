// Nights of Polar: values by the clock and its changes, sums and codes, and what the recharge of the date adds.
import type { WireNight } from "@restwell/simulator"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { NIGHT, RECHARGE } from "./polar-rows.ts"
import { NOW, openPolar, type PolarWorld } from "./polar-world.ts"

let opened: PolarWorld
beforeAll(async () => {
  opened = await openPolar()
})
afterAll(() => opened.close())

const connected = async (name: string, night: Partial<WireNight>) => {
  const { person, userId } = await opened.empty(name)
  opened.vendor.edit.nights.put(person, { ...NIGHT, ...night })
  await opened.world.connect(userId, person)
  return { person, userId, record: await opened.recordOf(userId, "sleep", night.date ?? NIGHT.date) }
}

describe("a night", () => {
  test("is of its waking, with the sums, the score and the stages of the official codes", async () => {
    const { userId, record } = await connected("night", {})
    expect(record).toMatchObject({
      date: "2026-11-20",
      started_at: new Date("2026-11-19T21:41:00Z"),
      ended_at: new Date("2026-11-20T05:02:00Z"),
      offset: 120,
      score_state: "scored",
      detail: {
        scorePercent: 74,
        stages: { lightMs: 14_400_000, deepMs: 5_400_000, remMs: 5_100_000, awakeMs: 1_560_000 },
      },
    })
    expect(record.course).not.toBeNull()
    expect([await opened.valuesOf(userId, "sleep_stages"), await opened.valuesOf(userId, "heart_rate")]).toEqual([6, 3])
  })

  test.each<[string, Partial<WireNight>]>([
    ["has its codes by another order", { hypnogram: { "23:41": 0, "23:51": 1, "00:51": 3, "02:21": 4, "03:46": 1 } }],
    [
      "is unknown for more than a tenth",
      { hypnogram: { "23:41": 0, "23:51": 2, "00:51": 4, "02:21": 1, "03:46": 3, "04:46": 6, "05:46": 3, "06:46": 0 } },
    ],
    ["is in no order", { hypnogram: { "23:41": 0, "03:46": 3, "02:21": 1, "00:51": 4, "06:46": 0 } }],
    [
      "has an hour of the clock twice",
      {
        date: "2026-10-25",
        sleep_start_time: "2026-10-24T23:41:00+02:00",
        sleep_end_time: "2026-10-25T06:02:00+01:00",
      },
    ],
  ])("whose hypnogram %s has its sums alone", async (name, night) => {
    const { userId, record } = await connected(`refused-${name.replaceAll(" ", "-")}`, night)
    expect(record.detail.stages).toEqual({
      lightMs: 14_400_000,
      deepMs: 5_400_000,
      remMs: 5_100_000,
      awakeMs: 1_560_000,
    })
    expect(record.course).toBeNull()
    expect(await opened.valuesOf(userId, "sleep_stages")).toBe(0)
  })

  test("may differ from its sums by a tenth, and has neither a score nor values of zero", async () => {
    const hypnogram = { "23:41": 0, "23:51": 2, "00:51": 4, "02:21": 1, "03:46": 3, "05:46": 5, "06:06": 3, "06:46": 0 }
    const heart_rate_samples = { "23:46": 0 }
    const { userId, record } = await connected("almost", { hypnogram, heart_rate_samples, sleep_score: 0 })
    expect(record.course).not.toBeNull()
    expect(record.detail).not.toHaveProperty("scorePercent")
    expect(await opened.valuesOf(userId, "heart_rate")).toBe(0)
  })

  test("is written again under its date, and a late correction replaces it", async () => {
    const { person, userId } = await connected("rewritten", {})
    opened.vendor.edit.nights.patch(person, NIGHT.date, {
      sleep_end_time: "2026-11-20T06:58:00+02:00",
      sleep_score: 71,
    })
    await opened.world.sync(userId)
    expect(await opened.recordOf(userId, "sleep", NIGHT.date)).toMatchObject({
      ended_at: new Date("2026-11-20T04:58:00Z"),
      detail: { scorePercent: 71 },
    })
  })
})

describe("a night beside its heart rates and its recharge", () => {
  const FORWARD = {
    date: "2026-03-29",
    sleep_start_time: "2026-03-28T23:41:00+01:00",
    sleep_end_time: "2026-03-29T07:02:00+02:00",
    ...{ light_sleep: 12_900, deep_sleep: 3_600, rem_sleep: 4_800, total_interruption_duration: 1_560 },
    hypnogram: { "23:41": 0, "00:07": 3, "01:07": 4, "01:37": 3, "03:41": 1, "05:01": 4, "05:31": 3 },
  }
  test.each([
    ["on the wall, by its heart rates", FORWARD.hypnogram, { "23:46": 61, "06:56": 55 }, 90, 2],
    ["on the wall, by its last phase", { ...FORWARD.hypnogram, "06:51": 0 }, {}, 90, 0],
    ["as it was at the start, by its heart rates", FORWARD.hypnogram, { "23:46": 61, "02:31": 48 }, 120, 2],
    ["of which nothing tells what it is", FORWARD.hypnogram, { "23:46": 61 }, undefined, 0],
  ])("in which clocks go forward is read by the clock %s", async (name, hypnogram, rates, rem, count) => {
    opened.world.simulator.clock.set(new Date("2026-03-30T12:00:00Z"))
    const night = { ...FORWARD, hypnogram, heart_rate_samples: rates }
    const { userId, record } = await connected(`forward-${name.replaceAll(/\W+/g, "-")}`, night)
    opened.world.simulator.clock.set(NOW)
    expect(record.detail.stages).toMatchObject({ remMs: 4_800_000 })
    const phases: readonly string[] = record.course?.phases ?? []
    const found = rem === undefined ? [-1, -1] : [rem, rem + 39]
    expect([phases.indexOf("rem"), phases.lastIndexOf("rem")]).toEqual(found)
    expect(await opened.valuesOf(userId, "heart_rate")).toBe(count)
  })

  test("has its efficiency, and the breathing rate of its recharge, which stays while that list fails", async () => {
    const { person, userId } = await opened.empty("breathing")
    opened.vendor.edit.nights.put(person, NIGHT)
    opened.vendor.edit.nights.put(person, {
      ...{ ...NIGHT, date: "2026-11-19" },
      ...{ sleep_start_time: "2026-11-18T23:41:00+02:00", sleep_end_time: "2026-11-19T07:02:00+02:00" },
    })
    opened.vendor.edit.recharges.put(person, RECHARGE)
    opened.vendor.edit.recharges.put(person, { ...RECHARGE, date: "2026-11-19", breathing_rate_avg: 0 })
    await opened.world.connect(userId, person)
    const detailOf = async (date: string) => (await opened.recordOf(userId, "sleep", date)).detail
    const whole = { respiratoryRatePerMinute: 14.1, efficiencyPercent: expect.closeTo(94.1, 1) }
    expect(await detailOf("2026-11-20")).toMatchObject(whole)
    expect(await detailOf("2026-11-19")).not.toHaveProperty("respiratoryRatePerMinute")
    const match = { path: /nightly-recharge$/, personId: person.userId }
    const repair = opened.vendor.faults.add({ kind: "status", status: 500, match })
    opened.vendor.edit.nights.patch(person, NIGHT.date, { sleep_score: 71 })
    await opened.world.sync(userId)
    repair()
    expect(await detailOf("2026-11-20")).toMatchObject({ ...whole, scorePercent: 71 })
  })
})
