/** What takes too long to compute beside the reads of others: statistics, values within the day, long periods of the dashboard, and where sources differ. */
import { OWN_SOURCE } from "@restwell/client"
import { RECORD_KINDS } from "@restwell/providers"
import type { Pool } from "pg"
import { ALL_DATES, todayIn } from "../base/calendar.ts"
import type { SentError } from "../base/thread-errors.ts"
import { sharedOf } from "../sources/choose.ts"
import { inOrder, NO_PREFERENCES } from "../sources/rank.ts"
import { readSourceSettings } from "../sources/source-settings.ts"
import { openDatabase } from "../store/database.ts"
import { isOfVersion } from "../store/statements/read-clock.ts"
import { readHealthSnapshot, readHistory, type WantedData } from "../store/statements/read-health.ts"
import { readLacking, readStoredSources, type TrendWindow } from "../store/statements/read-trend-rows.ts"
import { OWN_ENTRIES, presentSource } from "./answer.ts"
import { chooseHistory } from "./chosen-history.ts"
import { csvOf } from "./columns.ts"
import type { Envelope, InsightAnswer, InsightBody, InsightLimits, InsightQuery, QueryTask } from "./insight-query.ts"
import { type InsightPlan, planInsight, type ReadingPlan } from "./insights.ts"
import { groupOfMetric, orderFor } from "./metric-groups.ts"
import { type Mornings, type MorningsTask, NO_MORNINGS, planMornings } from "./mornings.ts"
import { type PageBody, type PageQuery, planPage } from "./pages.ts"
import { readJournalDays } from "./relations.ts"
import { type WantedSamples, withSamples } from "./sampled-figures.ts"
import { answerSeries, type SeriesReadQuery } from "./series.ts"
import { newestOf, oldestOf, readTrends, type TrendDates } from "./trends.ts"

/** The person and the sources without records: a question about the statistics reads its own. */
export const PERSON_ONLY: WantedData = {
  kinds: [],
  range: ALL_DATES,
  profile: false,
  source: undefined,
  allRecords: false,
  knownVersions: [],
}

/** @throws {InvalidRequest} for what cannot be answered */
export const planComputed = (
  query: InsightQuery | PageQuery,
  today: string,
  limits?: InsightLimits,
): InsightPlan<InsightBody | PageBody> =>
  query.type === "page" ? planPage(query, today, limits) : planInsight(query, today, limits)

/** The answer to a question about the statistics. Returns undefined if the person's data changed since the snapshot. */
async function answerInsight(
  pool: Pool,
  { query, limits, note, snapshot, today }: QueryTask<InsightQuery | PageQuery>,
): Promise<{ readonly text: string; readonly recordCount: number } | undefined> {
  const plan = planComputed(query, today, limits)
  const isWanted = (provider: string) =>
    query.source === undefined ||
    query.source === "all" ||
    query.source === provider ||
    (query.type === "compare" && query.with_source === provider)
  const answer = await answerPlan(pool, plan, { limits, snapshot, today, isWanted })
  return answer && inText(plan, { ...answer, body: withNote(answer.body, note) })
}

interface PlanFacts extends Pick<QueryTask<InsightQuery>, "limits" | "snapshot" | "today"> {
  /** Whether a source may answer. */
  isWanted(provider: string): boolean
}

/** Reads what a plan needs, and makes its answer. Returns undefined if the person's data changed since the snapshot. */
async function answerPlan<Body>(
  pool: Pool,
  plan: ReadingPlan<Body>,
  { limits, snapshot, today, isWanted }: PlanFacts,
): Promise<InsightAnswer<Body> | undefined> {
  const isForAssistant = limits?.isForAssistant === true
  const { sources, preferences } = snapshot
  const providers = sources.map(({ provider }) => provider).filter(isWanted)
  const found = await readHistory(pool, snapshot, { ...plan.wanted, providers, isForAssistant })
  if (!found) return undefined
  const records = isForAssistant ? { ...found, facts: sharedOf(found.facts) } : found
  const readable = { snapshot, today, providers, from: plan.wanted.from, isForAssistant }
  const history = await withSamples(pool, records, plan.samples, readable)
  if (hasSamples(plan.samples) && !(await isOfVersion(pool, snapshot.userId, snapshot.dataVersion))) return undefined
  const envelope = ({ id }: { readonly id: string }, provider: string | null): Envelope => {
    const group = groupOfMetric(id)
    const hasOwn = group === "journal" && history.answers.some((answer) => answer.provider === OWN_SOURCE)
    const answering = hasOwn ? [...sources, OWN_ENTRIES] : sources
    const ordered = inOrder(answering, preferences?.order[orderFor(id)])
    const main =
      ordered.find((source) => source.provider === provider) ?? ordered.find((source) => isWanted(source.provider))
    return { source: presentSource(main ?? sources[0]), sources: ordered.map(presentSource) }
  }
  const chosen = chooseHistory(history, preferences ?? NO_PREFERENCES, { today, homeZone: snapshot.timeZone })
  const readableFrom = limits?.from ?? null
  const dates = { oldestDate: null, newestDate: null, stored: [], readableFrom }
  const data = { history, chosen, today, groups: plan.groups, envelope, snapshot, ...dates }
  if (plan.lackedOn === undefined) return plan.answer(data)
  const ofDay = { userId: snapshot.userId, providers, kinds: RECORD_KINDS.filter((kind) => plan.groups.includes(kind)) }
  const beside = await readBesideDay(pool, ofDay, { date: plan.lackedOn, today })
  if (!(await isOfVersion(pool, snapshot.userId, snapshot.dataVersion))) return undefined
  const ofSources = { stored: beside.stored, ...readableDates(beside, readableFrom) }
  return plan.answer({ ...data, snapshot: { ...snapshot, ...beside.lacking }, ...ofSources })
}

/** What rules match on some mornings. Undefined if the person's data changed meanwhile. */
async function answerMornings(pool: Pool, task: MorningsTask): Promise<InsightAnswer<Mornings> | undefined> {
  const snapshot = await readHealthSnapshot(pool, { userId: task.userId }, PERSON_ONLY, task.now)
  const [first, ...others] = snapshot?.sources ?? []
  if (!snapshot || !first) return { body: NO_MORNINGS, recordCount: 0 }
  const today = todayIn(snapshot, task.now)
  const connected = { ...snapshot, sources: [first, ...others] as const }
  return answerPlan(pool, planMornings(task, today), {
    limits: undefined,
    snapshot: connected,
    today,
    isWanted: () => true,
  })
}

/** The first and the last date of the records that may be read. @param from the oldest date that is shared; null for all */
const readableDates = ({ oldestDate, newestDate }: Awaited<ReturnType<typeof readBesideDay>>, from: string | null) => ({
  oldestDate: oldestDate !== null && from !== null ? later(oldestDate, from) : oldestDate,
  newestDate: newestDate !== null && from !== null && newestDate < from ? null : newestDate,
})

/** What the sources lack of a date, what they have, and the oldest and the newest date of any record. */
async function readBesideDay(
  pool: Pool,
  { userId, providers, kinds }: Pick<TrendWindow, "userId" | "providers" | "kinds">,
  { date, today }: Record<"date" | "today", string>,
) {
  const reader = { database: openDatabase(pool) }
  const [lacking, stored] = await Promise.all([
    readLacking(reader, { userId, providers, kinds, from: date, to: date }),
    readStoredSources(reader, userId),
  ])
  const own = stored.filter(({ provider }) => providers.includes(provider))
  return { lacking, stored: own, oldestDate: oldestOf(own, today) ?? null, newestDate: newestOf(own, today) ?? null }
}

const later = (one: string, other: string): string => (one > other ? one : other)

const hasSamples = ({ metrics, nights }: WantedSamples): boolean => nights || metrics.length > 0

/** It is sent between threads, so it consists of plain data. */
export type StatisticsTask =
  | ({ readonly kind: "series" } & QueryTask<SeriesReadQuery>)
  | ({ readonly kind: "insight" } & QueryTask<InsightQuery | PageQuery>)
  | ({ readonly kind: "mornings" } & MorningsTask)
  | { readonly kind: "sources"; readonly userId: string; readonly now: Date }
  | ({ readonly kind: "trends" } & DatesTask)
  | ({ readonly kind: "journal" } & DatesTask)

/** What the dashboard's charts of a period are answered from. */
interface DatesTask {
  readonly userId: string
  readonly dates: TrendDates
  readonly now: Date
}

/** The message that ends the thread. */
export const END = "end"

export type ThreadMessage = StatisticsTask | typeof END

export type ThreadReply =
  | { readonly answer: ComputedAnswer | undefined }
  /** An error loses its class between threads. */
  | { readonly refused: { readonly message: string; readonly field: string } }
  | SentError

/** The body of an answer as JSON. */
export interface ComputedAnswer {
  readonly bytes: Uint8Array<ArrayBuffer>
  readonly recordCount: number
}

/** Returns undefined if the person's data changed since the snapshot. @param pool connections that keep the statements prepared */
export async function computeStatistics(pool: Pool, task: StatisticsTask): Promise<ComputedAnswer | undefined> {
  if (task.kind === "trends" || task.kind === "journal") {
    const { kind, userId, dates, now } = task
    const read = kind === "trends" ? readTrends : readJournalDays
    const body = await read({ database: openDatabase(pool), clock: { now: () => now } }, userId, dates)
    return { bytes: encoder.encode(JSON.stringify(body)), recordCount: body.days.length }
  }
  if (task.kind === "sources") {
    const { userId, now } = task
    const body = await readSourceSettings({ database: openDatabase(pool), clock: { now: () => now } }, userId)
    return { bytes: encoder.encode(JSON.stringify(body)), recordCount: body.differences.length }
  }
  if (task.kind === "mornings") {
    const answer = await answerMornings(pool, task)
    return answer && { bytes: encoder.encode(JSON.stringify(answer.body)), recordCount: answer.recordCount }
  }
  const answer = task.kind === "series" ? await answerSeries(pool, task) : await answerInsight(pool, task)
  return answer && { bytes: encoder.encode(answer.text), recordCount: answer.recordCount }
}

const encoder = new TextEncoder()

/** What was left out stands among the notes, and without notes in a field of its own, as in lists. */
function withNote(body: InsightBody | PageBody, note: string | undefined): InsightBody | PageBody {
  if (note === undefined) return body
  return "notes" in body ? { ...body, notes: [...body.notes, note] } : { ...body, note }
}

/** A trend as CSV is its points. */
function inText(
  { isCsv = false }: Pick<InsightPlan, "isCsv">,
  { body, recordCount }: InsightAnswer<InsightBody | PageBody>,
) {
  if (!isCsv || !("points" in body)) return { text: JSON.stringify(body), recordCount }
  const rows = (body.points ?? []).map(([date, value]) => ({ date, value }))
  return { text: csvOf([{ name: "date" }, { name: "value" }], rows), recordCount }
}
