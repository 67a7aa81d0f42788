/* The times of WHOOP's raw records: on the clock, in bed, asleep, and needed. Milliseconds. */
import type { WireCycle, WireSleep, WireWorkout } from "@restwell/simulator"
import { instantOf, scoreOf } from "./chart.ts"
import { localClock } from "./days.ts"

/** WHOOP's own figure for the time in bed; while there is no score, the time from start to end. */
export function inBedMs(sleep: WireSleep): number {
  return scoreOf(sleep)?.stage_summary.total_in_bed_time_milli ?? instantOf(sleep.end) - instantOf(sleep.start)
}

/** The moments of a record on its own clock. */
export function localTimes({ start, end, timezone_offset: offset }: WireSleep | WireWorkout | WireCycle) {
  return { start_local: localClock(start, offset), end_local: end ? localClock(end, offset) : null }
}

/** Light, deep and REM sleep; null until they are known. */
export function asleepMs(sleep: WireSleep): number | null {
  const stages = scoreOf(sleep)?.stage_summary
  return stages
    ? stages.total_light_sleep_time_milli + stages.total_slow_wave_sleep_time_milli + stages.total_rem_sleep_time_milli
    : null
}

/** All parts of the need together. A nap takes from it, so its part is negative. */
export function needMs(sleep: WireSleep): number | null {
  const need = scoreOf(sleep)?.sleep_needed
  return need
    ? need.baseline_milli +
        need.need_from_sleep_debt_milli +
        need.need_from_recent_strain_milli +
        need.need_from_recent_nap_milli
    : null
}
