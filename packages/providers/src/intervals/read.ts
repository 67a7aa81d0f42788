// Pages and single records of each kind.
import { addDays, utcDateOf } from "@restwell/client/calendar-dates"
import { RequestRefused } from "../contract/errors.ts"
import type { Json, Page, PageRequest, RecordRequest } from "../contract/records.ts"
import type { SampleRead } from "../contract/sample-read.ts"
import type { SampleWindow } from "../contract/series.ts"
import { isOpaqueId } from "../normalize/opaque-texts.ts"
import { plausibleSamples } from "../normalize/plausible-samples.ts"
import { recordsInRange } from "../normalize/records-in-range.ts"
import { requireReadable } from "../normalize/require-readable.ts"
import { jsonTextOf } from "../normalize/storable-text.ts"
import { dateInZone, isZone, usableZone } from "../normalize/zoned-days.ts"
import {
  type DateRange,
  getActivity,
  getAthlete,
  getWellness,
  type IntervalsAccess,
  listActivities,
  listWellness,
} from "./api.ts"
import { type PersonsDay, readActivities, readDays, weightsOf } from "./normalize.ts"
import { localDate, WELLNESS_FIELDS } from "./wire.ts"

/** Records of sleep have times, which intervals.icu does not give. */
const NOTHING: Page = { records: [], rejected: [] }

/** Nobody's history begins before: records are of this century. */
const FIRST_DATE = "2000-01-01"
/** A local date is a day from the UTC date at most, and a workout may last over midnight. */
const EARLIER_DAYS = 2
const LATER_DAYS = 1

/** Returns all records of a request on one page, newest first. */
export async function readPage(access: IntervalsAccess, request: PageRequest, now: Date): Promise<Page> {
  const { kind } = request
  const range = datesOf(request, now)
  switch (kind) {
    case "sleep":
      return NOTHING
    case "workout":
      return readWindows(range, request, {
        list: (window) => listActivities(access, window),
        read: (rows) => readActivities(rows, ANYWHERE),
      })
    default: {
      const day = await readDay(access, now)
      return readWindows(range, request, {
        list: (window) => listWellness(access, window, WELLNESS_FIELDS[kind]),
        read: (rows) => readDays(kind, rows, day),
      })
    }
  }
}

interface Rows {
  list(window: DateRange): Promise<readonly Json[]>
  read(rows: readonly Json[]): Page
}

/** Reads a range window by window, newest first. Where only so many records are wanted, older windows are not asked for. */
async function readWindows(range: DateRange, request: PageRequest, { list, read }: Rows): Promise<Page> {
  // Neighbours share a day.
  const rows = new Map<string, Json>()
  const readRows = () => within(read([...rows.values()]), request)
  for (const window of windowsOf(range)) {
    for (const row of await list(window)) rows.set(jsonTextOf(row), row)
    if (request.limit !== undefined && readRows().records.length >= request.limit) break
  }
  return readRows()
}

/** Lists have no pages, so none is longer than half a year. */
const LONGEST_WINDOW_DAYS = 179

/** Divides dates into windows, newest first. */
function* windowsOf({ first, last }: DateRange): Generator<DateRange> {
  for (let end = last; end >= first; ) {
    const begin = addDays(end, 1 - LONGEST_WINDOW_DAYS)
    yield { first: begin > first ? begin : first, last: end }
    end = addDays(begin, -1)
  }
}

export async function readRecord(access: IntervalsAccess, request: RecordRequest, now: Date): Promise<Page> {
  const { kind, providerId } = request
  if (kind === "sleep") return NOTHING
  if (kind === "workout") {
    // Ids come from stored records, and another text could lead to another address.
    if (!isOpaqueId(providerId)) throw new RequestRefused("A workout was asked for by an invalid id")
    const activity = await getActivity(access, providerId)
    const { leftOut: _, ...read } = readActivities(activity === undefined ? [] : [activity], ANYWHERE)
    return read
  }
  if (!localDate.safeParse(providerId).success) throw new RequestRefused("A day was asked for by an invalid id")
  const day = await readDay(access, now)
  const row = await getWellness(access, providerId, WELLNESS_FIELDS[kind])
  return readDays(kind, row === undefined ? [] : [row], day)
}

/** Returns all weights of a window. */
export async function readWeights(access: IntervalsAccess, window: SampleWindow, now: Date): Promise<SampleRead> {
  const day = await readDay(access, now)
  const rows: Json[] = []
  for (const dates of windowsOf(datesOf(window, now)))
    rows.push(...(await listWellness(access, dates, WELLNESS_FIELDS.weight)))
  const weights = weightsOf(rows, day)
  requireReadable("weight", rows, weights.leftOut ?? [])
  const set = plausibleSamples(weights, now)
  const [fromMs, toMs] = [window.from.getTime(), window.to.getTime()]
  return { sets: [{ ...set, samples: set.samples.filter(({ atMs }) => atMs >= fromMs && atMs < toMs) }] }
}

/** Activities have offsets of their own. */
const ANYWHERE: PersonsDay = { zone: "UTC", today: FIRST_DATE }

async function readDay(access: IntervalsAccess, now: Date): Promise<PersonsDay> {
  const { athlete } = await getAthlete(access)
  const zone = usableZone(athlete.timezone)
  const isZoneUnknown = !athlete.timezone || !isZone(athlete.timezone)
  return { zone, ...(isZoneUnknown && { isZoneUnknown }), today: dateInZone(now, zone) }
}

function datesOf({ from, to }: { readonly from?: Date; readonly to?: Date }, now: Date): DateRange {
  return {
    first: from ? addDays(utcDateOf(from), -EARLIER_DAYS) : FIRST_DATE,
    last: addDays(utcDateOf(to ?? now), LATER_DAYS),
  }
}

const within = (page: Page, request: PageRequest): Page => ({
  ...page,
  records: recordsInRange(page.records, request),
})
