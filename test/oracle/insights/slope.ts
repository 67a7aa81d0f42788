/* Theil-Sen's slope with Sen's interval, widened for memory. Section 4 of the statistics. */
import { ascending, mean, median, sum } from "./arithmetic.ts"
import { studentQuantile } from "./distributions.ts"
import { centred, type Dated, effectiveSize, memoryOf } from "./memory.ts"

export interface Slope {
  /** Per day. */
  readonly slope: number
  /** Null where its ranks leave the list of slopes. */
  readonly interval: readonly [number, number] | null
  /** 1 where the values rise more than chance explains, -1 where they fall. */
  readonly side: number
  /** Of least squares. */
  readonly fitted: number
}

const MOST_DAILY_VALUES = 400
const FEWEST_OF_A_WEEK = 3
/** 1970-01-01 was a Thursday, so that weeks begin on day -3. */
const MONDAY = -3

const weekOf = (day: number): number => Math.floor((day - MONDAY) / 7)

/** Medians of ISO weeks, numbered by week. Of whole numbers, as of a year of resting heart rates, means. */
export const weeklyMiddles = (values: readonly Dated[], fewest = FEWEST_OF_A_WEEK): Dated[] =>
  [...Map.groupBy(values, ({ day }) => weekOf(day))]
    .filter(([, ofWeek]) => ofWeek.length >= fewest)
    .map(([week, ofWeek]) => {
      const numbers = ofWeek.map(({ value }) => value)
      return { day: week, value: (isWhole(values) ? mean(numbers) : median(numbers)) ?? 0 }
    })

const isWhole = (values: readonly Dated[]): boolean => !values.some(({ value }) => value % 1 !== 0)

/** Undefined for fewer than two values. @param isSparse where single values are a few of a week */
export function slopeOf(values: readonly Dated[], isSparse = false): Slope | undefined {
  if (!isSparse && values.length <= MOST_DAILY_VALUES) return sen(values)
  const weekly = sen(isSparse ? weeklyMiddles(values, 1) : weeklyMiddles(values))
  if (!weekly) return undefined
  const { slope, interval, side, fitted } = weekly
  return { slope: slope / 7, interval: interval && [interval[0] / 7, interval[1] / 7], side, fitted: fitted / 7 }
}

/** Sen (1968), JASA 63:1379, and Mann-Kendall's S with continuity. */
function sen(values: readonly Dated[]): Slope | undefined {
  const pairs = values.flatMap((one, index) => values.slice(index + 1).map((other) => [one, other] as const))
  const slopes = ascending(pairs.map(([one, other]) => (other.value - one.value) / (other.day - one.day)))
  const middle = median(slopes)
  if (middle === null) return undefined
  const fit = fitOf(values)
  const memory = memoryOf([centred(fit.residuals)])
  const distance = distanceOf(values, memory)
  const ranked = senInterval(slopes, distance)
  if (!ranked) return { slope: middle === 0 ? fit.slope : middle, interval: null, side: 0, fitted: fit.slope }
  const s =
    pairs.filter(([one, other]) => other.value > one.value).length -
    pairs.filter(([one, other]) => other.value < one.value).length
  const side = Math.abs(s) - 1 > distance ? Math.sign(s) : 0
  // Ties are slopes of 0: where they are half of all, the line of least squares is told.
  const slope = middle === 0 ? fit.slope : middle
  const isTold = middle !== 0 || (ranked[0] < ranked[1] && ranked[0] <= slope && slope <= ranked[1])
  const [low, high] = isTold ? ranked : fittedInterval(fit, memory)
  return { slope, interval: [side > 0 && low < 0 ? 0 : low, side < 0 && high > 0 ? 0 : high], side, fitted: fit.slope }
}

interface Fit {
  readonly slope: number
  readonly residuals: readonly Dated[]
  /** Sum of the squared distances of the days from their mean. */
  readonly squares: number
}

/** The line of least squares by the two normal equations. */
function fitOf(values: readonly Dated[]): Fit {
  const [days, numbers] = [centred(values.map(({ day }) => ({ day, value: day }))), centred(values)]
  const squares = sum(days.map(({ value }) => value ** 2))
  const slope = sum(days.map(({ value }, index) => value * (numbers[index]?.value ?? 0))) / squares
  const residuals = numbers.map(({ day, value }, index) => ({ day, value: value - slope * (days[index]?.value ?? 0) }))
  return { slope, residuals, squares }
}

function fittedInterval({ slope, residuals, squares }: Fit, memory: number): readonly [number, number] {
  const variance = sum(residuals.map(({ value }) => value ** 2)) / (residuals.length - 2)
  const error = Math.sqrt((variance / squares) * ((1 + memory) / (1 - memory)))
  const reach = quantileFor(residuals.length, memory) * error
  return [slope - reach, slope + reach]
}

/** Gilbert (1987), Statistical Methods for Environmental Pollution Monitoring, 16.4 and 16.5. */
export function mannKendallVariance(values: readonly number[]): number {
  const weight = (size: number) => size * (size - 1) * (2 * size + 5)
  const ties = [...Map.groupBy(values, (value) => value).values()].map(({ length }) => weight(length))
  return (weight(values.length) - sum(ties)) / 18
}

const quantileFor = (n: number, memory: number): number => studentQuantile(Math.max(3, effectiveSize(n, memory) - 2))

/** How far S may be from 0 by chance. */
function distanceOf(values: readonly Dated[], memory: number): number {
  const variance = mannKendallVariance(values.map(({ value }) => value)) * ((1 + memory) / (1 - memory))
  return quantileFor(values.length, memory) * Math.sqrt(variance)
}

function senInterval(slopes: readonly number[], distance: number): Slope["interval"] {
  // Ranks count from 1: the M1-th and the (M2 + 1)-th of the slopes, rounded outwards.
  const low = slopes[Math.floor((slopes.length - distance) / 2) - 1]
  const high = slopes[Math.ceil((slopes.length + distance) / 2)]
  return low === undefined || high === undefined ? null : [low, high]
}
