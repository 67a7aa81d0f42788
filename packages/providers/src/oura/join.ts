// Joins the documents of a day to records: one payload for each record, with its documents by collection.
import { addDays } from "@restwell/client/calendar-dates"
import { failsInPart } from "../contract/collections.ts"
import type { FailedCollection, Json, RecordKind, Rejoin } from "../contract/records.ts"
import { type DayRange, listDocuments, type OuraAccess, type OuraCollection } from "./api.ts"
import { isNight, NO_SLEEP } from "./wire.ts"

/** Payloads of one kind, and the collections that failed on the way. */
export interface Joined {
  readonly raws: readonly Json[]
  readonly failed: readonly FailedCollection[]
}

/** A document that was read by its id. It counts, whatever the lists say. */
export interface KnownDocument {
  readonly collection: OuraCollection
  readonly document: Json
}

/** Lists the documents of a collection. @default the range of the records */
export type List = (collection: OuraCollection, range?: DayRange) => Promise<readonly Json[]>

/** The collections of main documents, whose ids records have, in this order. A recovery without a readiness has its sleep's id. */
export const ID_COLLECTIONS: Readonly<Record<RecordKind, readonly OuraCollection[]>> = {
  sleep: ["sleep"],
  recovery: ["daily_readiness", "sleep"],
  workout: ["workout"],
  cycle: ["daily_activity"],
}
/** What is joined, apart from the lists. */
interface JoinOptions {
  readonly found?: readonly KnownDocument[]
  readonly without?: readonly string[]
}

/**
 * Returns the payloads of all records of a kind whose main document is of these days. A list that fails costs the others nothing.
 * @throws {ProviderError} when no list of main documents answers
 */
export async function joinRecords(
  access: OuraAccess,
  kind: RecordKind,
  range: DayRange,
  { found = [], without = [] }: JoinOptions = {},
): Promise<Joined> {
  const failed: FailedCollection[] = []
  const isSilent = (collection: OuraCollection) =>
    without.includes(collection) || failed.some((one) => one.collection === collection)
  const listOrFail = async (collection: OuraCollection, wanted: DayRange): Promise<readonly Json[]> => {
    if (without.includes(collection)) return []
    try {
      return await listDocuments(access, collection, wanted)
    } catch (error) {
      if (!failsInPart(error)) throw error
      failed.push({ collection, error })
      if (ID_COLLECTIONS[kind].every(isSilent)) throw error
      return []
    }
  }
  const list: List = async (collection, wanted = range) => {
    const listed = await listOrFail(collection, wanted)
    return found
      .filter((known) => known.collection === collection)
      .reduce((documents, { document }) => withDocument(documents, document), listed)
  }
  return { raws: await joinDocuments(list, kind, range), failed }
}

/** Returns a payload with the stored parts of collections that failed. */
export function rejoined({ raw, stored, kept }: Rejoin): Json {
  const parts = kept.flatMap((collection) => Object.entries(part(collection, fieldOf(stored, collection))))
  return Object.assign(Object.fromEntries(parts), raw)
}

/** Returns the payloads of a kind, made of listed documents. The main document of each is the listed object itself. */
export const joinDocuments = (list: List, kind: RecordKind, range: DayRange): Promise<Json[]> =>
  JOINS[kind](list, range)

const JOINS: Readonly<Record<RecordKind, (list: List, range: DayRange) => Promise<Json[]>>> = {
  sleep: joinSleeps,
  recovery: joinRecoveries,
  workout: async (list) => (await list("workout")).map((workout) => ({ workout })),
  cycle: joinCycles,
}

async function joinSleeps(list: List, range: DayRange): Promise<Json[]> {
  const sleeps = (await list("sleep")).filter(isSleep)
  const scores = byDay(await list("daily_sleep"))
  // A sleep that ended after 18:00 is of the next day, and its activity day is the day of its end.
  const activities = byDay(await list("daily_activity", { first: addDays(range.first, -1), last: range.last }))
  const main = mainSleeps(sleeps)
  return sleeps.map((sleep) => {
    const day = textIn(sleep, "day")
    // A list may have it twice.
    const night = main.get(day)
    const isMain = night !== undefined && textIn(night, "id") === textIn(sleep, "id")
    return {
      sleep,
      ...part("daily_sleep", isMain ? scores.get(day) : undefined),
      ...part("daily_activity", idAndTime(activities.get(endDate(sleep)))),
    }
  })
}

/** One for each readiness, and one for each main sleep with heart rates that has none. */
async function joinRecoveries(list: List, range: DayRange): Promise<Json[]> {
  const readinesses = await list("daily_readiness")
  const main = mainSleeps((await list("sleep")).filter(isSleep))
  const oxygen = byDay(await list("daily_spo2"))
  const activities = byDay(await list("daily_activity", { first: addDays(range.first, -1), last: range.last }))
  const readyDays = byDay(readinesses)
  const alone = [...main].filter(([day, sleep]) => !readyDays.has(day) && hasHeart(sleep))
  const days = [
    ...readinesses.map((readiness) => ({ day: textIn(readiness, "day"), readiness })),
    ...alone.map(([day]) => ({ day, readiness: undefined })),
  ]
  return days.map(({ day, readiness }) => {
    const sleep = main.get(day)
    return {
      ...part("daily_readiness", readiness),
      ...part("sleep", readiness === undefined ? sleep : withoutItems(sleep)),
      ...part("daily_spo2", oxygen.get(day)),
      ...part("daily_activity", idAndTime(activities.get(sleep === undefined ? day : endDate(sleep)))),
    }
  })
}

async function joinCycles(list: List, { first, last }: DayRange): Promise<Json[]> {
  const activities = await list("daily_activity", { first, last: addDays(last, 1) })
  const ofDay = byDay(activities)
  return activities
    .filter((activity) => textIn(activity, "day") <= last)
    .map((activity) => {
      const day = textIn(activity, "day")
      const next = day === "" ? undefined : ofDay.get(addDays(day, 1))
      return { daily_activity: activity, ...part("next_activity", idAndTime(next)) }
    })
}

/** The longest night of each day. Scores and heart rates of a day are of this one. */
function mainSleeps(sleeps: readonly Json[]): ReadonlyMap<string, Json> {
  const main = new Map<string, Json>()
  for (const sleep of sleeps) {
    if (!isNight(sleep)) continue
    const day = textIn(sleep, "day")
    const other = main.get(day)
    if (other === undefined || isLonger(sleep, other)) main.set(day, sleep)
  }
  return main
}

function isLonger(one: Json, other: Json): boolean {
  const length = (sleep: Json) => Number(fieldOf(sleep, "total_sleep_duration") ?? 0)
  return length(one) === length(other) ? textIn(one, "id") < textIn(other, "id") : length(one) > length(other)
}

const isSleep = (sleep: Json): boolean => !NO_SLEEP.includes(fieldOf(sleep, "type"))

const hasHeart = (sleep: Json): boolean =>
  Boolean(fieldOf(sleep, "average_hrv")) || Boolean(fieldOf(sleep, "lowest_heart_rate"))

/** The date of an end is written in local time. */
const endDate = (sleep: Json): string => textIn(sleep, "bedtime_end").slice(0, 10)

const byDay = (documents: readonly Json[]): ReadonlyMap<string, Json> =>
  new Map(documents.map((document) => [textIn(document, "day"), document]))

const withDocument = (documents: readonly Json[], document: Json): readonly Json[] => [
  ...documents.filter((other) => textIn(other, "id") !== textIn(document, "id")),
  document,
]

/** The payload of the sleep itself has its values within the night. */
function withoutItems(sleep: Json | undefined): Json | undefined {
  if (typeof sleep !== "object" || sleep === null || Array.isArray(sleep)) return sleep
  const { heart_rate: _heartRate, hrv: _hrv, ...others } = sleep
  return others
}

/** What other records need of an activity day, so that they do not change whenever it grows. */
const idAndTime = (activity: Json | undefined): Json | undefined =>
  activity === undefined
    ? undefined
    : { id: fieldOf(activity, "id") ?? null, timestamp: fieldOf(activity, "timestamp") ?? null }

const part = (name: string, document: Json | undefined): { [key: string]: Json } =>
  document === undefined ? {} : { [name]: document }

/** Fields are looked at before the whole document is parsed, which may be of another shape. */
export function fieldOf(document: Json, name: string): Json | undefined {
  if (typeof document !== "object" || document === null || Array.isArray(document)) return undefined
  return document[name]
}

export function textIn(document: Json, name: string): string {
  const value = fieldOf(document, name)
  return typeof value === "string" ? value : ""
}
