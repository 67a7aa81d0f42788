import type { ChartedMetric } from "@restwell/client"
import type { YScale } from "../charts/layout.ts"

/** Minutes between the marks of an axis of clock times. */
const CLOCK_STEPS = [15, 30, 60, 120, 180]
const WIDEST_STEP = 360

/** About `count` marks of an axis. Clock times have theirs at full quarters of an hour. */
export function ticksOf({ kind }: ChartedMetric, scale: YScale, count: number): readonly number[] {
  if (kind !== "clock") return scale.ticks(count)
  const [low = 0, high = 0] = scale.domain()
  const step = CLOCK_STEPS.find((each) => (high - low) / each <= count) ?? WIDEST_STEP
  const first = Math.ceil(low / step) * step
  return Array.from({ length: Math.floor((high - first) / step) + 1 }, (_, index) => first + index * step)
}
