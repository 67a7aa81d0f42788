import type { Series } from "../../src/statistics/series.ts"
import { heavyTailed, normal, type Random } from "./random.ts"

export const TAILS = { normal, heavy: heavyTailed } as const
export type Tails = keyof typeof TAILS

/** The day before a world's period: 2024-10-04. */
export const DAY_ZERO = 20_000
const MISSING = 0.1
/** Values before the first one, until the start has no influence. */
const WARM_UP = 50

/** A stationary series with memory, mean 0 and standard deviation 1. */
export function autoregressive(length: number, memory: number, innovation: () => number): number[] {
  const values: number[] = []
  let value = innovation()
  for (let index = -WARM_UP; index < length; index += 1) {
    value = memory * value + Math.sqrt(1 - memory ** 2) * innovation()
    if (index >= 0) values.push(value)
  }
  return values
}

interface Measuring {
  readonly random: Random
  /** What values are rounded to, standard deviations. 0 for none. */
  readonly step?: number
}

/** Values on consecutive days, a tenth of which are missing at random. */
export const withGaps = (values: readonly number[], firstDay: number, { random, step = 0 }: Measuring): Series =>
  values.flatMap((value, index) =>
    random() < MISSING ? [] : [{ day: firstDay + index, value: step === 0 ? value : Math.round(value / step) }],
  )

/** Two series whose values of a day are correlated. @param correlation Pearson's */
export function correlated(
  length: number,
  memory: number,
  correlation: number,
  random: Random,
): readonly [number[], number[]] {
  const [shared, own] = [0, 1].map(() => autoregressive(length, memory, () => normal(random)))
  const first = shared ?? []
  const second = first.map(
    (value, index) => correlation * value + Math.sqrt(1 - correlation ** 2) * (own?.[index] ?? 0),
  )
  return [first, second]
}
