// What a UTC day may have of the rows and samples that phones push. Which of them stay depends on all of them, and not on their order.

import type { SeriesType } from "@restwell/client"
import { utcDateOf } from "@restwell/client/calendar-dates"
import { DAY_MS } from "@restwell/client/time-units"
import type { PushedRow, Sample, SampleSet } from "@restwell/providers"
import type { Transaction } from "kysely"
import type { Database } from "../store/database.ts"
import type { PushesKey } from "../store/statements/pushed-days.ts"
import { type DevicesOfDay, deleteOtherDevices, readDevices } from "../store/statements/pushed-devices.ts"

/** More rows than phones and watches have. Each is looked at again with the next row of the day. */
const MOST_ROWS = 100_000
/** More than anyone has. Each is a stored row of the day. */
const MOST_DEVICES = 100
const TOO_MANY_DEVICES = `more than ${MOST_DEVICES} devices and apps in a day`

/** Removes the rows of a day that are too many: those of the last devices by name. @returns why, if rows were removed */
export function limitRows(rows: Map<string, PushedRow>): string | undefined {
  const counts = new Map<string, number>()
  for (const { source } of rows.values()) counts.set(source, (counts.get(source) ?? 0) + 1)
  if (rows.size <= MOST_ROWS && counts.size <= MOST_DEVICES) return undefined
  const sources = [...counts.keys()].toSorted()
  const rank = new Map(sources.map((source, index) => [source, index]))
  const rankOf = ({ source }: PushedRow) => rank.get(source) ?? sources.length
  const ordered = [...rows].toSorted(
    ([one, row], [other, otherRow]) => rankOf(row) - rankOf(otherRow) || (one < other ? -1 : 1),
  )
  for (const [index, [key, row]] of ordered.entries())
    if (index >= MOST_ROWS || rankOf(row) >= MOST_DEVICES) rows.delete(key)
  return counts.size > MOST_DEVICES ? TOO_MANY_DEVICES : `more than ${MOST_ROWS} rows in a day`
}

export interface LimitedSamples {
  readonly sets: readonly SampleSet[]
  /** Number of samples that are left out, by reason. */
  readonly leftOut: ReadonlyMap<string, number>
}

/** Leaves out the samples of the last devices by name where a day has too many of a type, and deletes stored ones of them. */
export async function limitDevices(
  transaction: Transaction<Database>,
  pushes: PushesKey,
  sets: readonly SampleSet[],
): Promise<LimitedSamples> {
  const days = new Map<string, DevicesOfDay & { readonly devices: Set<string> }>()
  const keyOf = (type: SeriesType, { atMs }: Sample) => `${type}/${Math.floor(atMs / DAY_MS)}`
  for (const { type, device = "", samples } of sets)
    for (const sample of samples) {
      const made = () => ({ type, day: utcDateOf(new Date(sample.atMs)), devices: new Set<string>() })
      days.getOrInsertComputed(keyOf(type, sample), made).devices.add(device)
    }
  for (const { type, day, devices } of await readDevices(transaction, pushes, [...days.values()])) {
    const all = days.get(keyOf(type, { atMs: Date.parse(day), value: 0 }))?.devices
    for (const device of devices) all?.add(device)
  }
  const full = [...days].filter(([, { devices }]) => devices.size > MOST_DEVICES)
  if (full.length === 0) return { sets, leftOut: new Map() }
  const kept = new Map(
    full.map(([key, { devices, ...of }]) => [
      key,
      { ...of, devices: new Set([...devices].toSorted().slice(0, MOST_DEVICES)) },
    ]),
  )
  await deleteOtherDevices(transaction, pushes, [...kept.values()])
  const limited = sets.map(({ samples, ...set }) => ({
    ...set,
    samples: samples.filter((sample) => kept.get(keyOf(set.type, sample))?.devices.has(set.device ?? "") ?? true),
  }))
  return { sets: limited, leftOut: new Map([[TOO_MANY_DEVICES, countOf(sets) - countOf(limited)]]) }
}

export const countOf = (sets: readonly SampleSet[]): number =>
  sets.reduce((sum, { samples }) => sum + samples.length, 0)
