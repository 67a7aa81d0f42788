// The nights that stored sleeps of one source are parts of.
import { DAY_MS, HOUR_MS } from "@restwell/client/time-units"
import { groupNights, type PartsOfNight } from "@restwell/providers"
import { sql, type Transaction } from "kysely"
import type { ConnectionId } from "../connection-tables.ts"
import type { Database } from "../database.ts"
import { partOfSleep, type SleepCandidate } from "../stored-record.ts"

/** The next part of a night begins within this time after one: a sleep lasts a day at most, and two hours may pass between them. */
const NEXT_PART_MS = DAY_MS + 2 * HOUR_MS

interface NearSleep {
  readonly provider_id: string
  readonly cycle_provider_id: string | null
  readonly from_archive: boolean
  readonly started_at: Date
  readonly sleep: SleepCandidate
}

/** Milliseconds since the epoch, both ends included. */
interface Span {
  readonly fromMs: number
  readonly toMs: number
}

/** The sleeps that begin near some times, and the nights of these, each with all of its parts. */
export async function nightsAround(
  transaction: Transaction<Database>,
  { userId, provider }: ConnectionId,
  times: readonly Span[],
): Promise<{ readonly sleeps: readonly NearSleep[]; readonly nights: readonly PartsOfNight<NearSleep>[] }> {
  if (times.length === 0) return { sleeps: [], nights: [] }
  const firstMs = Math.min(...times.map(({ fromMs }) => fromMs))
  const lastMs = Math.max(...times.map(({ toMs }) => toMs))
  const isNear = ({ started_at }: NearSleep) =>
    times.some(
      ({ fromMs, toMs }) =>
        started_at.getTime() >= fromMs - NEXT_PART_MS && started_at.getTime() <= toMs + NEXT_PART_MS,
    )
  for (let reachMs = 2 * NEXT_PART_MS; ; reachMs *= 2) {
    const [fromMs, toMs] = [firstMs - reachMs, lastMs + reachMs]
    const { rows } = await sql<NearSleep>`
      select provider_id, cycle_provider_id, from_archive, started_at, restwell.stored_record(r, r.candidate)::json as sleep
      from restwell.record r
      where user_id = ${userId} and provider = ${provider} and kind = 'sleep'
        and started_at between ${new Date(fromMs)} and ${new Date(toMs)}
    `.execute(transaction)
    const nights = groupNights(
      rows.filter(({ sleep }) => !sleep.isNap),
      ({ sleep }) => partOfSleep(sleep),
    ).filter((night) => night.sleeps.some(isNear))
    // A part at the edge may have others beyond it.
    const isCut = ({ started_at }: NearSleep) =>
      started_at.getTime() < fromMs + NEXT_PART_MS || started_at.getTime() > toMs - NEXT_PART_MS
    if (!nights.some((night) => night.sleeps.some(isCut))) return { sleeps: rows.filter(isNear), nights }
  }
}

/** Starts of records. Null is open. */
export interface StartRange {
  readonly from: Date | null
  readonly to: Date | null
}

/** No record is older or newer. */
const ALL = { fromMs: Date.UTC(1900, 0), toMs: Date.UTC(2200, 0) }

/** Dates of nights, by the key of what has its date from one of their sleeps. */
export type DatesOfNights = readonly { readonly key: string; readonly date: string }[]

/**
 * The dates that nights in parts give to cycles and recoveries: `sleep/ID` for what belongs to a sleep, and `cycle/ID` for a cycle, which has
 * the date of its first sleep that is not a nap.
 * @returns also the starts of all that the sleeps of the range may give a date to
 */
export async function datesOfNights(
  transaction: Transaction<Database>,
  connection: ConnectionId,
  { from, to }: StartRange,
): Promise<{ readonly dates: DatesOfNights; readonly range: StartRange }> {
  const span = { fromMs: from?.getTime() ?? ALL.fromMs, toMs: to?.getTime() ?? ALL.toMs }
  const { nights } = await nightsAround(transaction, connection, [span])
  const firstOfCycle = new Map<string, NearSleep>()
  for (const sleep of nights.flatMap((night) => night.sleeps)) {
    const { cycle_provider_id: cycle } = sleep
    const other = cycle === null ? undefined : firstOfCycle.get(cycle)
    if (cycle !== null && (!other || isBefore(sleep, other))) firstOfCycle.set(cycle, sleep)
  }
  const dates = nights
    .filter((night) => night.sleeps.length > 1)
    .flatMap(
      ({
        sleeps,
        last: {
          sleep: { date },
        },
      }) =>
        sleeps.flatMap((sleep) => {
          const { provider_id: id, cycle_provider_id: cycle } = sleep
          const isFirst = cycle !== null && firstOfCycle.get(cycle) === sleep
          return [{ key: `sleep/${id}`, date }, ...(isFirst ? [{ key: `cycle/${cycle}`, date }] : [])]
        }),
    )
  let { fromMs, toMs } = span
  for (const { started_at: at } of nights.flatMap(({ sleeps }) => sleeps)) {
    fromMs = Math.min(fromMs, at.getTime())
    toMs = Math.max(toMs, at.getTime())
  }
  // A cycle may begin before its sleep.
  const reach = { from: from && new Date(fromMs - DAY_MS), to: to && new Date(toMs) }
  return { dates, range: reach }
}

const isBefore = (one: NearSleep, other: NearSleep): boolean =>
  one.started_at < other.started_at ||
  (one.started_at.getTime() === other.started_at.getTime() && one.provider_id < other.provider_id)
