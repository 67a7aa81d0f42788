import { type Usual, usualBefore } from "./describe.ts"
import { meanOf, sumOf } from "./moments.ts"
import { between, type Series, valuesOf } from "./series.ts"

// What the last days say: the sleep that is missing, the strain that was carried, and figures of a morning that deviate.

const DEBT_DATES = 14
const LOAD_DATES = { week: 7, fourWeeks: 28 } as const

/** Sum of sleep need minus time asleep over the last 14 dates. Nights without a need do not count. */
interface SleepDebt {
  readonly hours: number
  /** Nights that count. */
  readonly n: number
}

/** Null without a night that has a need. @param debts hours of each night @param today the last day that counts */
export function sleepDebt(debts: Series, today: number): SleepDebt | null {
  const values = valuesOf(between(debts, today - DEBT_DATES + 1, today))
  return values.length === 0 ? null : { hours: sumOf(values), n: values.length }
}

/** Mean strain of some dates. Null without any. */
interface MeanStrain {
  readonly mean: number | null
  readonly n: number
}

/** Mean strain over 7 and 28 dates, side by side. Their ratio is not a risk. Impellizzeri et al. 2020, JOSPT 50:574 */
export function strainLoad(strain: Series, today: number): Record<keyof typeof LOAD_DATES, MeanStrain> {
  const over = (dates: number): MeanStrain => {
    const values = valuesOf(between(strain, today - dates + 1, today))
    return { mean: values.length === 0 ? null : meanOf(values), n: values.length }
  }
  return { week: over(LOAD_DATES.week), fourWeeks: over(LOAD_DATES.fourWeeks) }
}

/** Metrics that a morning's signs are of. */
export const SIGN_METRICS = ["resting_heart_rate", "hrv", "respiratory_rate", "skin_temp_deviation"] as const
export type SignMetric = (typeof SIGN_METRICS)[number]

/** Standard deviations beyond which a value is outside the usual range, in words. */
const OUTSIDE = 1
/** Standard deviations beyond which a value is a sign. */
const SIGN = 2

/** Below every unit of a figure: the mean of equal values differs from them in its last digits. */
const NOISE = 1e-9

type Direction = "above" | "below"

/** A figure that deviates. It names no cause and no illness. */
export interface Sign {
  readonly metric: SignMetric
  readonly value: number
  readonly direction: Direction
  readonly usual: Usual
  /** Mornings in a row, this one included, that deviate in this direction, each from its own usual range. */
  readonly mornings: number
}

/** On which side of its usual range a value is. Null inside, and without a usual range. */
export const outsideOf = (value: number, usual: Usual | null): Direction | null => beyond(value, usual, OUTSIDE)

function beyond(value: number, usual: Usual | null, deviations: number): Direction | null {
  if (!usual || Math.abs(value - usual.mean) <= deviations * usual.sd + NOISE) return null
  return value > usual.mean ? "above" : "below"
}

/** The signs of a morning: metrics beyond two standard deviations of the 30 values before. */
export function signsOf(histories: Readonly<Partial<Record<SignMetric, Series>>>, day: number): Sign[] {
  return SIGN_METRICS.flatMap((metric) => {
    const history = histories[metric] ?? []
    const sign = signAt(history, day)
    if (!sign) return []
    let mornings = 1
    while (signAt(history, day - mornings)?.direction === sign.direction) mornings += 1
    return [{ metric, ...sign, mornings }]
  })
}

function signAt(history: Series, day: number): Pick<Sign, "value" | "direction" | "usual"> | null {
  const value = history.find((each) => each.day === day)?.value
  const usual = usualBefore("number", history, day)
  if (value === undefined || !usual) return null
  const direction = beyond(value, usual, SIGN)
  return direction && { value, direction, usual }
}
