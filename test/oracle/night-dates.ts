/* Dates of cycles and recoveries, which have the date of their night. A night in parts may end on the date after that of its first part. */
import type { WireCycle, WireRecovery, WireSleep } from "@restwell/simulator"
import type { Chart } from "./chart.ts"
import { dateOfSleep, localDate } from "./days.ts"
import { wholeNights } from "./nights.ts"

const known = new WeakMap<Chart, ReadonlyMap<WireSleep, Temporal.PlainDate>>()

/** The date of the night that a sleep is a part of. A nap has its own. */
function dateOfNight(chart: Chart, sleep: WireSleep): Temporal.PlainDate {
  const dates = known.getOrInsertComputed(
    chart,
    () =>
      new Map(
        wholeNights(chart.raw.sleeps).flatMap((night) => night.sleeps.map((part) => [part, night.date] as const)),
      ),
  )
  return dates.get(sleep) ?? dateOfSleep(sleep)
}

/** The date of its main sleep; without one, the local date 12 hours after its start. */
export function dateOfCycle(chart: Chart, cycle: WireCycle): Temporal.PlainDate {
  const night = chart.mainSleepOf(cycle.id)
  if (night) return dateOfNight(chart, night)
  return localDate(Temporal.Instant.from(cycle.start).add({ hours: 12 }), cycle.timezone_offset)
}

/** The date of its sleep; else of its cycle; else the UTC date on which it was made. */
export function dateOfRecovery(chart: Chart, recovery: WireRecovery): Temporal.PlainDate {
  const sleep = chart.sleep(recovery.sleep_id)
  if (sleep) return dateOfNight(chart, sleep)
  const cycle = chart.cycle(recovery.cycle_id)
  if (cycle) return dateOfCycle(chart, cycle)
  return localDate(Temporal.Instant.from(recovery.created_at), "Z")
}
