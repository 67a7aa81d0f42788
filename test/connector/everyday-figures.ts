// Figures that questions ask for, of the truth.
import { deviationOf, meanOf, rounded, type Truth, type Values, within } from "./everyday-truth.ts"

/** A Wednesday afternoon. */
export const NOW = "2026-11-18T17:00:00Z"
export const TODAY = "2026-11-18"
export const daysBack = (days: number): string => Temporal.PlainDate.from(TODAY).subtract({ days }).toString()
/** The last dates, today included. */
export const last = (values: Values, days: number): Values => within(values, daysBack(days - 1), TODAY)
export const of = (values: Values, date: string): number => values.get(date) ?? Number.NaN
export const dated = ({ date, value }: { date: string; value: number }) => [date, value]

export const OCTOBER = { start_date: "2026-10-01", end_date: "2026-10-31" }
export const inOctober = (values: Values): Values => within(values, "2026-10-01", "2026-10-31")
export const THIS_YEAR = { start_date: "2026-01-01" }
export const inThisYear = (values: Values): Values => within(values, "2026-01-01", TODAY)

/** One standard deviation around the mean of the 30 values before the latest. */
export function usual(values: Values, decimals: number): number[] {
  const before: Values = new Map([...values].slice(-31, -1))
  const [mean, deviation] = [meanOf(before), deviationOf(before)]
  return [rounded(mean - deviation, decimals), rounded(mean + deviation, decimals)]
}

export function byWeekday(values: Values): { weekday: string; mean: number }[] {
  const days = Map.groupBy(values, ([date]) =>
    Temporal.PlainDate.from(date).toLocaleString("en", { weekday: "long" }).toLowerCase(),
  )
  return [...days]
    .map(([weekday, all]) => ({ weekday, mean: rounded(meanOf(new Map(all)), 2) }))
    .toSorted((one, other) => other.mean - one.mean)
}

/** The simulated archive answers every third date with yes, counted from the newest. */
export function drinks(truth: Truth, days: number): { readonly yes: Values; readonly no: Values } {
  const dates = [...truth.recovery.keys()].toReversed()
  const newest = Temporal.PlainDate.from(TODAY)
  const isYes = (date: string) => Temporal.PlainDate.from(date).until(newest).days % 3 === 0
  const chosen = last(truth.recovery, days)
  const side = (wanted: boolean): Values =>
    new Map([...chosen].filter(([date]) => dates.includes(date) && isYes(date) === wanted))
  return { yes: side(true), no: side(false) }
}

/** A weight each Wednesday, falling evenly. WHOOP has none: they come by another way. */
export const WEIGHTS: Values = new Map(
  Array.from({ length: 20 }, (_, week) => [daysBack(7 * (19 - week)), rounded(82 - week / 10, 1)]),
)

/** Heart rates by the hour, each hour of UTC with its own, so that every local date has all of them. */
export const HEART_RATES = Array.from({ length: 24 }, (_, hour) => 50 + hour)

export const sumOf = (values: Values): number => [...values.values()].reduce((sum, value) => sum + value, 0)

/** One value a date. Entries without a value are left out. */
export function byDate(
  entries: readonly (readonly [date: string, value: number | undefined])[],
  join: (values: readonly number[]) => number,
): Values {
  const known = entries.flatMap(([date, value]) => (value === undefined ? [] : [{ date, value }]))
  const dates = [...Map.groupBy(known, ({ date }) => date)].toSorted(([one], [other]) => (one < other ? -1 : 1))
  return new Map(dates.map(([date, all]) => [date, join(all.map(({ value }) => value))]))
}
