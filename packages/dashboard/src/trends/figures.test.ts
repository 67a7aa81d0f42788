import { expect, test } from "vitest"
import { NO_DAY, NO_STAGES } from "../../test/no-day.ts"
import { FIGURES, type Figure, meanOf, meanText } from "./figures.ts"

const known = (value: number, source: string): Figure => ({ value, missing: null, source, isOpen: false })
const NONE: Figure = { value: null, missing: "none", source: null, isOpen: false }

const meanOfFigures = (...figures: Figure[]) => {
  const left = [...figures]
  return meanOf(
    figures.map(() => NO_DAY),
    () => left.shift() ?? NONE,
  )
}

test("a mean takes the values of one source: that of most days", () => {
  expect(meanOfFigures(known(40, "whoop"), known(42, "whoop"), known(90, "oura"), NONE)).toEqual({
    value: 41,
    count: 2,
    missing: null,
    source: "whoop",
    isOpen: false,
  })
})

test("of two sources with equally many days, the mean takes the newest", () => {
  expect(meanOfFigures(known(40, "whoop"), known(90, "oura"))).toMatchObject({ value: 90, source: "oura" })
})

test("without a value, the reason that may still change comes first", () => {
  const pending: Figure = { value: null, missing: "pending", source: "whoop", isOpen: false }
  expect(meanOfFigures(NONE, pending)).toMatchObject({ value: null, count: 0, missing: "pending", source: null })
})

const strainOf = (strain: number, isOpen = false) => ({
  ...NO_DAY,
  strain: {
    source: "whoop",
    score_state: "scored" as const,
    strain,
    calories: null,
    steps: null,
    active_calories: null,
    is_open: isOpen,
  },
})

test("a day in progress is left out of a mean, and its own value says so", () => {
  const [open, finished] = [strainOf(2, true), strainOf(12)]
  const textOf = (days: (typeof open)[]) =>
    meanText(meanOf(days, FIGURES.strain), { key: "", tick: "", label: "", days }, String)
  expect(textOf([finished])).toBe("12")
  expect(textOf([open])).toBe("2 so far")
  expect(textOf([finished, open])).toBe("12 (mean of 1 of 2 days)")
})

test("a night in which clocks go back begins at the bedtime of the evening's clock", () => {
  const sleep = {
    source: "oura",
    score_state: "scored" as const,
    start: "2026-10-24T21:00:00.000Z",
    end: "2026-10-25T06:00:00.000Z",
    start_local: "2026-10-24T23:00:00+02:00",
    end_local: "2026-10-25T07:00:00+01:00",
    start_minutes: -120,
    end_minutes: 420,
    duration_hours: 9,
    asleep_hours: 8,
    need_hours: null,
    ...NO_STAGES,
  }
  const times = [FIGURES.bedtime, FIGURES.wakeTime].map((figureOf) => figureOf({ ...NO_DAY, sleep }).value)
  expect(times).toEqual([-60, 420])
})
