import { round } from "../rounding/round.ts"
import { MINUTES_PER_DAY } from "./circular.ts"
import type { Metric } from "./metric.ts"
import type { DatedValue } from "./series.ts"
import type { Interval } from "./verdict.ts"

// The only place where figures of the statistics are rounded. Every other file computes with what it was given.

/** Of rho and of effect sizes. */
const RATIO_DECIMALS = 2
const MINUTES_PER_HOUR = 60

/** A value as an answer has it. Clock times are text, as in 23:41. */
export type Figure = number | string

type Shape = Pick<Metric, "kind" | "decimals">

function clockText(minutes: number): string {
  const whole = round(minutes, 0) % MINUTES_PER_DAY
  const twoDigits = (part: number): string => String(part).padStart(2, "0")
  return `${twoDigits(Math.floor(whole / MINUTES_PER_HOUR))}:${twoDigits(whole % MINUTES_PER_HOUR)}`
}

/** A value, a mean or a quantile. */
export const toFigure = ({ kind, decimals }: Shape, value: number): Figure =>
  kind === "clock" ? clockText(value) : round(value, decimals)

/** A standard deviation. Of clock times whole minutes. */
export const toSpread = ({ kind, decimals }: Shape, value: number): number =>
  round(value, kind === "clock" ? 0 : decimals)

/** A slope, a difference or a limit of their intervals: one decimal more than the metric. Of clock times whole minutes. */
export const toChange = ({ kind, decimals }: Shape, value: number): number =>
  round(value, kind === "clock" ? 0 : decimals + 1)

/** A correlation or an effect size. */
export const toRatio = (value: number): number => round(value, RATIO_DECIMALS)

export const toInterval = (toLimit: (value: number) => number, interval: Interval | null): [number, number] | null =>
  interval && [toLimit(interval.low), toLimit(interval.high)]

/** The same for what may be unknown. */
export const orNull = <Result>(to: (value: number) => Result, value: number | null): Result | null =>
  value === null ? null : to(value)

export const toDated = (shape: Shape, { date, value }: DatedValue): { date: string; value: Figure } => ({
  date,
  value: toFigure(shape, value),
})
