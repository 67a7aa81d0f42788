// Pages and single records of each kind.
import { addDays, isDate, utcDateOf } from "@restwell/client/calendar-dates"
import { failsInPart } from "../contract/collections.ts"
import { RequestRefused } from "../contract/errors.ts"
import type { FailedCollection, Json, Page, PageRequest, RecordRequest } from "../contract/records.ts"
import type { SampleRead, SampleRequest } from "../contract/sample-read.ts"
import type { SampleSet, SampleWindow } from "../contract/series.ts"
import { localDateOf } from "../normalize/derive.ts"
import { plausibleSamples } from "../normalize/plausible-samples.ts"
import { recordsInRange } from "../normalize/records-in-range.ts"
import { requireReadable } from "../normalize/require-readable.ts"
import {
  type DateRange,
  type GoogleAccess,
  getSession,
  listNewestSessions,
  listSamples,
  type SampleType,
  type SessionType,
} from "./api.ts"
import { samplesOf } from "./body.ts"
import { type Joined, joinRecords } from "./join.ts"
import { readGoogleRecords } from "./normalize.ts"
import { GoogleTimesSchema } from "./wire.ts"

/** Without a beginning the past is read in parts, until two years in a row have nothing. */
const PART_DAYS = 84
const MOST_EMPTY_DAYS = 730
const MOST_YEARS = 10
const BESIDE_STEPS = ["distance", "active-energy-burned", "total-calories"]

/** A local date is a day from the UTC date at most, and a sleep may begin a day before it ends. */
const EARLIER_DAYS = 1
const LATER_DAYS = 2

/** Returns all records of a request on one page, newest first. */
export async function readPage(access: GoogleAccess, request: PageRequest, now: Date): Promise<Page> {
  const last = addDays(utcDateOf(request.to ?? now), LATER_DAYS)
  if (request.from) {
    const first = addDays(utcDateOf(request.from), -EARLIER_DAYS)
    return within(await readDates(access, request, { first, last }, now), request)
  }
  const oldest = addDays(utcDateOf(now), -Math.ceil(MOST_YEARS * 365.25))
  if (oldest > last) return NOTHING
  if (request.limit !== undefined && (request.kind === "sleep" || request.kind === "workout")) {
    const newest = await newestSessionDate(access, request.kind, { first: oldest, before: request.to ?? now })
    if (newest === undefined) return NOTHING
    return within(await readDates(access, request, { first: addDays(newest, -1), last: newest }, now), request)
  }
  // Whoever asks for a number wants to know where the newest ones are: steps alone tell that of days.
  const isLook = request.limit !== undefined
  const without = [...(request.without ?? []), ...(isLook ? BESIDE_STEPS : [])]
  const parts: Page[] = []
  let emptyDays = 0
  for (let end = last; end >= oldest && emptyDays < MOST_EMPTY_DAYS; end = addDays(end, -PART_DAYS)) {
    const page = within(
      await readDates(access, { kind: request.kind, without }, { first: addDays(end, 1 - PART_DAYS), last: end }, now),
      request,
    )
    parts.push(page)
    const isEmpty = page.records.length === 0 && page.rejected.length === 0
    emptyDays = isEmpty ? emptyDays + PART_DAYS : 0
    if (!isEmpty && isLook) break
  }
  return merged(parts, request)
}

/** The date of the newest sleep or workout from a date on that began before an instant. Undefined where there is none. */
async function newestSessionDate(
  access: GoogleAccess,
  kind: "sleep" | "workout",
  { first, before }: { readonly first: string; readonly before: Date },
): Promise<string | undefined> {
  const type = kind === "sleep" ? "sleep" : "exercise"
  const isEarlier = (point: Json) => {
    const startTime = GoogleTimesSchema.safeParse(Reflect.get(Object(point), type)).data?.interval.startTime
    return startTime !== undefined && startTime < before
  }
  const last = addDays(utcDateOf(before), LATER_DAYS)
  const points = await listNewestSessions(access, type, { first, last, isWanted: isEarlier })
  const dates = points.filter(isEarlier).flatMap((point) => sessionDate(point, type) ?? [])
  return dates.toSorted().at(-1)
}

/** The local date on which a sleep or workout ended, as far as it can be read. */
function sessionDate(point: Json, type: SessionType): string | undefined {
  const times = GoogleTimesSchema.safeParse(Reflect.get(Object(point), type)).data?.interval
  const at = times?.endTime ?? times?.startTime
  return at && localDateOf(at, times?.endUtcOffset ?? times?.startUtcOffset ?? 0)
}

/** Parts reach over their ends, so a record may be in two. */
function merged(parts: readonly Page[], request: PageRequest): Page {
  const records = new Map(parts.flatMap((page) => page.records).map((record) => [record.providerId, record]))
  const failed = new Map(parts.flatMap((page) => page.failed ?? []).map((one) => [one.collection, one]))
  return within(
    {
      records: [...records.values()],
      rejected: parts.flatMap((page) => page.rejected),
      leftOut: parts.flatMap((page) => page.leftOut ?? []),
      ...(failed.size > 0 && { failed: [...failed.values()] }),
    },
    request,
  )
}

async function readDates(
  access: GoogleAccess,
  { kind, without = [] }: Pick<PageRequest, "kind" | "without">,
  range: DateRange,
  now: Date,
): Promise<Page> {
  return pageOf(kind, await joinRecords(access, kind, range, { without }), now)
}

function pageOf(kind: PageRequest["kind"], { raws, failed, leftOut }: Joined, now: Date): Page {
  return { ...readGoogleRecords(kind, raws, now), ...(failed.length > 0 && { failed }), ...(leftOut && { leftOut }) }
}

/** Returns the record with this id: a point of its own, or what there is of a date. */
export async function readRecord(access: GoogleAccess, request: RecordRequest, now: Date): Promise<Page> {
  const { kind, providerId, without = [] } = request
  // Ids come from stored records, and another text could lead to another address.
  if (!/^[\w.~-]{1,150}$/.test(providerId)) throw new RequestRefused(`A ${kind} was asked for by an invalid id`)
  const { leftOut: _, ...page } = await readJoined(access, request, now, without)
  const isAsked = (record: { readonly providerId: string | null }) => record.providerId === providerId
  return { ...page, records: page.records.filter(isAsked), rejected: page.rejected.filter(isAsked) }
}

const NOTHING: Page = { records: [], rejected: [] }

async function readJoined(
  access: GoogleAccess,
  { kind, providerId }: RecordRequest,
  now: Date,
  without: readonly string[],
): Promise<Page> {
  if (kind === "recovery" || kind === "cycle") {
    if (!isDate(providerId)) throw new RequestRefused("A day was asked for by an invalid id")
    const joined = await joinRecords(access, kind, { first: providerId, last: providerId }, { without })
    return pageOf(kind, joined, now)
  }
  const type = kind === "sleep" ? "sleep" : "exercise"
  const found = await getSession(access, type, providerId)
  if (found === undefined) return NOTHING
  const date = sessionDate(found, type)
  if (date === undefined) return pageOf(kind, { raws: [{ [type]: found }], failed: [] }, now)
  const range = { first: addDays(date, -EARLIER_DAYS), last: addDays(date, EARLIER_DAYS) }
  return pageOf(kind, await joinRecords(access, kind, range, { found, without }), now)
}

const SAMPLE_TYPES: readonly SampleType[] = ["weight", "body-fat"]

/** Returns all weights and body fats of a window. One that fails costs the other nothing. */
export async function readSamples(access: GoogleAccess, request: SampleRequest, now: Date): Promise<SampleRead> {
  const { without = [], ...window } = request
  const sets: SampleSet[] = []
  const failed: FailedCollection[] = []
  for (const type of SAMPLE_TYPES.filter((each) => !without.includes(each))) {
    try {
      sets.push(...setsOf(type, await listSamples(access, type, window), window, now))
    } catch (error) {
      if (!failsInPart(error)) throw error
      failed.push({ collection: type, error })
    }
  }
  return { sets, ...(failed.length > 0 && { failed }) }
}

function setsOf(type: SampleType, points: readonly Json[], { from, to }: SampleWindow, now: Date): SampleSet[] {
  const sets = samplesOf(type, points)
  requireReadable(
    type,
    points,
    sets.flatMap(({ leftOut = [] }) => leftOut),
  )
  return sets.map((set) => {
    const { samples, ...rest } = plausibleSamples(set, now)
    return { ...rest, samples: samples.filter(({ atMs }) => atMs >= from.getTime() && atMs < to.getTime()) }
  })
}

const within = (page: Page, { from, to }: Pick<PageRequest, "from" | "to">): Page => ({
  ...page,
  records: recordsInRange(page.records, { from, to }),
})
