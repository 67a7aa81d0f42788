// Joins Google's data points to records: one payload for each record, with its points by their type. What is needed before a payload is parsed
// is read here leniently, because any of its fields may be wrong.
import { addDays, utcDateOf } from "@restwell/client/calendar-dates"
import { MINUTE_MS } from "@restwell/client/time-units"
import { z } from "zod"
import { failsInPart } from "../contract/collections.ts"
import type { FailedCollection, Json, RecordKind, Rejoin } from "../contract/records.ts"
import type { LeftOut } from "../contract/series.ts"
import { localDateOf } from "../normalize/derive.ts"
import { jsonTextOf } from "../normalize/storable-text.ts"
import { type DateRange, type GoogleAccess, getSettings, listDaily, listRollUps, listSessions } from "./api.ts"
import { pickedExercise, pickedPoint } from "./payloads.ts"
import { isCopy } from "./sources.ts"
import {
  type DailyType,
  GoogleCivilDateSchema,
  type GoogleDataSource,
  GoogleDateSchema,
  GoogleSourceSchema,
  GoogleTimesSchema,
  pointId,
  type RollUpType,
} from "./wire.ts"

/** Payloads of one kind, the collections that failed on the way, and the copies that do not count. */
export interface Joined {
  readonly raws: readonly Json[]
  readonly failed: readonly FailedCollection[]
  readonly leftOut?: readonly LeftOut[]
}

interface JoinOptions {
  /** A sleep or exercise that was read by its id. It counts, whatever the list says. */
  readonly found?: Json
  readonly without?: readonly string[]
}

type Documents = { [name: string]: Json }

const part = (name: string, document: Json | undefined): Documents =>
  document === undefined ? {} : { [name]: document }

/** Kinds whose records one collection lists. Records of the others are of whatever answers. */
const LISTED_BY: Readonly<Partial<Record<RecordKind, string>>> = { sleep: "sleep", workout: "exercise" }

/**
 * Returns the payloads of all records of a kind on these dates. A list that fails costs the others nothing.
 * @throws {ProviderError} when the collection that lists the kind does not answer
 */
export async function joinRecords(
  access: GoogleAccess,
  kind: RecordKind,
  range: DateRange,
  { found, without = [] }: JoinOptions = {},
): Promise<Joined> {
  const failed: FailedCollection[] = []
  const answerOf: AnswerOf = async (collection, read) => {
    if (without.includes(collection)) return undefined
    try {
      return await read()
    } catch (error) {
      if (!failsInPart(error) || LISTED_BY[kind] === collection) throw error
      failed.push({ collection, error })
      return undefined
    }
  }
  const joined = await JOINS[kind]({ access, range, answerOf, found })
  return { ...joined, failed }
}

/** Returns what a collection gives. Undefined if it is not asked now, or fails. */
type AnswerOf = <Answer>(collection: string, read: () => Promise<Answer>) => Promise<Answer | undefined>

interface Join {
  readonly access: GoogleAccess
  readonly range: DateRange
  readonly answerOf: AnswerOf
  readonly found: Json | undefined
}

const JOINS: Readonly<Record<RecordKind, (join: Join) => Promise<Omit<Joined, "failed">>>> = {
  sleep: joinSleeps,
  recovery: joinRecoveries,
  workout: joinWorkouts,
  cycle: joinCycles,
}

/** Returns a payload with the stored parts of collections that failed. */
export function rejoined({ raw, stored, kept }: Rejoin): Json {
  const documents = DocumentsSchema.safeParse(stored).data ?? {}
  return Object.assign(
    Object.fromEntries(kept.flatMap((name) => Object.entries(part(name, documents[name])))),
    DocumentsSchema.safeParse(raw).data ?? {},
  )
}

const DocumentsSchema = z.record(z.string(), z.custom<Json>())

const SessionSchema = z.object({
  name: pointId.catch(""),
  ...GoogleSourceSchema.shape,
  sleep: GoogleTimesSchema.extend({
    metadata: z
      .object({
        mainSleep: z.boolean().nullish().catch(undefined),
        main: z.boolean().nullish().catch(undefined),
        nap: z.boolean().nullish().catch(undefined),
      })
      .nullish()
      .catch(undefined),
  })
    .optional()
    .catch(undefined),
  exercise: GoogleTimesSchema.optional().catch(undefined),
})

/** A sleep or exercise as far as it can be read before it is parsed. */
interface Session {
  readonly raw: Json
  readonly id: string
  readonly source: GoogleDataSource
  readonly isMain: boolean | undefined
  readonly isNap: boolean
  /** Undefined where a time cannot be read: the whole payload then says why. */
  readonly times:
    | { readonly startMs: number; readonly endMs: number; readonly startOffset: number; readonly endOffset: number }
    | undefined
}

function sessionOf(raw: Json): Session {
  const read = SessionSchema.safeParse(raw).data
  const metadata = read?.sleep?.metadata
  const { startTime, endTime, startUtcOffset, endUtcOffset } = (read?.sleep ?? read?.exercise)?.interval ?? {}
  const endOffset = endUtcOffset ?? startUtcOffset
  const startOffset = startUtcOffset ?? endUtcOffset
  const isKnown = startTime && endTime && endOffset !== undefined && startOffset !== undefined
  return {
    raw,
    id: read?.name ?? "",
    source: read?.dataSource,
    // The preview of the API names it `main`.
    isMain: metadata?.mainSleep ?? metadata?.main ?? undefined,
    isNap: metadata?.nap === true,
    times: isKnown ? { startMs: startTime.getTime(), endMs: endTime.getTime(), startOffset, endOffset } : undefined,
  }
}

const OpenSchema = z.object({ interval: z.object({ endTime: z.literal("").nullish() }) })
const OpenSessionSchema = z.union([z.object({ sleep: OpenSchema }), z.object({ exercise: OpenSchema })])

/** What goes on has no end yet. It comes with the next look. */
const isOver = (raw: Json): boolean => !OpenSessionSchema.safeParse(raw).success

/** Sessions that are over, each once: a list that changes while it is paged may have one twice. */
function sessionsOf(points: readonly Json[], found: Json | undefined): Session[] {
  const sessions = [...points, ...(found === undefined ? [] : [found])].filter(isOver).map(sessionOf)
  const last = new Map(sessions.map((session) => [session.id, session]))
  return sessions.filter((session) => session.id === "" || last.get(session.id) === session)
}

const dateOf = ({ times }: Session): string | undefined => times && localDateOf(new Date(times.endMs), times.endOffset)

const COPIED = "copies of what another app wrote, beside Fitbit's own of the same time"

const countedOut = (type: "sleep" | "workout", sessions: readonly Session[]): LeftOut[] =>
  [...Map.groupBy(sessions, ({ times }) => utcDateOf(new Date(times?.startMs ?? 0)))].map(
    ([day, { length: count }]) => ({ type, day, reason: COPIED, count }),
  )

/** A copied night counts for a date without a night of Google's own. A copy of a sleep that Google has itself never does. */
function withoutCopiedSleeps(sessions: readonly Session[]): { readonly kept: Session[]; readonly copies: Session[] } {
  const own = sessions.filter(({ source }) => !isCopy(source))
  const dates = new Set(own.filter(({ isNap }) => !isNap).map(dateOf))
  const isLeftOut = (session: Session) =>
    isCopy(session.source) &&
    session.times !== undefined &&
    ((!session.isNap && dates.has(dateOf(session))) || own.some((other) => isSameSleep(session, other)))
  return { kept: sessions.filter((one) => !isLeftOut(one)), copies: sessions.filter(isLeftOut) }
}

const SHARED_PART = 0.6

/** A nap within a copied night is a part of that night, and not the same sleep. */
const isSameSleep = (copy: Session, own: Session): boolean =>
  isSame(copy, own) && (!own.isNap || lengthOf(own) >= SHARED_PART * lengthOf(copy))

/** Two records of one activity share most of the shorter one. */
function isSame({ times: one }: Session, { times: other }: Session): boolean {
  if (!one || !other) return false
  const sharedMs = Math.min(one.endMs, other.endMs) - Math.max(one.startMs, other.startMs)
  return sharedMs > 0 && sharedMs >= SHARED_PART * Math.min(one.endMs - one.startMs, other.endMs - other.startMs)
}

/** The sleep of each date that its figures are of: the one that Google calls so, or else the longest that is no nap. */
function mainSleeps(sessions: readonly Session[]): ReadonlyMap<string, Session> {
  const main = new Map<string, Session>()
  for (const session of sessions) {
    const date = dateOf(session)
    if (date === undefined || session.isNap) continue
    const other = main.get(date)
    if (!other || comesFirst(session, other)) main.set(date, session)
  }
  return main
}

const lengthOf = ({ times }: Session): number => (times ? times.endMs - times.startMs : 0)

const comesFirst = (one: Session, other: Session): boolean =>
  (Number(one.isMain ?? false) - Number(other.isMain ?? false) ||
    lengthOf(one) - lengthOf(other) ||
    (one.id < other.id ? 1 : -1)) > 0

const around = ({ first, last }: DateRange): DateRange => ({ first: addDays(first, -1), last: addDays(last, 1) })

async function joinSleeps({ access, range, answerOf, found }: Join): Promise<Omit<Joined, "failed">> {
  const points = (await answerOf("sleep", () => listSessions(access, "sleep", around(range)))) ?? []
  const { kept, copies } = withoutCopiedSleeps(sessionsOf(points, found))
  const main = mainSleeps(kept)
  const rates = await daily({ access, range: around(range), answerOf }, "daily-respiratory-rate")
  const raws = kept.map((session) => {
    const date = dateOf(session)
    const rate = date !== undefined && main.get(date) === session ? rates.get(date) : undefined
    const isOfSame = rate !== undefined && isCopy(sourceOf(rate)) === isCopy(session.source)
    return { sleep: pickedPoint(session.raw), ...part("daily-respiratory-rate", isOfSame ? rate : undefined) }
  })
  return { raws, leftOut: countedOut("sleep", copies) }
}

async function joinWorkouts({ access, range, answerOf, found }: Join): Promise<Omit<Joined, "failed">> {
  const points = (await answerOf("exercise", () => listSessions(access, "exercise", around(range)))) ?? []
  const sessions = sessionsOf(points, found)
  const own = sessions.filter(({ source }) => !isCopy(source))
  const isLeftOut = (session: Session) => isCopy(session.source) && own.some((other) => isSame(session, other))
  return {
    raws: sessions.filter((one) => !isLeftOut(one)).map(({ raw }) => ({ exercise: pickedExercise(raw) })),
    leftOut: countedOut("workout", sessions.filter(isLeftOut)),
  }
}

const sourceOf = (point: Json): GoogleDataSource => GoogleSourceSchema.safeParse(point).data?.dataSource

/** The point of each date: one with a figure first, Google's own before a copy, measured with the sleep before without it. No average. */
async function daily(
  { access, range, answerOf }: Pick<Join, "access" | "range" | "answerOf">,
  type: DailyType,
): Promise<ReadonlyMap<string, Json>> {
  const points = (await answerOf(type, () => listDaily(access, type, range))) ?? []
  const best = new Map<string, Json>()
  for (const point of points) {
    const date = dateOfPoint(point)
    if (date === undefined) continue
    const other = best.get(date)
    if (other === undefined || rankOf(point, type) < rankOf(other, type)) best.set(date, point)
  }
  return best
}

/** The date of a point, in the object of its type. */
function dateOfPoint(point: Json): string | undefined {
  const documents = DocumentsSchema.safeParse(point).data ?? {}
  return Object.values(documents).flatMap((value) => GoogleDateSchema.safeParse(value).data ?? [])[0]
}

function rankOf(point: Json, type: DailyType): string {
  const method =
    MethodSchema.safeParse(point).data?.dailyRestingHeartRate.dailyRestingHeartRateMetadata.calculationMethod
  const place = method === "WITH_SLEEP" ? 0 : method === undefined ? 2 : 1
  return `${hasFigure(point, type) ? 0 : 1} ${isCopy(sourceOf(point)) ? 1 : 0} ${place} ${jsonTextOf(point)}`
}

const FIGURES: Readonly<Record<DailyType, string>> = {
  "daily-heart-rate-variability": "averageHeartRateVariabilityMilliseconds",
  "daily-resting-heart-rate": "beatsPerMinute",
  "daily-oxygen-saturation": "averagePercentage",
  "daily-respiratory-rate": "breathsPerMinute",
  "daily-sleep-temperature-derivations": "nightlyTemperatureCelsius",
}

/** Zero is no measurement. */
const hasFigure = (point: Json, type: DailyType): boolean =>
  Object.values(DocumentsSchema.safeParse(point).data ?? {}).some(
    (value) => Number(Reflect.get(Object(value), FIGURES[type])) > 0,
  )

const MethodSchema = z.object({
  dailyRestingHeartRate: z.object({ dailyRestingHeartRateMetadata: z.object({ calculationMethod: z.string() }) }),
})

/** One for each date with a figure. Blood oxygen has the date on which its night began, and the others that of waking. */
async function joinRecoveries({ access, range, answerOf }: Join): Promise<Omit<Joined, "failed">> {
  const wide = { access, range: around(range), answerOf }
  const types = [
    "daily-heart-rate-variability",
    "daily-resting-heart-rate",
    "daily-sleep-temperature-derivations",
  ] as const
  const [sleeps, oxygen, ...figures] = await Promise.all([
    answerOf("sleep", () => listSessions(access, "sleep", around(around(range)))),
    daily({ ...wide, range: around(wide.range) }, "daily-oxygen-saturation"),
    ...types.map((type) => daily(wide, type)),
  ])
  const main = mainSleeps(withoutCopiedSleeps(sessionsOf(sleeps ?? [], undefined)).kept)
  const oxygenOf = sleeps ? byWaking(oxygen, main) : onNextDates(oxygen)
  const dates = new Set([...figures.flatMap((dates) => [...dates.keys()]), ...oxygenOf.keys()])
  const raws = [...dates].map((date) => {
    const sleep = main.get(date)
    return {
      date,
      ...Object.assign({}, ...types.map((type, index) => part(type, figures[index]?.get(date)))),
      ...part("daily-oxygen-saturation", oxygenOf.get(date)),
      ...part("sleep", sleep && namedBy(sleep)),
    }
  })
  return { raws }
}

function namedBy({ raw }: Session): Json | undefined {
  const name = DocumentsSchema.safeParse(raw).data?.["name"]
  return name === undefined ? undefined : { name }
}

/** Where sleep is not shared, or does not answer, a night is taken to end on the date after the one on which it began. */
const onNextDates = (oxygen: ReadonlyMap<string, Json>): ReadonlyMap<string, Json> =>
  new Map([...oxygen].map(([began, point]) => [addDays(began, 1), point]))

/** Returns the oxygen of each date of waking: its sleep is the one that has most of the time from noon of its own date to the next noon. */
function byWaking(oxygen: ReadonlyMap<string, Json>, main: ReadonlyMap<string, Session>): ReadonlyMap<string, Json> {
  const found = new Map<string, { readonly point: Json; readonly sharedMs: number }>()
  for (const [began, point] of oxygen) {
    const [fromMs, toMs] = [Date.parse(`${began}T12:00:00Z`), Date.parse(`${addDays(began, 1)}T12:00:00Z`)]
    const candidates = [began, addDays(began, 1), addDays(began, 2)].flatMap((date) => {
      const times = main.get(date)?.times
      if (!times) return []
      const start = times.startMs + times.startOffset * MINUTE_MS
      const end = times.endMs + times.endOffset * MINUTE_MS
      return [{ date, sharedMs: Math.min(end, toMs) - Math.max(start, fromMs) }]
    })
    const [best] = candidates
      .filter(({ sharedMs }) => sharedMs > 0)
      .toSorted((one, other) => other.sharedMs - one.sharedMs)
    const other = best && found.get(best.date)
    if (best && (!other || other.sharedMs < best.sharedMs)) found.set(best.date, { point, sharedMs: best.sharedMs })
  }
  return new Map([...found].map(([date, { point }]) => [date, point]))
}

const COUNTED = ["steps", "distance", "active-energy-burned"] as const

/** One for each date with anything but the energy, which Google also estimates for days without a device. */
async function joinCycles({ access, range, answerOf }: Join): Promise<Omit<Joined, "failed">> {
  const settings = await answerOf("settings", () => getSettings(access))
  if (settings === undefined) return { raws: [] }
  const sums = async (type: RollUpType, dates: DateRange): Promise<ReadonlyMap<string, Json>> => {
    const rows = (await answerOf(type, () => listRollUps(access, type, dates))) ?? []
    return new Map(
      rows.flatMap((row) => {
        const date = GoogleCivilDateSchema.safeParse(row).data
        return date === undefined ? [] : [[date, row]]
      }),
    )
  }
  const counted = await Promise.all(COUNTED.map((type) => sums(type, range)))
  const dates = [
    ...new Set(counted.flatMap((rows) => [...rows].flatMap(([date, row]) => (hasSum(row) ? [date] : [])))),
  ].toSorted()
  const [first, last] = [dates[0], dates.at(-1)]
  const energy = first && last ? await sums("total-calories", { first, last }) : new Map<string, Json>()
  const raws = dates.map((date) => ({
    date,
    settings,
    ...Object.assign({}, ...COUNTED.map((type, index) => part(type, counted[index]?.get(date)))),
    ...part("total-calories", energy.get(date)),
  }))
  return { raws }
}

/** True for a row with a figure that is not zero. */
const hasSum = (row: Json): boolean =>
  Object.values(DocumentsSchema.safeParse(row).data ?? {}).some((value) => {
    const sums = SumsSchema.safeParse(value).data ?? {}
    return Object.entries(sums).some(([name, sum]) => name.endsWith("Sum") && Number(sum) > 0)
  })

const SumsSchema = z.record(z.string(), z.unknown())
