// Which rows are one night, which are naps, and what else a night is made of: values within it, and SpO2 of its date.
import { DAY_MS, HOUR_MS } from "@restwell/client/time-units"
import { failsInPart } from "../contract/collections.ts"
import type { FailedCollection, Json, RecordKind, Rejoin } from "../contract/records.ts"
import { localDateOf, offsetInZone } from "../normalize/derive.ts"
import { runsOf } from "../normalize/nights.ts"
import { usableZone } from "../normalize/zoned-days.ts"
import { listMeasures, listSegments, type WithingsAccess } from "./api.ts"
import { figureOf, groupsOf } from "./measures.ts"
import { WithingsSpanSchema } from "./wire.ts"

/** A shorter sleep beside the night of its date is a nap. */
const NIGHT_MS = 3 * HOUR_MS

/** A row with its times, and what the other rows of its date make of it. */
export interface Night {
  readonly row: Json
  readonly id: string
  readonly startMs: number
  readonly endMs: number
  /** Local date of waking. */
  readonly date: string
  readonly isNap: boolean
  /** Of the night of a date the longest row, which its recovery belongs to. */
  readonly isMain: boolean
  /** All rows of the same night, itself too. Two devices may have recorded it, or the person got up in it. */
  readonly parts: readonly Span[]
}

interface Span {
  readonly row: Json
  readonly id: string
  readonly startMs: number
  readonly endMs: number
  readonly date: string
}

const lengthOf = ({ startMs, endMs }: Pick<Span, "startMs" | "endMs">): number => endMs - startMs

const longestOf = <One extends Span>(spans: readonly [One, ...One[]]): One =>
  spans.reduce((longest, span) =>
    lengthOf(span) > lengthOf(longest) || (lengthOf(span) === lengthOf(longest) && span.id < longest.id)
      ? span
      : longest,
  )

/** Returns the rows with their times, and those whose times cannot be read. */
export function nightsOf(rows: readonly Json[]): {
  readonly nights: readonly Night[]
  readonly unread: readonly Json[]
} {
  const spans: Span[] = []
  const unread: Json[] = []
  for (const row of rows) {
    const { data } = WithingsSpanSchema.safeParse(row)
    if (!data) {
      unread.push(row)
      continue
    }
    const [startMs, endMs] = [data.startdate.getTime(), data.enddate.getTime()]
    const date = localDateOf(data.enddate, offsetInZone(endMs, data.timezone))
    spans.push({ row, id: data.id, startMs, endMs, date })
  }
  // Rows that overlap or follow each other are one night, and Withings calls none of them a nap.
  const runs = runsOf(spans).map((parts) => ({ parts, longest: longestOf(parts), date: lastOf(parts).date }))
  const nights = [...Map.groupBy(runs, ({ date }) => date).values()].flatMap((ofDate) => {
    const [first, ...others] = ofDate.map(({ longest }) => longest)
    const main = first && longestOf([first, ...others])
    return ofDate.flatMap(({ parts, longest }) => {
      const isNap = longest !== main && lengthOf(longest) < NIGHT_MS
      return parts.map((part): Night => ({ ...part, isNap, isMain: part === main, parts }))
    })
  })
  return { nights, unread }
}

const lastOf = (parts: readonly [Span, ...Span[]]): Span =>
  parts.reduce((last, part) => (part.endMs > last.endMs ? part : last))

/** A night whose values within it could not be read, while those of others were. */
export interface WithoutDetails {
  readonly night: Night
  readonly error: FailedCollection["error"]
}

/** Payloads of one kind, and the collections that failed on the way. */
interface Joined {
  readonly raws: readonly Json[]
  readonly failed: readonly FailedCollection[]
  readonly withoutDetails: readonly WithoutDetails[]
}

const DETAILS = "sleep_details"
const SPO2 = "spo2"
/** SpO2 is a measure. */
const SPO2_TYPE = 54

/** Returns the payload of each night. A collection that fails costs only its parts, and a night whose details fail only its own. */
export async function joinNights(
  access: WithingsAccess,
  kind: "sleep" | "recovery",
  nights: readonly Night[],
  without: readonly string[],
): Promise<Joined> {
  const failed: FailedCollection[] = []
  const readOrFail = async <Value>(collection: string, none: Value, read: () => Promise<Value>): Promise<Value> => {
    if (without.includes(collection) || nights.length === 0) return none
    try {
      return await read()
    } catch (error) {
      if (!failsInPart(error)) throw error
      failed.push({ collection, error })
      return none
    }
  }
  const noDetails: Details = { found: new Map(), unread: [] }
  const details = await readOrFail(DETAILS, noDetails, () => readDetails(access, kind, nights))
  const oxygen =
    kind === "recovery"
      ? await readOrFail(SPO2, new Map<string, Json>(), () => readOxygen(access, nights))
      : new Map<string, Json>()
  const raws = nights.map((night) => ({
    sleep: night.row,
    is_nap: night.isNap,
    ...part(DETAILS, details.found.get(night.id)),
    ...part(SPO2, oxygen.get(night.date)),
  }))
  return { raws, failed, withoutDetails: details.unread }
}

/** Returns a payload with the stored parts of collections that failed. */
export const rejoined = ({ raw, stored, kept }: Rejoin): Json =>
  Object.assign(Object.fromEntries(kept.flatMap((name) => Object.entries(part(name, fieldOf(stored, name))))), raw)

const part = (name: string, value: Json | undefined): { [key: string]: Json } =>
  value === undefined ? {} : { [name]: value }

export function fieldOf(value: Json, name: string): Json | undefined {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined
  return value[name]
}

interface Details {
  /** By the id of the night. */
  readonly found: ReadonlyMap<string, Json>
  readonly unread: readonly WithoutDetails[]
}

/** So many nights in a row that fail are a collection that fails. */
const FAILING_IN_A_ROW = 3

/**
 * One call for each night, one after the other, the main sleeps first: kinds that are read side by side share them.
 * @throws {ProviderError} when none answers, or several in a row fail
 */
async function readDetails(access: WithingsAccess, kind: RecordKind, nights: readonly Night[]): Promise<Details> {
  const found = new Map<string, Json>()
  const unread: WithoutDetails[] = []
  let failing = 0
  for (const night of nights.toSorted((one, other) => Number(other.isMain) - Number(one.isMain))) {
    try {
      const own = await segmentsOf(access, night)
      const series = kind === "recovery" ? await withVariability(access, night, own) : own
      if (series.length > 0) found.set(night.id, { series: [...series] })
      failing = 0
    } catch (error) {
      failing += 1
      if (!failsInPart(error) || failing >= FAILING_IN_A_ROW || unread.length + 1 === nights.length) throw error
      unread.push({ night, error })
    }
  }
  return { found, unread }
}

/** Values of a device beside the one of the row belong to that one's row. */
async function segmentsOf(access: WithingsAccess, { row, startMs, endMs }: Span): Promise<readonly Json[]> {
  if (isFromOutside(row)) return []
  const device = fieldOf(row, "hash_deviceid")
  const segments = await listSegments(access, { startMs, endMs })
  return segments.filter((segment) => {
    const own = fieldOf(segment, "hash_deviceid")
    return device === undefined || own === undefined || own === device
  })
}

/** Of a night that two devices recorded, one may measure HRV. Of its values a recovery has no more. */
async function withVariability(access: WithingsAccess, night: Night, own: readonly Json[]): Promise<readonly Json[]> {
  const others = night.parts.filter(({ id }) => id !== night.id)
  for (const read of [async () => own, ...others.map((other) => () => segmentsOf(access, other))]) {
    const found = (await read()).flatMap((segment) => {
      const rmssd = fieldOf(segment, "rmssd")
      if (rmssd === undefined || Object.keys(Object(rmssd)).length === 0) return []
      const [startdate, enddate] = [fieldOf(segment, "startdate") ?? null, fieldOf(segment, "enddate") ?? null]
      return [{ startdate, enddate, rmssd }]
    })
    if (found.length > 0) return found
  }
  return []
}

/** A sleep that another app gave to Withings has a length and no stages. */
function isFromOutside(row: Json): boolean {
  const data = fieldOf(row, "data") ?? null
  return fieldOf(data, "asleepduration") !== undefined && typeof fieldOf(data, "deepsleepduration") !== "number"
}

/** Returns the newest SpO2 of each date. */
async function readOxygen(access: WithingsAccess, nights: readonly Night[]): Promise<ReadonlyMap<string, Json>> {
  const ends = nights.map(({ endMs }) => endMs)
  const from = new Date(ends.reduce((one, other) => Math.min(one, other)) - 2 * DAY_MS)
  const to = new Date(ends.reduce((one, other) => Math.max(one, other)) + 2 * DAY_MS)
  const read = await listMeasures(access, [SPO2_TYPE], { from, to })
  const timezone = usableZone(read.timezone)
  const newest = new Map<string, { readonly atMs: number; readonly spo2: Json }>()
  for (const group of groupsOf(read).groups) {
    const percent = figureOf(group, SPO2_TYPE)
    if (percent === undefined) continue
    const atMs = group.date.getTime()
    const date = localDateOf(group.date, offsetInZone(atMs, timezone))
    if (atMs < (newest.get(date)?.atMs ?? 0)) continue
    const modified = group.modified ?? null
    newest.set(date, { atMs, spo2: { date: Math.floor(atMs / 1000), modified, percent } })
  }
  return new Map([...newest].map(([date, { spo2 }]) => [date, spo2]))
}
