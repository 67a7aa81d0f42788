/* Counts of the special cases in raw records: a comparison that never met one of them says nothing about it. */
import type { WireRecords, WireSleep } from "@restwell/simulator"
import { Chart, instantOf, scoreOf } from "./chart.ts"
import { dateOfSleep } from "./days.ts"

const DAY_MS = 86_400_000

/** Nights over which the clocks changed: in Berlin, in New York, and by half an hour on Lord Howe Island. */
const CLOCK_CHANGES = ["2026-03-29", "2026-10-25", "2026-03-08", "2026-11-01", "2026-10-04", "2026-04-05"]

export type Cases = Record<string, number>

export function specialCasesIn(raw: WireRecords): Cases {
  const chart = new Chart(raw)
  const sleeps = [...raw.sleeps].sort((left, right) => instantOf(left.start) - instantOf(right.start))
  const nights = sleeps.filter(({ nap }) => !nap)
  const pairs = nights.slice(1).map((night, index): [WireSleep, WireSleep] => [nights[index] ?? night, night])
  const all = [...raw.sleeps, ...raw.recoveries, ...raw.workouts, ...raw.cycles]
  const temperatures = raw.recoveries.map((recovery) => chart.temperaturesBefore(recovery).length)
  return {
    naps: count(sleeps, ({ nap }) => nap),
    "unscorable records": count(all, ({ score_state }) => score_state === "UNSCORABLE"),
    "zone changes": count(pairs, ([before, after]) => minutes(before) !== minutes(after)),
    "zone changes of more than 12 hours": count(pairs, ([a, b]) => Math.abs(minutes(a) - minutes(b)) > 720),
    "offsets of no whole hours": count(sleeps, (sleep) => minutes(sleep) % 60 !== 0),
    "clocks 14 hours ahead": count(sleeps, (sleep) => minutes(sleep) === 840),
    "clocks 11 or 12 hours behind": count(sleeps, (sleep) => minutes(sleep) <= -660),
    "zulu offsets": count(sleeps, ({ timezone_offset }) => timezone_offset === "Z"),
    "gaps of days": count(pairs, ([before, after]) => instantOf(after.start) - instantOf(before.end) > 2 * DAY_MS),
    "nights over which the clocks changed": count(nights, (night) => {
      const cycle = chart.cycle(night.cycle_id)
      return (
        CLOCK_CHANGES.includes(dateOfSleep(night).toString()) &&
        cycle !== undefined &&
        minutes(cycle) !== minutes(night)
      )
    }),
    "cycles without a sleep": count(raw.cycles, ({ id }) => !chart.mainSleepOf(id)),
    "nights that end on another date than they begin": count(nights, (night) => {
      const beginning = { ...night, end: night.start }
      return !dateOfSleep(night).equals(dateOfSleep(beginning))
    }),
    "dates that are other ones in UTC": count(sleeps, (sleep) => {
      return !dateOfSleep(sleep).equals(dateOfSleep({ ...sleep, timezone_offset: "Z" }))
    }),
    "recoveries with fewer than 5 nights before": count(temperatures, (before) => before < 5),
    "recoveries with 30 nights before": count(temperatures, (before) => before === 30),
    "scored recoveries without a temperature": count(raw.recoveries, (recovery) => {
      const score = scoreOf(recovery)
      return score !== undefined && (score.skin_temp_celsius === undefined || score.skin_temp_celsius === null)
    }),
    "workouts without a distance": count(raw.workouts, (workout) => scoreOf(workout)?.distance_meter === null),
  }
}

/** Special cases that last for hours, or that only edits bring about. */
export function passingCasesIn(raw: WireRecords): Cases {
  const chart = new Chart(raw)
  const nightsOf = (id: number) => count(raw.sleeps, ({ cycle_id, nap }) => cycle_id === id && !nap)
  const all = [...raw.sleeps, ...raw.recoveries, ...raw.workouts, ...raw.cycles]
  return {
    "open cycles with a score": count(raw.cycles, (cycle) => !cycle.end && scoreOf(cycle) !== undefined),
    "open cycles without a score": count(raw.cycles, (cycle) => !cycle.end && scoreOf(cycle) === undefined),
    "cycles with two nights": count(raw.cycles, ({ id }) => nightsOf(id) > 1),
    "closed cycles without a sleep": count(raw.cycles, ({ id, end }) => Boolean(end) && nightsOf(id) === 0),
    "sleeps without a cycle": count(raw.sleeps, ({ cycle_id }) => !chart.cycle(cycle_id)),
    "recoveries without a sleep": count(raw.recoveries, ({ sleep_id }) => !chart.sleep(sleep_id)),
    "recoveries without a sleep and a cycle": count(
      raw.recoveries,
      ({ sleep_id, cycle_id }) => !chart.sleep(sleep_id) && !chart.cycle(cycle_id),
    ),
    "recoveries of a nap": count(raw.recoveries, ({ sleep_id }) => chart.sleep(sleep_id)?.nap === true),
    "records with a score that does not count": count(
      all,
      (record) => record.score_state !== "SCORED" && record.score !== undefined && record.score !== null,
    ),
    "pending records": count(all, ({ score_state }) => score_state === "PENDING_SCORE"),
    "unscorable records": count(all, ({ score_state }) => score_state === "UNSCORABLE"),
  }
}

export function addCases(total: Cases, more: Cases): void {
  for (const [name, found] of Object.entries(more)) total[name] = (total[name] ?? 0) + found
}

function count<Item>(items: readonly Item[], isOne: (item: Item) => boolean): number {
  let found = 0
  for (const item of items) if (isOne(item)) found += 1
  return found
}

/** Minutes east of UTC. */
function minutes({ timezone_offset }: { timezone_offset: string }): number {
  if (timezone_offset === "Z") return 0
  const [hours = "", rest = ""] = timezone_offset.slice(1).split(":")
  return (timezone_offset.startsWith("-") ? -1 : 1) * (Number(hours) * 60 + Number(rest))
}
