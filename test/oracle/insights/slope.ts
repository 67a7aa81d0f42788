/* Theil-Sen's slope with Sen's interval, widened for memory. Section 4 of the statistics. */
import { ascending, median, sum } from "./arithmetic.ts"
import { studentQuantile } from "./distributions.ts"
import { centred, type Dated, effectiveSize, memoryOf } from "./memory.ts"

export interface Slope {
  /** Per day. */
  readonly slope: number
  /** Null where its ranks leave the list of slopes. */
  readonly interval: readonly [number, number] | null
}

const MOST_DAILY_VALUES = 400
const FEWEST_OF_A_WEEK = 3
/** 1970-01-01 was a Thursday, so that weeks begin on day -3. */
const MONDAY = -3

const weekOf = (day: number): number => Math.floor((day - MONDAY) / 7)

/** Medians of ISO weeks, numbered by week. */
export const weeklyMedians = (values: readonly Dated[], fewest = FEWEST_OF_A_WEEK): Dated[] =>
  [...Map.groupBy(values, ({ day }) => weekOf(day))]
    .filter(([, ofWeek]) => ofWeek.length >= fewest)
    .map(([week, ofWeek]) => ({ day: week, value: median(ofWeek.map(({ value }) => value)) ?? 0 }))

/** Undefined for fewer than two values. @param isSparse where single values are a few of a week */
export function slopeOf(values: readonly Dated[], isSparse = false): Slope | undefined {
  if (!isSparse && values.length <= MOST_DAILY_VALUES) return sen(values)
  const weekly = sen(isSparse ? weeklyMedians(values, 1) : weeklyMedians(values))
  if (!weekly) return undefined
  const { slope, interval } = weekly
  return { slope: slope / 7, interval: interval && [interval[0] / 7, interval[1] / 7] }
}

/** Sen (1968), JASA 63:1379. */
function sen(values: readonly Dated[]): Slope | undefined {
  const slopes = ascending(
    values.flatMap((one, index) =>
      values.slice(index + 1).map((other) => (other.value - one.value) / (other.day - one.day)),
    ),
  )
  const slope = median(slopes)
  if (slope === null) return undefined
  const residuals = centred(values.map(({ day, value }) => ({ day, value: value - slope * day })))
  return { slope, interval: senInterval(values, slopes, memoryOf([residuals])) }
}

/** Gilbert (1987), Statistical Methods for Environmental Pollution Monitoring, 16.4 and 16.5. */
export function mannKendallVariance(values: readonly number[]): number {
  const weight = (size: number) => size * (size - 1) * (2 * size + 5)
  const ties = [...Map.groupBy(values, (value) => value).values()].map(({ length }) => weight(length))
  return (weight(values.length) - sum(ties)) / 18
}

function senInterval(values: readonly Dated[], slopes: readonly number[], memory: number): Slope["interval"] {
  const variance = mannKendallVariance(values.map(({ value }) => value)) * ((1 + memory) / (1 - memory))
  const degrees = Math.max(3, effectiveSize(values.length, memory) - 2)
  const distance = studentQuantile(degrees) * Math.sqrt(variance)
  // Ranks count from 1: the M1-th and the (M2 + 1)-th of the slopes, rounded outwards.
  const low = slopes[Math.floor((slopes.length - distance) / 2) - 1]
  const high = slopes[Math.ceil((slopes.length + distance) / 2)]
  return low === undefined || high === undefined ? null : [low, high]
}
