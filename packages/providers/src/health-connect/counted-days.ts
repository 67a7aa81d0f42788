// The days of Health Connect: steps, energy and distance of the app that answers for each date.
import type { CollectedRows } from "../apple-health/collected-rows.ts"
import type { DeviceValue } from "../apple-health/normalize.ts"
import { rowFault } from "../apple-health/rows.ts"
import { type ArchiveItem, leftOutReason } from "../archive/archive-items.ts"
import type { SampleSets } from "../archive/sample-sets.ts"
import { numberIn } from "../archive/sqlite-file.ts"
import type { CountedDate, OneDeviceRule } from "../contract/one-device-rule.ts"
import { isOfStrava } from "../contract/records.ts"
import type { Sample } from "../contract/series.ts"
import { type CountingDevice, CountSweep, DayCounts, partsByDate } from "../normalize/counts.ts"
import { OneDeviceDays } from "../normalize/one-device.ts"
import type { AppTables } from "./app-tables.ts"
import { offsetOf } from "./app-tables.ts"
import type { AppWorkouts } from "./app-workouts.ts"
import { COUNT_TABLES, type CountTable, type CountType } from "./wire.ts"

/** More steps than a date has. */
const MOST_STEPS = 1_000_000

/** The app that answers for a date is the one with steps in the most hours, then the one with the most steps. */
export const HEALTH_CONNECT_RULE: OneDeviceRule = {
  decidedBy: "steps",
  weight: ({ hours, value }) => hours * MOST_STEPS + value,
}

/** Kilocalories of a day. Apps that write the energy of workouts alone have less, and wrong units more. */
const [LEAST_ENERGY, MOST_ENERGY] = [800, 8_000]

/** What was counted over a time by one app. */
interface AppSample extends Sample {
  readonly app: string
  readonly durationMs: number
  readonly utcOffsetMinutes: number
}

interface Counting {
  readonly tables: AppTables
  readonly collected: CollectedRows
  readonly workouts: AppWorkouts
  readonly sets: SampleSets
  /** Decides which day is not over. */
  readonly now: Date
}

/** Sums of the dates by type. */
type Sums = Readonly<Record<CountType, DayCounts<CountingDevice>>>

/** What the days are. A date has the figures of one app, without Strava's, as its terms want. */
export interface CountedDay {
  readonly date: string
  /** By which its app was chosen: the day of another export may be of another app. */
  readonly weight: number
  readonly steps: DeviceValue | undefined
  readonly active: DeviceValue | undefined
  readonly distance: DeviceValue | undefined
  readonly total: DeviceValue | undefined
}

/** Reads what was counted, for workouts too. Yields where samples can be given on, and returns the days. */
export function* countedDays(counting: Counting): Generator<ArchiveItem, readonly CountedDay[]> {
  const days = new OneDeviceDays()
  for (const table of COUNT_TABLES)
    for (const sample of samplesOf(counting, table, "unordered")) {
      if (sample === "reading") yield { type: "reading" }
      else if (!isOfStrava(sample.app)) days.add(sample.app, sample, table.type === "steps")
    }
  const chosen = days.choose(HEALTH_CONNECT_RULE)
  const sums: Sums = {
    steps: new DayCounts(),
    active_energy: new DayCounts(),
    distance: new DayCounts(),
    floors: new DayCounts(),
    energy: new DayCounts(),
  }
  for (const table of COUNT_TABLES) yield* sumUp(counting, table, { chosen, counts: sums[table.type] })
  return yield* figuresOf(chosen, sums, counting.collected.zones.dateAt(counting.now.getTime()))
}

interface Summing {
  /** The app of each date. */
  readonly chosen: ReadonlyMap<string, CountedDate>
  readonly counts: DayCounts<CountingDevice>
}

function* sumUp(counting: Counting, table: CountTable, { chosen, counts }: Summing): Generator<ArchiveItem, void> {
  const sweep = new CountSweep<CountingDevice>()
  const devices = new Map<string, CountingDevice>()
  for (const sample of samplesOf(counting, table, "by start")) {
    if (sample === "reading") {
      yield* giveOn(counting.sets)
      yield { type: "reading" }
      continue
    }
    const { app, ...counted } = sample
    const { atMs: startMs, durationMs, value } = counted
    counting.workouts.addCount(app, table.type, { startMs, endMs: startMs + durationMs, value })
    for (const { date, part: plain } of partsByDate(counted)) {
      if (chosen.get(date)?.device !== app) continue
      // One app answers for a date, so none counts before another.
      const device = devices.getOrInsertComputed(app, () => ({ name: app, kind: "app" }))
      counts.add(sweep.add(device, plain))
      if (table.type !== "energy") counting.sets.add({ type: table.type, device: app }, plain)
    }
  }
  counts.add(sweep.rest())
  counting.sets.takeAll()
  yield* giveOn(counting.sets)
}

/** Samples that are complete. */
export function* giveOn(sets: SampleSets): Generator<ArchiveItem, void> {
  for (const set of sets.take()) yield { type: "series", set, place: set.type }
}

/** @param today its energy still grows */
function* figuresOf(
  chosen: ReadonlyMap<string, CountedDate>,
  sums: Sums,
  today: string,
): Generator<ArchiveItem, readonly CountedDay[]> {
  const days: CountedDay[] = []
  for (const [date, counted] of [...chosen].toSorted(([one], [other]) => (one < other ? -1 : 1))) {
    const energy = sums.energy.of(date)
    const least = date === today ? 0 : LEAST_ENERGY
    const isTrue = energy !== undefined && energy.value >= least && energy.value <= MOST_ENERGY
    if (energy && !isTrue) {
      const reason = leftOutReason("cycle", "energyKcal", `outside ${LEAST_ENERGY} to ${MOST_ENERGY} kcal a day`)
      yield { type: "left_out", reason }
    }
    const [steps, active, distance] = [sums.steps.of(date), sums.active_energy.of(date), sums.distance.of(date)]
    const weight = HEALTH_CONNECT_RULE.weight(counted)
    days.push({ date, weight, steps, active, distance, total: isTrue ? energy : undefined })
  }
  return days
}

/** Rows after which it is shown that reading goes on. */
const QUIET_ROWS = 20_000
/** More rows than apps write for one start. */
const MOST_SEEN = 10_000

/** The rows of a table that can be true. Faults are counted in the first reading alone. In order, of equal rows there is one. */
function* samplesOf(
  { tables, collected: { zones } }: Counting,
  { table, column, type, divisor }: CountTable,
  order: "unordered" | "by start",
): Generator<AppSample | "reading", void> {
  const limits = type === "energy" ? "active_energy" : type
  let [count, latestMs] = [0, Number.NEGATIVE_INFINITY]
  const seen = new Set<string>()
  for (const span of tables.spans(table, [column], order === "by start" ? "start_time" : undefined)) {
    count += 1
    if (count % QUIET_ROWS === 0) yield "reading"
    const { app, startMs, endMs } = span
    const value = numberIn(span.row, column)
    const fault = value === undefined ? "without a value" : rowFault(limits, { startMs, endMs, value: value / divisor })
    if (fault !== undefined && order === "unordered") tables.ignore(table, fault)
    if (value === undefined || fault !== undefined) continue
    if (order === "by start") {
      if (startMs > latestMs || seen.size >= MOST_SEEN) seen.clear()
      latestMs = startMs
      const key = `${endMs} ${value} ${app}`
      if (seen.has(key)) continue
      seen.add(key)
    }
    yield {
      app,
      atMs: startMs,
      durationMs: endMs - startMs,
      value: value / divisor,
      utcOffsetMinutes: offsetOf(span, zones),
    }
  }
}
