import { type ChoiceReason, DAYS } from "@restwell/client"
import { RECORD_KINDS } from "@restwell/providers"
import type { Pool } from "pg"
import { countDates, type DateRange, resolveDateRange } from "../base/calendar.ts"
import { InvalidRequest } from "../context/errors.ts"
import { type Choice, candidateKey, choose, chooseSources, hasStrain, sharedOf } from "../sources/choose.ts"
import { NO_PREFERENCES } from "../sources/rank.ts"
import type { CountedRead } from "../store/statements/count-reads.ts"
import { isOfVersion } from "../store/statements/read-clock.ts"
import {
  type ConnectedSnapshot,
  type FactDates,
  type HealthSnapshot,
  readFacts,
} from "../store/statements/read-health.ts"
import type { Candidate, StoredRecord } from "../store/stored-record.ts"
import { type Answer, newestFirst, RECORD_TYPES, type ReadQuery } from "./answer.ts"
import { listingOf } from "./columns.ts"
import { planComputed, type StatisticsTask } from "./compute-statistics.ts"
import { emptyNote, otherSportsNote } from "./empty-note.ts"
import type { InsightLimits } from "./insight-query.ts"
import { readLocalClock } from "./local-clock.ts"
import { entityTagOf, type HealthResponse, insightTagOf, responseOf, sealResponse } from "./response-cache.ts"
import { planSeries } from "./series.ts"
import type { Statistics } from "./statistics-thread.ts"

/**
 * Returns the records of a range and of the dates beside it with the choice among them, the newest first. A night may have a part on the
 * date before. Returns undefined if the data changed meanwhile. Of several sources it reads only the records that an answer needs.
 */
async function readChoices(
  pool: Pool,
  snapshot: HealthSnapshot,
  { from, to }: DateRange,
): Promise<Choice<StoredRecord>[] | undefined> {
  const isNeeded = ({ kind, date }: Candidate) => kind === "sleep" || (date >= from && date <= to)
  const { facts, candidates } = snapshot
  const preferences = snapshot.preferences ?? NO_PREFERENCES
  if (candidates.length === 0) return chooseSources(facts, preferences)
  const all: readonly Candidate[] = [...facts, ...candidates]
  const reasons = choose(all, preferences)
  // Strain may come from another source than the other figures of a cycle.
  const withStrain = all.filter(hasStrain)
  const strainReasons = choose(withStrain, preferences)
  const forStrain = new Set(withStrain.filter((_, index) => strainReasons[index]))
  const because = new Map<string, ChoiceReason | null>()
  for (const [index, candidate] of all.entries())
    if (index >= facts.length && isNeeded(candidate) && (reasons[index] || forStrain.has(candidate)))
      because.set(candidateKey(candidate), reasons[index] ?? null)
  const choices = facts.map((fact, index) => ({ fact, because: reasons[index] ?? null }))
  if (because.size === 0) return choices
  const others = await readFacts(pool, snapshot, runsOf(candidates, because))
  if (!others) return undefined
  for (const fact of others) {
    const reason = because.get(candidateKey(fact))
    if (reason !== undefined) choices.push({ fact, because: reason })
  }
  return choices.toSorted(newestFirst)
}

/** The dates of needed records, in as few runs as have no other date of the same source and kind in between. */
function runsOf(candidates: readonly Candidate[], needed: ReadonlyMap<string, unknown>): FactDates[] {
  const groups = Map.groupBy(candidates, ({ provider, kind }) => `${provider} ${kind}`)
  return [...groups.values()].flatMap((group) => {
    const neededDates = new Set(group.filter((one) => needed.has(candidateKey(one))).map(({ date }) => date))
    const runs: FactDates[] = []
    let run: FactDates | undefined
    for (const { provider, kind, date } of group.toSorted((one, other) => (one.date < other.date ? -1 : 1))) {
      if (!neededDates.has(date)) {
        if (run) runs.push(run)
        run = undefined
      } else run = { provider, kind, first: run?.first ?? date, last: date }
    }
    return run ? [...runs, run] : runs
  })
}

/** A response that is still to be made. */
export interface PreparedResponse {
  readonly etag: string
  /** How the access log names the read. */
  readonly logged: Pick<CountedRead, "operation" | "types" | "start_date" | "end_date">
  /** Undefined if the person's data changed since the snapshot. */
  respond(): Promise<HealthResponse | undefined>
}

interface RecordsRequest {
  readonly query: ReadQuery
  readonly limits: InsightLimits | undefined
  /** What the answer says beside its records. */
  readonly note: string | undefined
}

/** @param today the person's date @throws {InvalidRequest} for its dates */
export function prepareRecords(
  pool: Pool,
  { query, limits, note: ofKey }: RecordsRequest,
  snapshot: ConnectedSnapshot,
  today: string,
): PreparedResponse {
  const { operation, isDated, hasSport, answer } = RECORD_TYPES[query.type]
  const range = resolveDateRange(query, today)
  refuseRange(range, today)
  if (query.sport !== undefined && !hasSport)
    throw new InvalidRequest("sport selects workouts, send type=workout with it", "sport")
  const listing = listingOf(query)
  const etag = entityTagOf({ query, limits, note: ofKey }, range, snapshot.dataVersion)
  const kind = RECORD_KINDS.find((each) => each === query.type)
  const only = query.source === "all" ? undefined : query.source
  const isForAssistant = limits?.isForAssistant === true
  // Only assistants are told more: the contract of REST has no such field. While a source still reads its history, or fails, that is the reason.
  const noteOfEmpty = async ({ body }: Answer, facts: readonly StoredRecord[]): Promise<string | undefined> => {
    if (!isForAssistant || kind === undefined || !("records" in body) || body.records.length > 0) return undefined
    const ofSports = query.sport === undefined ? undefined : otherSportsNote(range, facts)
    if (ofSports !== undefined || body.empty_reason !== "no_data_in_range") return ofSports
    return emptyNote(pool, snapshot, { kind, range, today, source: only })
  }
  const readClock = async () => {
    const clock = await readLocalClock(pool, snapshot, range)
    return (await isOfVersion(pool, snapshot.userId, snapshot.dataVersion)) ? clock : undefined
  }
  return {
    etag,
    logged: { operation, types: [query.type], ...(isDated && datesOf(range)) },
    async respond() {
      const { facts, candidates } = snapshot
      const shared = isForAssistant
        ? { ...snapshot, facts: sharedOf(facts), candidates: sharedOf(candidates) }
        : snapshot
      const choices = await readChoices(pool, shared, range)
      if (!choices) return undefined
      const found = await answer(query, shared, choices, { range, today, shared: limits?.groups ?? null, readClock })
      if (!found) return undefined
      const note = await noteOfEmpty(found, shared.facts)
      const notes = { ...(note !== undefined && { empty_note: note }), ...(ofKey !== undefined && { note: ofKey }) }
      return responseOf(snapshot, { ...found, body: { ...found.body, ...notes } }, { range, today, listing, etag })
    },
  }
}

/** What a thread computes: statistics and values within the day. A day may have as many values as ten years have nights. */
export function prepareComputed(
  statistics: Statistics,
  task: Extract<StatisticsTask, { readonly kind: "series" | "insight" }>,
): PreparedResponse {
  const { query, limits, note, snapshot, today } = task
  const { name, range, groups } =
    task.kind === "series" ? planSeries(task.query, today, limits) : planComputed(task.query, today, limits)
  const etag = insightTagOf(note === undefined ? name : `${name}-cut`, snapshot.dataVersion)
  return {
    etag,
    logged: { operation: `/api/v1/${query.type}`, types: groups, ...(range && datesOf(range)) },
    async respond() {
      const answer = await statistics(snapshot.userId, task)
      if (!answer) return undefined
      const { recordCount } = answer
      return sealResponse(snapshot, { bytes: Buffer.from(answer.bytes.buffer), recordCount }, { range, today, etag })
    },
  }
}

const datesOf = ({ from, to }: DateRange) => ({ start_date: from, end_date: to })

/** @throws {InvalidRequest} for a range that cannot be answered */
function refuseRange(range: DateRange, today: string): void {
  const { from, to } = range
  const end = to === today ? `today, ${today}` : `end_date ${to}`
  if (from > to) throw new InvalidRequest(`start_date ${from} is after ${end}`, "start_date")
  if (countDates(range) <= DAYS.max) return
  const advice = "request several ranges one after the other"
  throw new InvalidRequest(`${from} to ${to} is more than ${DAYS.max} dates, ${advice}`, "start_date")
}
