import type { Simulator } from "@restwell/simulator"

/** When each call of the data API was made, in ascending epoch milliseconds. */
export function callMoments({ requestLog }: Simulator): number[] {
  return requestLog.entries
    .filter(({ path }) => path.startsWith("/developer/v2/"))
    .map(({ at }) => Date.parse(at))
    .toSorted((one, other) => one - other)
}

/** The highest number of calls in any window of this length. */
export function mostCallsWithin(moments: readonly number[], windowMs: number): number {
  let most = 0
  let start = 0
  moments.forEach((moment, end) => {
    while ((moments[start] ?? moment) <= moment - windowMs) start += 1
    most = Math.max(most, end - start + 1)
  })
  return most
}

/** p50, p99 and the maximum. */
export function percentiles(values: readonly number[]): number[] {
  const sorted = values.toSorted((one, other) => one - other)
  return [0.5, 0.99, 1].map((fraction) => sorted[Math.max(0, Math.ceil(sorted.length * fraction) - 1)] ?? 0)
}
