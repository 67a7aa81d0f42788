// Pages and single records of each kind, joined of the rows of several lists.
import { addDays, isDate, utcDateOf } from "@restwell/client/calendar-dates"
import { failsInPart } from "../contract/collections.ts"
import { RequestRefused } from "../contract/errors.ts"
import type {
  FailedCollection,
  Json,
  Page,
  PageRequest,
  RecordKind,
  RecordRequest,
  Rejoin,
} from "../contract/records.ts"
import { known } from "../normalize/known.ts"
import { isOpaqueId } from "../normalize/opaque-texts.ts"
import { recordsInRange } from "../normalize/records-in-range.ts"
import {
  getExercise,
  listActivities,
  listExercises,
  listNights,
  listRecharges,
  listTemperatures,
  type PolarAccess,
} from "./api.ts"
import {
  ACTIVITY_DAYS,
  type DateRange,
  EXERCISE_DAYS,
  isTooOld,
  LONGEST_RANGE_DAYS,
  latestDate,
  NIGHT_DAYS,
  servedFrom,
} from "./dates.ts"
import { dateOf, readPolarRecords } from "./normalize.ts"
import { PolarNightTimesSchema } from "./wire.ts"

/** How long each kind is served, days. */
const SERVED_DAYS: Readonly<Record<RecordKind, number>> = {
  sleep: NIGHT_DAYS,
  recovery: NIGHT_DAYS,
  workout: EXERCISE_DAYS,
  cycle: ACTIVITY_DAYS,
}

/** The collection whose rows the records of a kind are. A recovery is of either of two. */
const MAIN: Readonly<Partial<Record<RecordKind, string>>> = {
  sleep: "sleep",
  cycle: "activities",
  workout: "exercises",
}

/** Returns all records of a request on one page, newest first. What Polar no longer serves is not asked for. */
export async function readPage(access: PolarAccess, request: PageRequest, now: Date): Promise<Page> {
  const { kind, limit, without = [] } = request
  const listedFrom = servedFrom(SERVED_DAYS[kind], now)
  if (without.some((collection) => collection === MAIN[kind])) return { records: [], rejected: [], listedFrom }
  if (request.to && isTooOld(request.to, SERVED_DAYS[kind], now)) return { records: [], rejected: [], listedFrom }
  const lists = listsWithout(without)
  const raws = await joinRaws({ ...lists, access, range: datesOf(request, now), limit, now }, kind)
  const { records, rejected } = readPolarRecords(kind, raws, now)
  // Workouts are served by the time of their upload, which may be weeks late: a listing until now has all of them.
  const isOfUploads = kind === "workout" && request.to === undefined
  return {
    records: recordsInRange(records, isOfUploads ? known({ limit }) : request),
    rejected,
    listedFrom,
    ...(lists.failed.length > 0 && { failed: lists.failed }),
  }
}

/** Returns the record of an id: a date, or that of an exercise. */
export async function readRecord(
  access: PolarAccess,
  { kind, providerId, without = [] }: RecordRequest,
  now: Date,
): Promise<Page> {
  if (kind === "workout") {
    // Ids come from stored records, and another text could lead to another address.
    if (!isOpaqueId(providerId)) throw new RequestRefused("A workout was asked for by an invalid id")
    const exercise = await getExercise(access, providerId)
    return readPolarRecords(kind, exercise === undefined ? [] : [{ exercise }], now)
  }
  if (!isDate(providerId)) throw new RequestRefused(`A ${kind} was asked for by an invalid id`)
  const lists = listsWithout(without)
  const range = { first: providerId, last: providerId }
  const raws = await joinRaws({ ...lists, access, range, limit: undefined, now }, kind)
  const ofDate = raws.filter((raw) => dateOf(kind, raw) === providerId)
  return { ...readPolarRecords(kind, ofDate, now), ...(lists.failed.length > 0 && { failed: lists.failed }) }
}

/** Returns a payload with the stored rows of collections that failed. */
export function rejoined({ raw, stored, kept }: Rejoin): Json {
  const rows = kept.flatMap((collection) => Object.entries(part(collection, fieldOf(stored, collection))))
  return Object.assign(Object.fromEntries(rows), raw)
}

/** How the collections of one read are listed. */
interface Lists {
  /** Lists a collection. One that fails gives nothing and is noted. */
  readonly listing: (collection: string, list: () => Promise<readonly Json[]>) => Promise<readonly Json[]>
  /** Throws what failed first, unless something answered. */
  readonly requireAnswer: () => void
  readonly failed: readonly FailedCollection[]
}

function listsWithout(without: readonly string[]): Lists {
  const failed: FailedCollection[] = []
  const answered: string[] = []
  return {
    failed,
    requireAnswer() {
      if (answered.length === 0 && failed[0]) throw failed[0].error
    },
    async listing(collection, list) {
      if (without.includes(collection)) return []
      try {
        const rows = await list()
        answered.push(collection)
        return rows
      } catch (error) {
        if (!failsInPart(error)) throw error
        failed.push({ collection, error })
        return []
      }
    },
  }
}

interface Joining extends Lists {
  readonly access: PolarAccess
  readonly range: DateRange
  readonly limit: number | undefined
  readonly now: Date
}

/** Returns the payloads of a kind. @throws {ProviderError} when the list of its main rows does not answer */
async function joinRaws(joining: Joining, kind: RecordKind): Promise<Json[]> {
  switch (kind) {
    case "sleep":
      return joinNights(joining)
    case "workout":
      return (await listExercises(joining.access)).map((exercise) => ({ exercise }))
    case "recovery":
      return joinRecoveries(joining)
    default:
      return joinCycles(joining)
  }
}

/** A night with the recharge of its date, which is of the same hours. */
async function joinNights({ access, range, listing }: Joining): Promise<Json[]> {
  // First, as recoveries do: kinds are read side by side and share the call.
  const recharges = await listing("nightly_recharge", () => listRecharges(access))
  const nights = await listNights(access)
  const byDate = new Map(recharges.map((row) => [dateOf("recovery", { nightly_recharge: row }), row]))
  return nights
    .map((sleep) => ({ sleep, ...part("nightly_recharge", byDate.get(dateOf("sleep", { sleep }) ?? "")) }))
    .filter(isOf("sleep", range))
}

/** A row without a date is kept: it is set aside with the reason. */
const isOf =
  (kind: RecordKind, { first, last }: DateRange) =>
  (raw: Json): boolean => {
    const date = dateOf(kind, raw)
    return date === undefined || (date >= first && date <= last)
  }

/** Of one date there is one recovery, whichever of the two lists has it. */
async function joinRecoveries({ access, range, listing, requireAnswer, now }: Joining): Promise<Json[]> {
  const served = clipped(range, NIGHT_DAYS, now)
  const recharges = await listing("nightly_recharge", () => listRecharges(access))
  const temperatures = await listing("skin_temperature", async () => (served ? listTemperatures(access, served) : []))
  requireAnswer()
  const byDate = new Map<string, { [name: string]: Json }>()
  const nameless: Json[] = []
  const add = (name: string, row: Json) => {
    const raw = { [name]: row }
    const date = dateOf("recovery", raw)
    if (date === undefined) nameless.push(raw)
    else byDate.set(date, { ...byDate.get(date), ...raw })
  }
  for (const row of recharges) add("nightly_recharge", row)
  for (const row of temperatures) add("skin_temperature", row)
  return [...byDate.values(), ...nameless].filter(isOf("recovery", range))
}

/** Days, each with the offsets of the nights around it. With a limit the newest ones are looked for. */
async function joinCycles({ access, range, listing, limit, now }: Joining): Promise<Json[]> {
  const served = clipped(range, ACTIVITY_DAYS, now)
  if (!served) return []
  const rows: Json[] = []
  for (let last = served.last; last >= served.first; last = addDays(last, -LONGEST_RANGE_DAYS)) {
    const earliest = addDays(last, 1 - LONGEST_RANGE_DAYS)
    rows.push(...(await listActivities(access, { first: earliest < served.first ? served.first : earliest, last })))
    if (limit !== undefined && rows.length > limit) break
  }
  if (rows.length === 0) return []
  const offsetAt = offsetsOf(await listing("sleep", () => listNights(access)))
  const byDate = new Map<string, Json>()
  const nameless: Json[] = []
  for (const activity of rows) {
    const date = dateOf("cycle", { activity })
    if (date === undefined) nameless.push({ activity })
    else byDate.set(date, { activity, ...part("sleep", offsetsOfDay(date, offsetAt)) })
  }
  return [...byDate.values(), ...nameless]
}

interface MidnightOffset {
  readonly minutes: number
  /** False for that of the nearest night, where the date's own is not served. */
  readonly isOwn: boolean
}

/** Returns the offset at the midnight that begins a date. */
type OffsetAt = (date: string) => MidnightOffset | undefined

function offsetsOfDay(date: string, offsetAt: OffsetAt): Json | undefined {
  const [start, end] = [offsetAt(date), offsetAt(addDays(date, 1))]
  if (start === undefined || end === undefined) return undefined
  return {
    start_utc_offset_minutes: start.minutes,
    end_utc_offset_minutes: end.minutes,
    ...(!start.isOwn && { is_of_another_night: true }),
  }
}

/** A night begins at the offset of its midnight, and ends at that of the next one. */
function offsetsOf(nights: readonly Json[]): OffsetAt {
  const known = nights
    .flatMap((night) => PolarNightTimesSchema.safeParse(night).data ?? [])
    .toSorted((one, other) => (one.date < other.date ? -1 : 1))
  return (date) => {
    const next = known.find((night) => night.date >= date)
    if (next?.date === date) return { minutes: next.sleep_start_time.utcOffsetMinutes, isOwn: true }
    const before = known.findLast((night) => night.date < date)
    const minutes = before?.sleep_end_time.utcOffsetMinutes ?? next?.sleep_start_time.utcOffsetMinutes
    return minutes === undefined ? undefined : { minutes, isOwn: false }
  }
}

/** Dates of a person anywhere are at most this far from those in UTC. */
const EDGE_DAYS = 1

function datesOf({ from, to }: PageRequest, now: Date): DateRange {
  return {
    first: from ? addDays(utcDateOf(from), -EDGE_DAYS) : "2000-01-01",
    last: addDays(utcDateOf(to ?? now), EDGE_DAYS),
  }
}

/** Returns the part of a range that Polar serves, to the latest date that anybody has now. Undefined where there is none. */
function clipped({ first, last }: DateRange, days: number, now: Date): DateRange | undefined {
  const newest = latestDate(now)
  const oldest = addDays(newest, 1 - days)
  const served = { first: first > oldest ? first : oldest, last: last < newest ? last : newest }
  return served.first <= served.last ? served : undefined
}

const part = (name: string, row: Json | undefined): { [key: string]: Json } =>
  row === undefined ? {} : { [name]: row }

function fieldOf(row: Json, name: string): Json | undefined {
  if (typeof row !== "object" || row === null || Array.isArray(row)) return undefined
  return row[name]
}
