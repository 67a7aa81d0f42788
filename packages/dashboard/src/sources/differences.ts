import type { SourceDifference } from "@restwell/client"
import { figure, minutesText, NONE } from "../format/number.ts"

export type DifferenceValue = SourceDifference["values"][number]

/** Largest differences that measurements usually have, as in the service. */
const USUAL_MINUTES = 60
const USUAL_BEATS = 5
const USUAL_HRV_FRACTION = 0.15

/** A figure that the sources of a date are compared by. */
export interface Comparison {
  readonly label: string
  readonly text: (value: DifferenceValue) => string
  /** True where the sources differ by more than usual. */
  readonly differs: boolean
  /** By how much, as text. */
  readonly gap: string
}

export function comparisonsOf({ type, values }: SourceDifference): Comparison[] {
  if (type === "sleep") {
    const gap = spreadOf(values.map(({ asleep_minutes }) => asleep_minutes))
    return [
      {
        label: "Asleep",
        text: ({ asleep_minutes: minutes }) => (minutes === null ? NONE : minutesText(minutes)),
        differs: gap > USUAL_MINUTES,
        gap: `${minutesText(gap)} of sleep`,
      },
    ]
  }
  const beats = spreadOf(values.map(({ resting_heart_rate }) => resting_heart_rate))
  return [
    {
      label: "Resting heart rate",
      text: ({ resting_heart_rate: rate }) => (rate === null ? NONE : `${figure(rate)} bpm`),
      differs: beats > USUAL_BEATS,
      gap: `${figure(beats)} bpm of resting heart rate`,
    },
    hrvComparison(values),
  ]
}

/** Only values of one method can be compared. */
function hrvComparison(values: readonly DifferenceValue[]): Comparison {
  const byMethod = Map.groupBy(
    values.filter(({ hrv }) => hrv !== null),
    ({ hrv_method }) => hrv_method,
  )
  const groups = [...byMethod.values()].map((group) => group.flatMap(({ hrv }) => (hrv === null ? [] : [hrv])))
  const [widest] = groups.toSorted((one, other) => spreadOf(other) - spreadOf(one))
  const gap = spreadOf(widest ?? [])
  return {
    label: "HRV",
    text: ({ hrv, hrv_method: method }) =>
      hrv === null
        ? NONE
        : `${figure(hrv)} ms${byMethod.size > 1 && method !== null ? ` ${method.toUpperCase()}` : ""}`,
    differs: gap > USUAL_HRV_FRACTION * middleOf(widest ?? []),
    gap: `${figure(gap)} ms of HRV`,
  }
}

/** The mean of the lowest and the highest value. */
const middleOf = (values: readonly number[]): number => (Math.min(...values) + Math.max(...values)) / 2

function spreadOf(values: readonly (number | null)[]): number {
  const known = values.filter((value) => value !== null)
  return known.length < 2 ? 0 : Math.max(...known) - Math.min(...known)
}
