// What Google Takeout counts minute by minute: steps, distance, floors and energy.
import { MINUTE_MS } from "@restwell/client/time-units"
import type { ArchiveItem } from "../archive/archive-items.ts"
import { SampleSets } from "../archive/sample-sets.ts"
import { deviceNameOf } from "../normalize/device-name.ts"
import type { OldClock } from "./old-clock.ts"
import { type DaySums, deviceOf, type LocalClock, OLD_FORM } from "./takeout-days.ts"
import { SUM_CHECKS, type SumTable, type TakeoutFiles } from "./takeout-files.ts"
import { collect, jsonRows, readTable, valueColumns } from "./takeout-rows.ts"
import { minuteRowSchema, oldMinuteSchema } from "./takeout-wire.ts"

interface Minute {
  readonly date: string
  readonly source: string
  readonly value: number
  readonly atMs: number
}

export interface Clocks {
  readonly clock: LocalClock
  readonly oldClock: OldClock
}

/** Reads the minutes of a figure in both forms. One that cannot be true is left out, and the sum is that of the others. */
export async function* minutesOf(
  files: TakeoutFiles,
  table: SumTable,
  { clock, oldClock }: Clocks,
  add: (minute: Minute) => void,
): AsyncGenerator<ArchiveItem, void> {
  const { figure, name, values, oldName, oldDivisor = 1 } = table
  const minuteAt = (atMs: number, source: string, value: number | undefined): undefined => {
    if (value !== undefined && value > 0) add({ date: clock.dateAt(atMs), source, value, atMs })
  }
  const check = SUM_CHECKS[figure]
  const names = new Map<string, string>()
  const nameOf = (source = "") => names.getOrInsertComputed(source, () => deviceNameOf(source) || "Fitbit")
  for (const file of files.named(name))
    yield* collect(readTable(file, valueColumns(values), minuteRowSchema(check())), ({ time, value, source }) =>
      minuteAt(clock.msOf(time), nameOf(source), value),
    )
  for (const file of oldName ? files.named(oldName) : [])
    yield* collect(jsonRows(file, oldMinuteSchema(check(oldDivisor))), ({ dateTime, value = 0 }) =>
      minuteAt(oldClock.instantOf(table, dateTime.getTime()), OLD_FORM, value / oldDivisor),
    )
}

/** Reads minutes again, for the samples of the sources that answer. They have their source, which that of another archive may outweigh. */
export async function* minuteSamples(
  files: TakeoutFiles,
  table: SumTable,
  { sums, ...clocks }: Clocks & { readonly sums: DaySums },
): AsyncGenerator<ArchiveItem, void> {
  const { type, figure } = table
  if (type === undefined) return
  const chosen = new Map(sums.dates(figure).map((date) => [date, sums.chosen(figure, date)?.source]))
  const sets = new SampleSets()
  const take = function* (): Generator<ArchiveItem, void> {
    for (const set of sets.take()) yield { type: "series", set, place: figure }
  }
  const keep = ({ date, source, value, atMs }: Minute) => {
    if (chosen.get(date) !== source) return
    const sample = { atMs, value, durationMs: MINUTE_MS, utcOffsetMinutes: clocks.clock.offsetAt(atMs) }
    sets.add({ type, ...deviceOf(source) }, sample)
  }
  for await (const item of minutesOf(files, table, clocks, keep)) {
    // Faults of rows were reported by the first reading.
    if (item.type === "reading") yield item
    yield* take()
  }
  sets.takeAll()
  yield* take()
}
