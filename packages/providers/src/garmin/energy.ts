// The unit in which a file of Garmin's archive has the energies of its activities.
import { timesOf } from "./normalize.ts"
import type { ActivityRow } from "./wire.ts"

const KILOJOULES = 4.184
const MINUTE_MS = 60_000
/** Shorter activities have odd rates of energy. */
const JUDGED_FROM_MS = 20 * MINUTE_MS
/** Kilocalories a minute. Half of all activities are never harder. */
const HARDEST_MEDIAN = 17
/** Kilocalories a minute, 3600 a day: nobody's rest has as many, and everybody's has more kilojoules. */
const MOST_AT_REST = 2.5

function medianRateOf(rows: readonly ActivityRow[], energy: "bmrCalories" | "calories"): number {
  const rates = rows
    .flatMap((row) => {
      const lengthMs = timesOf(row)?.lengthMs ?? 0
      const amount = row[energy] ?? 0
      return amount > 0 && lengthMs > JUDGED_FROM_MS ? [amount / (lengthMs / MINUTE_MS)] : []
    })
    .sort((one, other) => one - other)
  const middle = rates.length / 2
  return rates.length === 0 ? 0 : ((rates[Math.ceil(middle) - 1] ?? 0) + (rates[Math.floor(middle)] ?? 0)) / 2
}

/**
 * Returns what divides the energies of a file: some have kilojoules under the name of calories. Walks and yoga in kilojoules look like
 * runs in kilocalories, but the share of rest, which is in the same unit, tells them apart.
 * @see https://github.com/ericdodds/garmin-data-project which divides both
 */
export function energyDivisorOf(rows: readonly ActivityRow[]): number {
  const isKilojoules =
    medianRateOf(rows, "bmrCalories") > MOST_AT_REST || medianRateOf(rows, "calories") > HARDEST_MEDIAN
  return isKilojoules ? KILOJOULES : 1
}
