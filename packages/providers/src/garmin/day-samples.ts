// What Garmin adds up for a day, as samples as long as the day.
import type { SeriesType } from "@restwell/client"
import type { Offsets } from "../archive/offsets.ts"
import type { SampleSet } from "../contract/series.ts"
import { sampleOfDay } from "../normalize/sample-of-day.ts"
import { type Day, timesOfDay } from "./day-times.ts"
import { type DayRow, FLOOR_METERS } from "./wire.ts"

/** Below zero is not measured. Zero is a day without any. */
const measured = (value: number | null | undefined): number | undefined =>
  value === null || value === undefined || value < 0 ? undefined : value

function floorsOf({ floorsAscendedInMeters }: DayRow): number | undefined {
  const meters = measured(floorsAscendedInMeters)
  return meters === undefined ? undefined : meters / FLOOR_METERS
}

/** Minutes as they were, while Garmin's goal of a week counts vigorous ones twice. */
function exerciseOf({ moderateIntensityMinutes, vigorousIntensityMinutes }: DayRow): number | undefined {
  const [moderate, vigorous] = [measured(moderateIntensityMinutes), measured(vigorousIntensityMinutes)]
  return moderate === undefined ? vigorous : moderate + (vigorous ?? 0)
}

/** No level of stress is 0. */
const stressOf = ({ allDayStress }: DayRow): number | undefined =>
  measured(allDayStress?.aggregatorList.find(({ type }) => type === "TOTAL")?.averageStressLevel) || undefined

const FIGURES: readonly (readonly [SeriesType, (row: DayRow) => number | undefined])[] = [
  ["floors", floorsOf],
  ["exercise_minutes", exerciseOf],
  ["stress", stressOf],
]

/** Floors, exercise and stress of days, as far as they are known. */
export const samplesOfDays = (days: Iterable<Day>, offsets: Offsets): SampleSet[] =>
  FIGURES.map(([type, read]) => ({
    type,
    samples: [...days].flatMap((day) => {
      const value = read(day.row)
      if (value === undefined) return []
      const times = timesOfDay(day, offsets)
      const [utcOffsetMinutes = 0] = offsets.of(day.date, [times.startedAt])
      return sampleOfDay({ ...times, utcOffsetMinutes }, value)
    }),
  }))
