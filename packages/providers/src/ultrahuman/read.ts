// Pages and single records of each kind: which dates a window is made of, and how far back a history goes.
import { addDays, utcDateOf } from "@restwell/client/calendar-dates"
import { HOUR_MS } from "@restwell/client/time-units"
import { RequestRefused } from "../contract/errors.ts"
import type { Page, PageRequest, RecordRequest } from "../contract/records.ts"
import type { SampleRead } from "../contract/sample-read.ts"
import type { SampleWindow } from "../contract/series.ts"
import { plausibleSamples } from "../normalize/plausible-samples.ts"
import { recordsInRange } from "../normalize/records-in-range.ts"
import { dateInZone, isZone, usableZone } from "../normalize/zoned-days.ts"
import { getDay, type UltrahumanAccess } from "./api.ts"
import { readDay, seriesOf } from "./normalize.ts"
import type { ZonedDay } from "./rows.ts"
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
    pages.push(readDay(kind, day, now))
    if (limit !== undefined && recordsOf().length >= limit) break
  }
  return {
    records: recordsOf(),
    rejected: pages.flatMap(({ rejected }) => rejected),
  }
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
  const date = providerId.slice(0, 10)
  const [day, before] = await Promise.all([zonedDay(access, date), zonedDay(access, addDays(date, -1))])
  const read = readDay(kind, besideDayBefore(day, before), now)
  return {
    records: read.records.filter((record) => record.providerId === providerId),
    rejected: read.rejected.filter((rejected) => rejected.providerId === providerId),
  }
}

/** Returns all values of a window. */
export async function readSamples(access: UltrahumanAccess, window: SampleWindow, now: Date): Promise<SampleRead> {
  const days = await Array.fromAsync(daysOf(access, window, now))
  const [fromMs, toMs] = [window.from.getTime(), window.to.getTime()]
  return {
    sets: seriesOf(days).map((set) => {
      const plausible = plausibleSamples(set, now)
      return { ...plausible, samples: plausible.samples.filter(({ atMs }) => atMs >= fromMs && atMs < toMs) }
    }),
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
): AsyncGenerator<ZonedDay> {
  const end = to && to < now ? to : now
  const oldest = Temporal.PlainDate.from(knownDate(now)).subtract({ years: HISTORY_YEARS }).toString()
  const probed = knownDate(end)
  if (probed < oldest) return
  const probe = await zonedDay(access, probed)
  const { zone } = probe
  const known = probe.isZoneUnknown ? undefined : zone
  // A night before midnight is of the next date.
  const newest = end === now ? dateInZone(now, zone) : earlier(addDays(dateInZone(end, zone), 1), dateInZone(now, zone))
  const first = later(oldest, from ? dateInZone(from, zone) : addDays(probed, -LOOKED_THROUGH_DAYS))
  const read = async (date: string) => (date === probed ? probe : zonedDay(access, date, known))
  let day = newest < first ? undefined : await read(newest)
  for (let date = newest; day && date >= first; date = addDays(date, -1)) {
    // What is not there is not carried over either.
    const isNeeded = date > first || day.entries.length > 0
    const before = isNeeded ? await read(addDays(date, -1)) : undefined
    yield besideDayBefore(day, before)
    day = before
  }
}

const besideDayBefore = (day: DayAlone, before: DayAlone | undefined): ZonedDay => ({
  ...day,
  entriesBefore: before?.entries ?? [],
})

const earlier = (one: string, other: string): string => (one < other ? one : other)
const later = (one: string, other: string): string => (one > other ? one : other)

type DayAlone = Omit<ZonedDay, "entriesBefore">

async function zonedDay(access: UltrahumanAccess, date: string, otherwise?: string): Promise<DayAlone> {
  const { zone: told, entries } = await getDay(access, date)
  const zone = told !== undefined && isZone(told) ? told : otherwise
  return { date, entries, zone: usableZone(zone), isZoneUnknown: zone === undefined }
}
