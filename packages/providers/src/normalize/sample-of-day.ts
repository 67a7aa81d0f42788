// A figure of a day as a sample that is as long as the day.
import { DAY_MS } from "@restwell/client/time-units"
import type { Sample } from "../contract/series.ts"

interface DayOfFigure {
  /** Its midnights. */
  readonly startedAt: Date
  readonly endedAt: Date
  readonly utcOffsetMinutes: number
}

/** A sample lasts a day at most, and the day on which clocks go back has 25 hours. */
export const sampleOfDay = ({ startedAt, endedAt, utcOffsetMinutes }: DayOfFigure, value: number): Sample => ({
  atMs: startedAt.getTime(),
  durationMs: Math.min(endedAt.getTime() - startedAt.getTime(), DAY_MS),
  value,
  utcOffsetMinutes,
})
