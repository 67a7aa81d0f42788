// Counts as they are added up: the pieces of samples that count, of the stored samples of all devices.

import { SUM_TYPES } from "@restwell/client"
import { addDays } from "@restwell/client/calendar-dates"
import { type Counted, type CountingDevice, CountSweep, type Sample } from "@restwell/providers"
import type { Transaction } from "kysely"
import type { Pool } from "pg"
import type { Database } from "../database.ts"
import { columnsOf, samplesOf } from "../packed-samples.ts"
import { readSeriesDays, type SeriesDay, type SeriesQuery } from "./read-series.ts"

/** A sample of the UTC days before may last into a day, or be a sum of samples of it: that of a local day may have more than 24 hours. */
const REACH_DAYS = 2

/**
 * Streams the samples that count as `readSeriesDays` does. Of steps, energy and distance, each device has the pieces of its samples that are
 * added up (`CountSweep`), so that adding up those of a provider counts nothing twice.
 */
export async function* readCountedDays(
  store: Pool | Transaction<Database>,
  query: SeriesQuery,
): AsyncGenerator<SeriesDay, void> {
  if (!SUM_TYPES.includes(query.type)) return yield* readSeriesDays(store, query)
  const { from, to, isWanted = () => true } = query
  const reached = { from: addDays(from, -REACH_DAYS), to: addDays(to, REACH_DAYS) }
  const nearby = Array.from({ length: 2 * REACH_DAYS + 1 }, (_, index) => index - REACH_DAYS)
  const isNear = (day: string) => nearby.some((by) => isWanted(addDays(day, by)))
  for await (const day of countedDays(readSeriesDays(store, { ...query, ...reached, isWanted: isNear })))
    if (day.day >= from && day.day <= to && isWanted(day.day)) yield day
}

interface Device extends CountingDevice {
  readonly provider: string
  kind: CountingDevice["kind"]
  readonly isFromArchive: boolean
}

/** Providers are counted apart. Their days stay in one order, so all wait for the gap of all. */
async function* countedDays(days: AsyncIterable<SeriesDay>): AsyncGenerator<SeriesDay, void> {
  const devices = new Map<string, Device>()
  const sweep = new CountSweep<Device>()
  let [day, group]: [string, SeriesDay[]] = ["", []]
  const take = function* (): Generator<readonly Counted<Device>[], void> {
    const samples = group.flatMap(({ provider, device, kind, isFromArchive, samples: columns }) => {
      const of = devices.getOrInsertComputed(`${provider} ${device ?? ""}`, () => ({
        provider,
        name: device ?? "",
        kind,
        isFromArchive,
      }))
      // A phone gives the name alone, where an archive knows that it is a watch.
      if (of.kind === "app") of.kind = kind
      return samplesOf(columns).map((sample) => ({ device: of, sample }))
    })
    for (const { device, sample } of samples.toSorted((one, other) => one.sample.atMs - other.sample.atMs))
      yield sweep.add(device, sample)
  }
  for await (const each of days) {
    if (each.day !== day) {
      for (const counted of take()) yield* storedForm(counted)
      ;[day, group] = [each.day, []]
    }
    group.push(each)
  }
  for (const counted of take()) yield* storedForm(counted)
  yield* storedForm(sweep.rest())
}

/** Pieces by UTC day, provider and device. */
function storedForm(counted: readonly Counted<Device>[]): SeriesDay[] {
  const days = counted.flatMap(({ device: { name, provider, kind, isFromArchive }, pieces }) =>
    [...Map.groupBy(pieces, ({ atMs }) => new Date(atMs).toISOString().slice(0, 10))].map(([day, samples]) => ({
      day,
      provider,
      device: name || null,
      kind,
      method: null,
      isFromArchive,
      samples: columnsOf(samples),
    })),
  )
  return days.toSorted((one, other) => (one.day < other.day ? -1 : Number(one.day > other.day)))
}

/** The pieces of a stored day. */
export const piecesOf = ({ samples }: SeriesDay): readonly Sample[] => samplesOf(samples)
