import type { z } from "zod"
import { DayResponseSchema } from "../rest/day.ts"
import { CompareResponseSchema, TrendResponseSchema } from "../rest/insights.ts"
import { MetricsResponseSchema } from "../rest/metric.ts"
import type { HealthType } from "../rest/query.ts"
import {
  CycleResponseSchema,
  JournalResponseSchema,
  ProfileResponseSchema,
  RecoveryResponseSchema,
  SleepResponseSchema,
  SourcesResponseSchema,
  WorkoutResponseSchema,
} from "../rest/records.ts"
import { RelateResponseSchema } from "../rest/relate.ts"
import { type PointSeries, PointSeriesSchema, type StageSeries, StageSeriesSchema } from "../rest/series.ts"
import { SignsResponseSchema, SportsResponseSchema, SummaryResponseSchema } from "../rest/summary.ts"
import { type Body, parseBody, readError, send } from "./exchange.ts"
import {
  type Answer,
  type CallOptions,
  csvUrl,
  type HealthClient,
  healthUrl,
  insightUrl,
  type PointType,
  type ReadRange,
  type SeriesQuestion,
  seriesUrl,
} from "./health-client.ts"
import { withRetries, withSignals } from "./retry.ts"
import { type ClientOptions, type Quota, readQuota, readSettings, type Settings } from "./settings.ts"

/** A response body with its ETag. Kept as text, so that each caller parses a copy of its own. */
interface CachedResponse {
  readonly etag: string
  readonly text: string
}

/** The last responses by URL, in memory. The least recently used one is dropped first. */
interface ResponseCache {
  get(url: string): CachedResponse | undefined
  set(url: string, response: CachedResponse): void
}

/** Returns an empty cache of at most `maxEntries` responses. */
export function createTaggedResponses(maxEntries: number): ResponseCache {
  // A Map iterates in insertion order: deleting and setting a key makes it the newest.
  const responses = new Map<string, CachedResponse>()
  const set = (url: string, response: CachedResponse): void => {
    responses.delete(url)
    responses.set(url, response)
    for (const oldest of responses.keys()) {
      if (responses.size <= maxEntries) return
      responses.delete(oldest)
    }
  }
  const get = (url: string): CachedResponse | undefined => {
    const response = responses.get(url)
    if (response !== undefined) set(url, response)
    return response
  }
  return { get, set }
}

/** Shared by all calls of one client. */
interface ReadContext {
  readonly settings: Settings
  readonly cache: ResponseCache
}

interface Call<T> extends CallOptions {
  readonly parse: (body: Body) => T
}

const json =
  <T>(schema: z.ZodType<T>) =>
  (body: Body): T =>
    parseBody(schema, body)

interface ReadRequest<T> extends Call<T> {
  readonly type: HealthType | "journal"
  readonly range?: ReadRange | undefined
}

/** Reads one type of health data. */
const readHealth = <T>(context: ReadContext, request: ReadRequest<T>): Promise<Answer<T>> =>
  readUrl(context, healthUrl(context.settings.baseUrl, request.type, request.range ?? {}), request)

/** Reads one address: sends the request, retries temporary failures, and returns the cached body on a 304. */
async function readUrl<T>({ settings, cache }: ReadContext, url: string, request: Call<T>): Promise<Answer<T>> {
  const cached = cache.get(url)
  const { waitSeconds } = request

  const attempt = async (signal: AbortSignal) => {
    const response = await send(settings, { url, etag: cached?.etag, waitSeconds, signal })
    const quota = readQuota(response.headers)
    if (quota !== null) settings.onQuota(quota)
    if (response.status === 304 && cached !== undefined) return { body: { status: 304, text: cached.text }, quota }
    if (response.status === 200) return { body: response, quota, etag: response.headers.get("etag") }
    throw readError(response)
  }
  const { body, quota, etag } = await withSignals([settings.signal, request.signal], ({ signal }) =>
    withRetries(settings, signal, () => attempt(signal)),
  )

  const data = request.parse(body)
  if (etag) cache.set(url, { etag, text: body.text })
  return { data, quota, notModified: body.status === 304 }
}

function seriesReader(context: ReadContext): HealthClient["readSeries"] {
  function read(question: SeriesQuestion<"sleep_stages">, call?: CallOptions): Promise<Answer<StageSeries>>
  function read(question: SeriesQuestion<PointType>, call?: CallOptions): Promise<Answer<PointSeries>>
  function read(question: SeriesQuestion, call?: CallOptions): Promise<Answer<PointSeries | StageSeries>> {
    const url = seriesUrl(context.settings.baseUrl, question)
    return question.type === "sleep_stages"
      ? readUrl(context, url, { parse: json(StageSeriesSchema), ...call })
      : readUrl(context, url, { parse: json(PointSeriesSchema), ...call })
  }
  return read
}

/**
 * Returns a client of the service at `baseUrl`. Throws a TypeError that names an invalid option.
 * The key stays in this closure, so that printing, serialising or inspecting the client cannot reveal it.
 */
export function createClient(options: ClientOptions): HealthClient {
  const settings = readSettings(options)
  let lastQuota: Quota | null = null
  const onQuota = (quota: Quota) => {
    lastQuota = quota
    settings.onQuota(quota)
  }
  const context = { settings: { ...settings, onQuota }, cache: createTaggedResponses(settings.maxKeptAnswers) }
  const client: HealthClient = {
    get quota() {
      return lastQuota
    },
    summary: (range, call) =>
      readHealth(context, { type: "summary", parse: json(SummaryResponseSchema), range, ...call }),
    sleep: (range, call) => readHealth(context, { type: "sleep", parse: json(SleepResponseSchema), range, ...call }),
    recovery: (range, call) =>
      readHealth(context, { type: "recovery", parse: json(RecoveryResponseSchema), range, ...call }),
    workouts: (range, call) =>
      readHealth(context, { type: "workout", parse: json(WorkoutResponseSchema), range, ...call }),
    cycles: (range, call) => readHealth(context, { type: "cycle", parse: json(CycleResponseSchema), range, ...call }),
    journal: (range, call) =>
      readHealth(context, { type: "journal", parse: json(JournalResponseSchema), range, ...call }),
    sources: (call) =>
      readUrl(context, `${settings.baseUrl}/api/v1/sources`, { parse: json(SourcesResponseSchema), ...call }),
    metrics: (question = {}, call) =>
      readUrl(context, insightUrl(settings.baseUrl, "metrics", question), {
        parse: json(MetricsResponseSchema),
        ...call,
      }),
    trend: (question, call) =>
      readUrl(context, insightUrl(settings.baseUrl, "trend", question), { parse: json(TrendResponseSchema), ...call }),
    compare: (question, call) =>
      readUrl(context, insightUrl(settings.baseUrl, "compare", question), {
        parse: json(CompareResponseSchema),
        ...call,
      }),
    relate: (question, call) =>
      readUrl(context, insightUrl(settings.baseUrl, "relate", question), {
        parse: json(RelateResponseSchema),
        ...call,
      }),
    sports: (question = {}, call) =>
      readUrl(context, insightUrl(settings.baseUrl, "sports", question), {
        parse: json(SportsResponseSchema),
        ...call,
      }),
    signs: (question = {}, call) =>
      readUrl(context, insightUrl(settings.baseUrl, "signs", question), { parse: json(SignsResponseSchema), ...call }),
    day: (question = {}, call) =>
      readUrl(context, insightUrl(settings.baseUrl, "day", question), { parse: json(DayResponseSchema), ...call }),
    readSeries: seriesReader(context),
    csv: (list, question, call) =>
      readUrl(context, csvUrl(settings.baseUrl, list, question), { parse: ({ text }) => text, ...call }),
    profile: (call) => readHealth(context, { type: "profile", parse: json(ProfileResponseSchema), ...call }),
  }
  return Object.freeze(client)
}
