// A recovery of today of which the vendor has sent no figure yet, from each live vendor beside WHOOP and Oura: nobody reads it as finished.
import type { Person, Simulator } from "@restwell/simulator"
import {
  type BesideName,
  startGoogleHealthBeside,
  startIntervalsBeside,
  startPolarBeside,
  startUltrahumanBeside,
  startVendor,
  startWithingsBeside,
} from "@restwell/testing/vendor"
import { createWorld } from "@restwell/testing/world"
import { afterAll, beforeAll, expect, test } from "vitest"
import { daily, wireDate } from "./google-points.ts"
import { RECHARGE } from "./polar-rows.ts"
import { EMPTY_WELLNESS } from "./wellness-rows.ts"
import { FIGURES, nightRow, second } from "./withings-world.ts"

const NOW = new Date("2026-11-20T12:00:00Z")
const HOUR_MS = 3_600_000
const TODAY = "2026-11-20"
const EARLIER = "2026-11-18"

/** One vendor with its writer of a date's recovery, with a figure or without. */
interface Written {
  readonly beside: Parameters<typeof createWorld>[0] & object
  write(person: Person, date: string, hasFigure: boolean): void
  close(): Promise<void>
}

const WRITERS: { readonly [Name in Exclude<BesideName, "oura">]: (whoop: Simulator) => Promise<Written> } = {
  async google_health(whoop) {
    const vendor = await startGoogleHealthBeside(whoop)
    const type = "daily-resting-heart-rate"
    return {
      beside: { beside: { google_health: vendor } },
      write(person, date, hasFigure) {
        const dailyRestingHeartRate = { date: wireDate(date), beatsPerMinute: hasFigure ? "52" : "0" }
        vendor.edit[type].put(person, daily(type, date, { dailyRestingHeartRate }))
      },
      close: () => vendor.close(),
    }
  },
  async polar(whoop) {
    const vendor = await startPolarBeside(whoop)
    return {
      beside: { beside: { polar: vendor } },
      write: (person, date, hasFigure) =>
        vendor.edit.recharges.put(person, { ...RECHARGE, date, heart_rate_variability_avg: hasFigure ? 61 : 0 }),
      close: () => vendor.close(),
    }
  },
  async ultrahuman(whoop) {
    const vendor = await startUltrahumanBeside(whoop)
    return {
      beside: { beside: { ultrahuman: vendor } },
      write: (person, date, hasFigure) =>
        vendor.edit.days.put(person, {
          id: date,
          metrics: [{ type: "sleep_rhr", object: { value: hasFigure ? 52 : 0 } }],
        }),
      close: () => vendor.close(),
    }
  },
  async intervals(whoop) {
    const vendor = await startIntervalsBeside(whoop)
    return {
      beside: { beside: { intervals: vendor } },
      write: (person, date, hasFigure) =>
        vendor.edit.wellness.put(person, {
          ...EMPTY_WELLNESS,
          id: date,
          updated: `${date}T08:00:00.000+00:00`,
          hrv: hasFigure ? 61 : null,
        }),
      close: () => vendor.close(),
    }
  },
  async withings(whoop) {
    const vendor = await startWithingsBeside(whoop)
    return {
      beside: { beside: { withings: vendor } },
      write(person, date, hasFigure) {
        const [startdate, enddate] = [second(`${date}T00:30:00Z`), second(`${date}T06:30:00Z`)]
        const halves = hasFigure ? { rmssd_start_avg: 40, rmssd_end_avg: 60 } : {}
        const id = Number(date.replaceAll("-", ""))
        // Of two versions the later one counts.
        const modified = enddate + (hasFigure ? 7_200 : 900)
        vendor.edit.sleep.put(
          person,
          nightRow({ id, date, startdate, enddate, modified, data: { ...FIGURES, ...halves } }),
        )
      },
      close: () => vendor.close(),
    }
  },
}

let whoop: Simulator
beforeAll(async () => {
  whoop = await startVendor({ seed: "recovery-of-today", now: NOW, days: 20 })
})
afterAll(() => whoop.close())

// A night of Withings is one row, and a row of intervals.icu is one of every date: without a figure neither says that there will be one.
test.each([
  ["google_health", { today: "pending", earlier: undefined }],
  ["polar", { today: "pending", earlier: "unscorable" }],
  ["ultrahuman", { today: "pending", earlier: undefined }],
  ["intervals", { today: undefined, earlier: undefined }],
  ["withings", { today: undefined, earlier: undefined }],
] as const)("today's recovery without figures is not finished at %s, until they come", async (name, expected) => {
  whoop.clock.set(NOW)
  const { beside, write, close } = await WRITERS[name](whoop)
  const world = await createWorld({ simulator: whoop, vendor: name, ...beside, timeoutMs: 20_000 })
  try {
    const add = async (whose: string) => {
      const person = whoop.people.add({ email: `${whose}-${name}@example.com`, history: "none" })
      for (const date of [TODAY, EARLIER]) write(person, date, false)
      const userId = await world.addUser()
      await world.connect(userId, person)
      await world.runDue()
      return { person, userId }
    }
    const statesOf = async ({ userId }: { readonly userId: string }) => {
      const { rows } = await world.store.pool.query(
        "select date::text, score_state as state from restwell.record where user_id = $1 and kind = 'recovery'",
        [userId],
      )
      const states = new Map<string, string>(rows.map(({ date, state }) => [date, state]))
      return { today: states.get(TODAY), earlier: states.get(EARLIER) }
    }
    const [waits, never] = [await add("waits"), await add("never")]
    expect(await statesOf(waits)).toEqual(expected)
    write(waits.person, TODAY, true)
    whoop.clock.advance(3 * HOUR_MS)
    await world.runDue()
    expect(await statesOf(waits)).toEqual({ ...expected, today: "scored" })
    for (let halves = 0; halves < 4; halves += 1) {
      whoop.clock.advance(12 * HOUR_MS)
      await world.runDue()
    }
    expect(await statesOf(never)).toEqual({ ...expected, today: expected.earlier })
  } finally {
    await world.close()
    await close()
  }
})
