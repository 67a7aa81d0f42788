import { meanOf } from "./moments.ts"
import { between, type Series, valuesOf } from "./series.ts"

const DEBT_DATES = 14
const LOAD_DATES = { week: 7, fourWeeks: 28 } as const

/** Sum of sleep need minus time asleep over the last 14 dates. Nights without a need do not count. */
export interface SleepDebt {
  readonly hours: number
  /** Nights that count. */
  readonly n: number
}

/** Null without a night that has a need. @param debts hours of each night @param today the last day that counts */
export function sleepDebt(debts: Series, today: number): SleepDebt | null {
  const values = valuesOf(between(debts, today - DEBT_DATES + 1, today))
  return values.length === 0 ? null : { hours: values.reduce((sum, value) => sum + value, 0), n: values.length }
}

/** Mean strain of some dates. Null without any. */
export interface MeanStrain {
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
