import { circularDeviation, circularMean } from "./circular.ts"
import { onLine, placed, type ValueKind } from "./line.ts"
import { ascending, meanOf, quantileOf, sampleDeviation } from "./moments.ts"
import { type Series, valuesOf } from "./series.ts"

/** Figures of some values. Clock times: circular mean and spread, quantiles of the times around the mean. Null without values. */
export interface Description {
  readonly n: number
  readonly mean: number | null
  readonly median: number | null
  /** Null also for a single value. */
  readonly sd: number | null
  readonly p25: number | null
  readonly p75: number | null
}

export function describe(kind: ValueKind, series: Series): Description {
  const n = series.length
  if (n === 0) return { n, mean: null, median: null, sd: null, p25: null, p75: null }
  const sorted = ascending(valuesOf(onLine(kind, series)))
  const quantile = (share: number): number => placed(kind, quantileOf(sorted, share))
  const { mean, sd } = centreOf(kind, valuesOf(series))
  return { n, mean, median: quantile(0.5), sd, p25: quantile(0.25), p75: quantile(0.75) }
}

/** Mean and standard deviation. @param values at least one */
export const centreOf = (kind: ValueKind, values: readonly number[]): { mean: number; sd: number | null } =>
  kind === "clock"
    ? { mean: circularMean(values), sd: circularDeviation(values) }
    : { mean: meanOf(values), sd: sampleDeviation(values) }
