// Pages and single records of each kind: which dates a window is made of, and how far back a history goes.
import { addDays, utcDateOf } from "@restwell/client/calendar-dates"
import { HOUR_MS } from "@restwell/client/time-units"
import { RequestRefused } from "../contract/errors.ts"
import type { Page, PageRequest, RecordRequest, RejectedRecord } from "../contract/records.ts"
import type { SampleRead } from "../contract/sample-read.ts"
import type { SampleWindow } from "../contract/series.ts"
import { plausibleSamples } from "../normalize/plausible-samples.ts"
import { recordsInRange } from "../normalize/records-in-range.ts"
import { dateInZone } from "../normalize/zoned-days.ts"
import type { UltrahumanAccess } from "./api.ts"
import { type DateReader, type DayAlone, isUnread, readDates, type UnreadDate } from "./dates.ts"
import { readDay, seriesOf } from "./normalize.ts"
import type { RowKind, ZonedDay } from "./rows.ts"
import { HISTORY_YEARS, LOOKED_THROUGH_DAYS } from "./sync-policy.ts"

const NOTHING: Page = { records: [], rejected: [] }

/** Returns all records of a request on one page, newest first. One without a beginning is looked through for its newest records. */
export async function readPage(access: UltrahumanAccess, request: PageRequest, now: Date): Promise<Page> {
  const { kind, limit } = request
  // It delivers none.
  if (kind === "workout") return NOTHING
  const pages: Page[] = []
  const recordsOf = () =>
    recordsInRange(
      pages.flatMap(({ records }) => records),
      request,
    )
  for await (const day of daysOf(access, request, now)) {
    pages.push(isUnread(day) ? setAside(kind, day) : readDay(kind, day, now))
    if (limit !== undefined && recordsOf().length >= limit) break
  }
  return {
    records: recordsOf(),
    rejected: pages.flatMap(({ rejected }) => rejected),
  }
}

/** A date that cannot be read costs itself alone: it is told as missing, what is stored of it stays, and it is asked for again. */
const setAside = (kind: RowKind, { date, error }: UnreadDate, providerId = date): Page => {
  const reason = `the date could not be read: ${error.message}`
  const rejected: RejectedRecord = { kind, providerId, occurred: { date }, reason, raw: { id: providerId, date } }
  return { records: [], rejected: [rejected] }
}

/** Returns a record by its id, which begins with its date. */
export async function readRecord(
  access: UltrahumanAccess,
  { kind, providerId }: RecordRequest,
  now: Date,
): Promise<Page> {
  // Ids come from stored records, and another text could lead to another address.
  if (!/^\d{4}-\d\d-\d\d(?:-\d{1,15})?$/.test(providerId))
    throw new RequestRefused("A day was asked for by an invalid id")
  if (kind === "workout") return NOTHING
  const read = readDates(access)
  const date = providerId.slice(0, 10)
  const [day, before] = await Promise.all([read(date), read(addDays(date, -1))])
  if (isUnread(day)) {
    // Nothing that was asked for has answered.
    if (isUnread(before)) throw day.error
    return setAside(kind, day, providerId)
  }
  const found = readDay(kind, besideDayBefore(day, before), now)
  return {
    records: found.records.filter((record) => record.providerId === providerId),
    rejected: found.rejected.filter((rejected) => rejected.providerId === providerId),
  }
}

/** Returns all values of a window but those of dates that cannot be read. */
export async function readSamples(access: UltrahumanAccess, window: SampleWindow, now: Date): Promise<SampleRead> {
  const read = await Array.fromAsync(daysOf(access, window, now))
  const days = read.filter((day): day is ZonedDay => !isUnread(day))
  const [fromMs, toMs] = [window.from.getTime(), window.to.getTime()]
  return {
    sets: seriesOf(days).map((set) => {
      const plausible = plausibleSamples(set, now)
      return { ...plausible, samples: plausible.samples.filter(({ atMs }) => atMs >= fromMs && atMs < toMs) }
    }),
    isPartial: days.length < read.length,
  }
}

/** The date that has begun everywhere. */
const BEGUN_EVERYWHERE_MS = 12 * HOUR_MS

/** The newest date that is asked for without knowing the person's zone: it is no day of the future anywhere. */
export const knownDate = (at: Date): string => utcDateOf(new Date(at.getTime() - BEGUN_EVERYWHERE_MS))

/**
 * Reads the dates of a window, newest first. Which dates those are depends on the person's zone, which comes with the first answer. A date
 * of the future is never asked for.
 */
async function* daysOf(
  access: UltrahumanAccess,
  { from, to }: { readonly from?: Date | undefined; readonly to?: Date | undefined },
  now: Date,
): AsyncGenerator<ZonedDay | UnreadDate> {
  const end = to && to < now ? to : now
  const oldest = Temporal.PlainDate.from(knownDate(now)).subtract({ years: HISTORY_YEARS }).toString()
  const probed = knownDate(end)
  if (probed < oldest) return
  const read = readDates(access)
  const { zone } = await firstRead(read, probed)
  // A night before midnight is of the next date.
  const newest = end === now ? dateInZone(now, zone) : earlier(addDays(dateInZone(end, zone), 1), dateInZone(now, zone))
  const first = later(oldest, from ? dateInZone(from, zone) : addDays(probed, -LOOKED_THROUGH_DAYS))
  let day = newest < first ? undefined : await read(newest)
  for (let date = newest; day && date >= first; date = addDays(date, -1)) {
    // What is not there is not carried over either.
    const isNeeded = date > first || (!isUnread(day) && day.entries.length > 0)
    const before = isNeeded ? await read(addDays(date, -1)) : undefined
    // Others answer: most failures of a moment are over by now.
    const found = isUnread(day) && before && !isUnread(before) ? await read(date, true) : day
    yield isUnread(found) ? found : besideDayBefore(found, before)
    day = before
  }
}

/** The newest date that can be read names the zone. */
async function firstRead(read: DateReader, newest: string): Promise<DayAlone> {
  for (let date = newest; ; date = addDays(date, -1)) {
    const day = await read(date)
    if (!isUnread(day)) return day
  }
}

const besideDayBefore = (day: DayAlone, before: DayAlone | UnreadDate | undefined): ZonedDay => ({
  ...day,
  entriesBefore: before && !isUnread(before) ? before.entries : [],
})

const earlier = (one: string, other: string): string => (one < other ? one : other)
const later = (one: string, other: string): string => (one > other ? one : other)
