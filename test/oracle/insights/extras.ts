/* Section 7 of the statistics: debt, load, social jetlag and regularity. */
import { mean, sum } from "./arithmetic.ts"
import { groupOf } from "./calendar.ts"
import { circularMean, DAY_MINUTES, onTheClock } from "./clock.ts"
import type { DailyValue, Night } from "./daily-values.ts"
import { type Expected, NumberFigure } from "./figure.ts"
import type { Metric } from "./metrics.ts"
import { type Days, isWithin } from "./part.ts"

const DEBT_DATES = 14
const FEWEST_PAIRS = 7
/** A day of sleep is from noon to noon, and has the date of waking. */
const NOON = -DAY_MINUTES / 2
const DAYS_OFF = ["saturday", "sunday"]

/** @param part values of the metric @param nights of the source of those values */
export function extrasOf(metric: Metric, days: Days, part: readonly DailyValue[], nights: readonly Night[]): Expected {
  const lastDates = (dates: number) =>
    part.filter((each) => isWithin({ first: days.last - dates + 1, last: days.last }, each)).map(({ value }) => value)
  switch (metric.id) {
    case "sleep_debt": {
      const debts = lastDates(DEBT_DATES)
      return debts.length === 0 ? null : { sleep_debt: { hours: new NumberFigure(sum(debts), 2), n: debts.length } }
    }
    case "strain": {
      const [week, month] = [lastDates(7), lastDates(28)]
      const load = (values: readonly number[]) => {
        const middle = mean(values)
        return middle === null ? null : new NumberFigure(middle, 1)
      }
      if (month.length === 0) return null
      return {
        load: { mean_7_days: load(week), n_7_days: week.length, mean_28_days: load(month), n_28_days: month.length },
      }
    }
    case "midsleep":
      return orNull({ ...jetlag(part.filter((each) => isWithin(days, each))), ...regularity(days, nights) })
    case "bedtime":
    case "wake_time":
    case "asleep":
      return orNull(regularity(days, nights))
    default:
      return null
  }
}

const orNull = (extras: Record<string, Expected>): Expected => (Object.keys(extras).length === 0 ? null : extras)

/** Middle of sleep on days off minus on working days, the shortest way. Wittmann and others (2006). */
function jetlag(middles: readonly DailyValue[]): Record<string, Expected> {
  const isOff = ({ day }: DailyValue) => DAYS_OFF.includes(groupOf(day, "weekday"))
  const off = circularMean(middles.filter(isOff).map(({ value }) => value))
  const working = circularMean(middles.filter((each) => !isOff(each)).map(({ value }) => value))
  if (off === null || working === null) return {}
  const half = DAY_MINUTES / 2
  return { social_jetlag_minutes: new NumberFigure(onTheClock(off - working + half) - half, 0) }
}

/** Share of minutes with the same state as 24 hours later, times 200 minus 100. Phillips and others (2017), Sci. Rep. 7:3216. */
function regularity(days: Days, nights: readonly Night[]): Record<string, Expected> {
  const known = nights.filter((night) => isWithin(days, night))
  const isAsleep = (minute: number) =>
    known.some(({ sleeps }) => sleeps.some(({ from, to }) => from <= minute && minute < to))
  const recorded = new Set(known.map(({ day }) => day))
  const pairs = [...recorded].filter((day) => recorded.has(day + 1))
  if (pairs.length < FEWEST_PAIRS) return {}
  let same = 0
  for (const day of pairs)
    for (let minute = 0; minute < DAY_MINUTES; minute += 1) {
      const at = day * DAY_MINUTES + minute + NOON
      if (isAsleep(at) === isAsleep(at + DAY_MINUTES)) same += 1
    }
  return { regularity_index: new NumberFigure((same / (pairs.length * DAY_MINUTES)) * 200 - 100, 1) }
}
