import type { TrendDay } from "@restwell/client"
import { tonightOf } from "@restwell/client/figures"
import { expect, test } from "vitest"
import { NO_DAY, NO_STAGES } from "../../test/no-day.ts"

interface NightInput {
  readonly asleep?: number | null
  readonly need?: number | null
  readonly source?: string
}

const dayWith = ({ asleep = 7.5, need = 8, source = "whoop" }: NightInput): TrendDay => ({
  ...NO_DAY,
  sleep: {
    source,
    score_state: "scored",
    start: "2026-11-18T22:30:00.000Z",
    end: "2026-11-19T06:30:00.000Z",
    start_local: "2026-11-18T22:30:00+00:00",
    end_local: "2026-11-19T06:30:00+00:00",
    start_minutes: -90,
    end_minutes: 411,
    duration_hours: 8,
    asleep_hours: asleep,
    need_hours: need,
    ...NO_STAGES,
  },
})

const nights = (count: number, night: NightInput = {}) => Array.from({ length: count }, () => dayWith(night))

test("the bedtime is waking minus the need and the time awake in bed, all of the person's own nights", () => {
  // 06:50 minus 8 h minus 30 min.
  expect(tonightOf(nights(14))).toEqual({
    source: "whoop",
    nights: 14,
    bedtime: -100,
    usualBedtime: -90,
    wake: 410,
    sleep: 480,
    isNeed: true,
    debt: 7 * 60,
  })
})

test("the usual bedtime is that of the clock in the evening, in weeks of flights too", () => {
  const flown = nights(14).map(({ sleep, ...day }) => ({
    ...day,
    sleep: sleep && { ...sleep, start_local: "2026-11-18T21:00:00-05:00", start_minutes: 180 },
  }))
  expect(tonightOf(flown)?.usualBedtime).toBe(-180)
})

test("without a need it is the usual sleep, and no debt is made up", () => {
  expect(tonightOf(nights(14, { need: null }))).toMatchObject({
    sleep: 450,
    isNeed: false,
    debt: undefined,
    bedtime: -70,
  })
})

test("too few nights say nothing, and those of another device do not count", () => {
  expect(tonightOf(nights(6))).toBeUndefined()
  expect(tonightOf([...nights(10, { source: "oura" }), ...nights(4)])).toBeUndefined()
  expect(tonightOf([...nights(7), ...nights(7, { asleep: null })])).toMatchObject({ nights: 7 })
  expect(tonightOf([])).toBeUndefined()
  expect(tonightOf(nights(14, { asleep: 8.5 }))?.debt).toBe(-7 * 60)
})
