// Pages and single records of each kind.
import { addDays, utcDateOf } from "@restwell/client/calendar-dates"
import { DAY_MS, MINUTE_MS } from "@restwell/client/time-units"
import { RequestRefused } from "../contract/errors.ts"
import type { Json, NormalizedProfile, Page, PageRequest, RecordRequest, RejectedRecord } from "../contract/records.ts"
import { localDateOf } from "../normalize/derive.ts"
import { known, knownOrNone } from "../normalize/known.ts"
import { jsonTextOf } from "../normalize/storable-text.ts"
import { type Asked, EVER, type ListName, listMeasures, listRows, type WithingsAccess } from "./api.ts"
import { figureOf, groupsOf } from "./measures.ts"
import { fieldOf, joinNights, type Night, nightsOf, type WithoutDetails } from "./nights.ts"
import { readWithingsRecords, WITHINGS } from "./normalize.ts"
import { openToken } from "./oauth.ts"
import { nextTurn } from "./turns.ts"
import { ActivityOriginSchema, localDate, WithingsDatedSchema, WithingsIdSchema } from "./wire.ts"

const LIST_OF = { sleep: "sleep", recovery: "sleep", workout: "workouts", cycle: "activity" } as const

/** Returns the records of a request, newest first. Of an open window also what was changed since, whenever it was. */
export async function readPage(access: WithingsAccess, request: PageRequest, now: Date): Promise<Page> {
  const { kind, cursor, limit, without = [] } = request
  if (without.includes(LIST_OF[kind])) return { records: [], rejected: [] }
  const { rows, changedDates } = await listFor(access, LIST_OF[kind], request, now)
  const isWanted = (span: Moment) => isInRange(span, request) || changedDates.has(span.date)
  if (kind === "workout" || kind === "cycle") {
    const raws = kind === "cycle" ? countingRows(rows) : rows
    const read = readWithingsRecords(kind, raws, now)
    const records = read.records
      .filter((record) => record.kind !== "recovery" && isWanted(momentOf(record)))
      .toSorted((one, other) => startOf(other) - startOf(one))
    return { ...read, records }
  }
  const { nights, unread } = nightsOf(rows)
  const isOfKind = (night: Night) => kind === "sleep" || night.isMain
  const turn = await nextTurn(nights.filter(isWanted), request, now)
  const wanted = turn.nights
    .filter(isOfKind)
    .toSorted((one, other) => (kind === "sleep" ? other.startMs - one.startMs : other.endMs - one.endMs))
  const first = cursor === undefined ? 0 : wanted.findIndex(({ id }) => id === cursor) + 1
  const some = wanted.slice(first, limit === undefined ? undefined : first + Math.max(1, limit))
  const page = await readNights(access, { kind, nights: some, without }, now)
  const last = some.at(-1)
  const hasMore = last !== undefined && first + some.length < wanted.length
  const setAside = [...turn.unreadable.filter(isOfKind).map(({ row }) => row), ...(kind === "sleep" ? unread : [])]
  const { rejected } = readWithingsRecords(kind, first === 0 ? setAside.map(alone) : [], now)
  return {
    ...page,
    rejected: [...page.rejected, ...rejected],
    unread: { providerIds: turn.unread.filter(isOfKind).map(({ id }) => id), isPartial: turn.isPartial },
    ...(hasMore && { nextCursor: last.id }),
  }
}

/** Returns the record with this id. Withings knows no ids, so all rows are looked through. */
export async function readRecord(
  access: WithingsAccess,
  { kind, providerId, without = [] }: RecordRequest,
  now: Date,
): Promise<Page> {
  if (kind === "cycle") {
    if (!localDate.safeParse(providerId).success) throw new RequestRefused("A day was asked for by an invalid id")
    const rows = await listRows(access, "activity", { first: providerId, last: providerId })
    return readWithingsRecords(kind, countingRows(rows.filter((row) => dateOf(row) === providerId)), now)
  }
  const rows = await listRows(access, LIST_OF[kind], EVER)
  const isNamed = (row: Json) => WithingsIdSchema.safeParse(row).data === providerId
  if (kind === "workout") return readWithingsRecords(kind, newestOfEach(rows).filter(isNamed), now)
  const { nights, unread } = nightsOf(newestOfEach(rows))
  const found = nights.filter(({ id, isMain }) => id === providerId && (kind === "sleep" || isMain))
  const page = await readNights(access, { kind, nights: found, without }, now)
  const { rejected } = readWithingsRecords(kind, unread.filter(isNamed).map(alone), now)
  return { ...page, rejected: [...page.rejected, ...(kind === "sleep" ? rejected : [])] }
}

/** The payload of a row whose times cannot be read. */
const alone = (sleep: Json): Json => ({ sleep, is_nap: false })

async function readNights(
  access: WithingsAccess,
  {
    kind,
    nights,
    without,
  }: { readonly kind: "sleep" | "recovery"; readonly nights: readonly Night[]; readonly without: readonly string[] },
  now: Date,
): Promise<Page> {
  const { raws, failed, withoutDetails } = await joinNights(access, kind, nights, without)
  const { records, rejected } = readWithingsRecords(kind, raws, now)
  return {
    records,
    rejected: [...rejected, ...withoutDetails.map((one) => lacksDetails(kind, one))],
    ...(failed.length > 0 && { failed }),
  }
}

/** The night has its own figures, and is read again by its id until the values within it are there. */
const lacksDetails = (kind: "sleep" | "recovery", { night, error }: WithoutDetails): RejectedRecord => ({
  kind,
  providerId: night.id,
  occurred: { date: night.date },
  reason: `the values within the night could not be read: ${error.message}`,
  raw: { id: night.id, date: night.date },
})

/** A local date is a day from the UTC date at most, a sleep may begin a day before its own, and its neighbours tell whether it is a nap. */
const PADDING_DAYS = 3

interface Listed {
  readonly rows: readonly Json[]
  /** Local dates of rows that were made or changed since the window began. All records of these dates are read. */
  readonly changedDates: ReadonlySet<string>
}

async function listFor(access: WithingsAccess, name: ListName, { from, to }: PageRequest, now: Date): Promise<Listed> {
  const ask = (asked: Asked) => listRows(access, name, asked)
  if (!from) return { rows: newestOfEach(await ask(EVER)), changedDates: new Set() }
  const changed = to ? [] : await ask({ changedSince: Math.floor(from.getTime() / 1000) })
  const changedDates = new Set(changed.map(dateOf).filter((date) => date !== undefined))
  const [first = utcDateOf(from)] = [utcDateOf(from), ...changedDates].toSorted()
  const range = { first: addDays(first, -PADDING_DAYS), last: addDays(utcDateOf(to ?? now), PADDING_DAYS) }
  return { rows: newestOfEach([...(await ask(range)), ...changed]), changedDates }
}

/** The date that a row names. */
const dateOf = (row: Json): string | undefined => WithingsDatedSchema.safeParse(row).data

/** Lists overlap, and pages move while they are read. Of rows with one id the newest counts. Those without an id are all kept. */
function newestOfEach(rows: readonly Json[]): readonly Json[] {
  const keyOf = (row: Json) => WithingsIdSchema.safeParse(row).data ?? jsonTextOf(row)
  const changed = (row: Json) => Number(fieldOf(row, "modified") ?? 0)
  const newest = new Map<string, Json>()
  for (const row of rows) {
    const other = newest.get(keyOf(row))
    if (other === undefined || changed(row) >= changed(other)) newest.set(keyOf(row), row)
  }
  return [...newest.values()]
}

/** What another app gave to Withings, such as the steps of a phone. */
const FROM_OUTSIDE = 18

/** Of several rows of a date one counts: of Withings itself, of a tracker, then the one with the most steps. A row without a date is kept. */
function countingRows(rows: readonly Json[]): readonly Json[] {
  const rankOf = (row: Json) => {
    const { brand, is_tracker: isTracker, steps } = ActivityOriginSchema.safeParse(row).data ?? {}
    return [brand === FROM_OUTSIDE ? 0 : 1, isTracker === true ? 1 : 0, steps ?? 0]
  }
  const isBetter = (one: Json, other: Json) => {
    const [ranks, others] = [rankOf(one), rankOf(other)]
    const index = ranks.findIndex((rank, place) => rank !== others[place])
    return index >= 0 && (ranks[index] ?? 0) > (others[index] ?? 0)
  }
  const best = new Map<string, Json>()
  for (const row of rows) {
    const key = dateOf(row) ?? jsonTextOf(row)
    const other = best.get(key)
    if (other === undefined || isBetter(row, other)) best.set(key, row)
  }
  return [...best.values()]
}

/** When a record is, and its local date. */
interface Moment {
  readonly startMs: number
  readonly endMs: number | null
  readonly date: string
}

function momentOf(record: { startMs: number; endMs: number | null; utcOffsetMinutes: number }): Moment {
  return { ...record, date: localDateOf(new Date(record.startMs), record.utcOffsetMinutes) }
}

const startOf = (record: object): number => Number(Reflect.get(record, "startMs"))

/** A recovery is in the range of its night, so that both are made of the same calls. */
const isInRange = ({ startMs, endMs }: Moment, { from, to }: PageRequest): boolean =>
  (!to || startMs < to.getTime()) && (!from || endMs === null || endMs >= from.getTime())

/** Height in metres, and weight in kilograms. */
const [HEIGHT, WEIGHT] = [4, 1] as const
const NEWEST_WEIGHTS_MS = 366 * DAY_MS
/** Clocks of devices are ahead by less. */
const AHEAD_MS = 10 * MINUTE_MS

/** Returns whose token it is, with what their scale says of them. Withings gives an app no name. */
export async function readProfile(access: WithingsAccess, now: Date): Promise<NormalizedProfile> {
  const { memberId } = openToken(access.accessToken)
  const to = new Date(now.getTime() + AHEAD_MS)
  const newest = async (type: number, from?: Date) => {
    const { groups } = groupsOf(await listMeasures(access, [type], from ? { from, to } : EVER))
    const figures = groups
      .toSorted((one, other) => one.date.getTime() - other.date.getTime())
      .map((group) => figureOf(group, type))
    return figures.filter((figure) => figure !== undefined).at(-1)
  }
  const measured = await readAllowed(async () => ({
    heightMeters: await newest(HEIGHT),
    weightKilograms: await newest(WEIGHT, new Date(now.getTime() - NEWEST_WEIGHTS_MS)),
  }))
  const body = measured && knownOrNone(measured)
  return {
    data: { id: `${WITHINGS}-${memberId}`, providerId: memberId, ...known({ body }) },
    raw: { userid: memberId, ...known({ body }) },
  }
}

/** A person who does not allow measures has a profile without them. */
async function readAllowed<Value>(read: () => Promise<Value>): Promise<Value | undefined> {
  try {
    return await read()
  } catch (error) {
    if (error instanceof RequestRefused && error.isForbidden) return undefined
    throw error
  }
}
