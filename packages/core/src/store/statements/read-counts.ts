// Counts as they are added up: the pieces of samples that count, of the stored samples of all devices.

import { type SeriesType, SUM_TYPES } from "@restwell/client"
import { addDays, utcDateOf } from "@restwell/client/calendar-dates"
import {
  type Counted,
  type CountingDevice,
  CountSweep,
  OneDeviceDays,
  type OneDeviceRule,
  oneDeviceRuleOf,
  partsByDate,
  type Sample,
} from "@restwell/providers"
import type { Transaction } from "kysely"
import type { Pool } from "pg"
import type { Database } from "../database.ts"
import { columnsOf, samplesOf } from "../packed-samples.ts"
import { readSeriesDays, readSeriesDevices, type SeriesDay, type SeriesQuery } from "./read-series.ts"

/** A sample of the UTC days before may last into a day, or be a sum of samples of it: that of a local day may have more than 24 hours. */
const REACH_DAYS = 2

/**
 * Streams the samples that count as `readSeriesDays` does. Of steps, energy and distance, each device has the pieces of its samples that are
 * added up (`CountSweep`), so that adding up those of a provider counts nothing twice. Of a provider whose devices are never added up, only
 * the device that answers for a local date has any there.
 */
export async function* readCountedDays(
  store: Pool | Transaction<Database>,
  query: SeriesQuery,
): AsyncGenerator<SeriesDay, void> {
  if (!SUM_TYPES.includes(query.type)) return yield* readSeriesDays(store, query)
  const answering = await answeringDevices(store, query)
  for await (const day of piecesOfDays(store, query)) yield* ofAnswering(day, answering.get(day.provider))
}

/** The pieces of all devices. */
async function* piecesOfDays(store: Pool | Transaction<Database>, query: SeriesQuery): AsyncGenerator<SeriesDay, void> {
  const { from, to, isWanted = () => true } = query
  const reached = { from: addDays(from, -REACH_DAYS), to: addDays(to, REACH_DAYS) }
  const isNear = (day: string) => aroundOf(day, REACH_DAYS).some(isWanted)
  for await (const day of countedDays(readSeriesDays(store, { ...query, ...reached, isWanted: isNear })))
    if (day.day >= from && day.day <= to && isWanted(day.day)) yield day
}

const aroundOf = (day: string, reach: number): readonly string[] =>
  Array.from({ length: 2 * reach + 1 }, (_, index) => addDays(day, index - reach))

/** A piece may be of the local date before or after its UTC day. */
const DATE_REACH_DAYS = 1

/** The devices that answer for the dates on which a provider has several of which one has to, by provider. */
async function answeringDevices(
  store: Pool | Transaction<Database>,
  query: SeriesQuery,
): Promise<ReadonlyMap<string, ReadonlyMap<string, string>>> {
  const answering = new Map<string, ReadonlyMap<string, string>>()
  for (const provider of query.providers) {
    const rule = oneDeviceRuleOf(provider)
    if (rule) answering.set(provider, await answeringOf(store, { ...query, provider }, rule))
  }
  return answering
}

interface ProviderQuery extends SeriesQuery {
  readonly provider: string
}

/** Those of one provider, by date. */
async function answeringOf(
  store: Pool | Transaction<Database>,
  { isWanted = () => true, ...query }: ProviderQuery,
  rule: OneDeviceRule,
): Promise<ReadonlyMap<string, string>> {
  const reach = 2 * DATE_REACH_DAYS
  const range = { from: addDays(query.from, -reach), to: addDays(query.to, reach) }
  const near = { ...query, ...range, providers: [query.provider] }
  const types = [...new Set([rule.decidedBy ?? query.type, query.type])]
  const isNearWanted = (day: string) => aroundOf(day, reach).some(isWanted)
  const contested = await contestedDates(store, { ...near, isWanted: isNearWanted }, types)
  if (contested.size === 0) return new Map()
  const isContested = (day: string) => aroundOf(day, DATE_REACH_DAYS).some((date) => contested.has(date))
  const counted = new OneDeviceDays()
  for (const [index, type] of types.entries())
    for await (const day of piecesOfDays(store, { ...near, type, isWanted: isContested }))
      for (const piece of piecesOf(day)) counted.add(day.device ?? "", piece, index === 0)
  const chosen = [...counted.choose(rule)].filter(([date]) => contested.has(date))
  return new Map(chosen.map(([date, { device }]) => [date, device]))
}

/** The local dates that several devices may have. */
async function contestedDates(
  store: Pool | Transaction<Database>,
  { isWanted = () => true, ...query }: ProviderQuery,
  types: readonly SeriesType[],
): Promise<ReadonlySet<string>> {
  const rows = (await readSeriesDevices(store, { ...query, types })).filter(({ day }) => isWanted(day))
  const dated = rows.flatMap(({ day, device }) => aroundOf(day, DATE_REACH_DAYS).map((date) => ({ date, device })))
  const devices = [...Map.groupBy(dated, ({ date }) => date)]
  return new Set(devices.flatMap(([date, of]) => (new Set(of.map(({ device }) => device)).size > 1 ? [date] : [])))
}

/** A stored day with what its device has of dates for which it answers. */
function* ofAnswering(day: SeriesDay, answering: ReadonlyMap<string, string> | undefined): Generator<SeriesDay, void> {
  const device = day.device ?? ""
  const isContested = aroundOf(day.day, DATE_REACH_DAYS).some((date) => (answering?.get(date) ?? device) !== device)
  if (!isContested) return yield day
  const pieces = piecesOf(day).flatMap((piece) =>
    [...partsByDate(piece)].flatMap(({ date, part }) => ((answering?.get(date) ?? device) === device ? [part] : [])),
  )
  if (pieces.length > 0) yield { ...day, samples: columnsOf(pieces) }
}

interface Device extends CountingDevice {
  kind: CountingDevice["kind"]
  readonly source: string
  readonly isFromArchive: boolean
}

/** Providers are counted apart. Their days stay in one order, so all wait for the gap of all. */
async function* countedDays(days: AsyncIterable<SeriesDay>): AsyncGenerator<SeriesDay, void> {
  const devices = new Map<string, Device>()
  const sweep = new CountSweep<Device>()
  let [day, group]: [string, SeriesDay[]] = ["", []]
  const take = function* (): Generator<readonly Counted<Device>[], void> {
    const samples = group.flatMap(({ provider: source, device, kind, isFromArchive, samples: columns }) => {
      const name = device ?? ""
      const of = devices.getOrInsertComputed(`${source} ${name}`, () => ({
        // Devices that are never added up cover nothing of each other.
        provider: oneDeviceRuleOf(source) ? `${source} ${name}` : source,
        source,
        name,
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
  const days = counted.flatMap(({ device: { name, source: provider, kind, isFromArchive }, pieces }) =>
    [...Map.groupBy(pieces, ({ atMs }) => utcDateOf(new Date(atMs)))].map(([day, samples]) => ({
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
