import {
  DEFAULT_PREFERENCES,
  type FactorName,
  ForbiddenError,
  HealthApiError,
  type HealthClient,
  InvalidRequestError,
  METRIC_IDS,
  type MetricName,
  NotFoundError,
  OWN_SOURCE,
  RateLimitedError,
  type SummaryResponse,
  UnauthorizedError,
} from "@restwell/client"
import { addDays } from "@restwell/client/calendar-dates"
import type { Clock, InsightQuery, ServiceError } from "@restwell/core"
import {
  Forbidden,
  HEALTH_SCOPES,
  InvalidRequest,
  NotFound,
  QuotaExceeded,
  Unauthorized,
  Unavailable,
} from "@restwell/core/connector"
import type { Query, ToolSource } from "./tool-source.ts"

const RETRY_AFTER_SECONDS = 30

/** Reads a service's HTTP API with the person's own key. Everything is shared, and each read counts as a request. */
export const apiSource = (client: HealthClient, baseUrl: string, clock: Clock): ToolSource => ({
  sharing: { scopes: HEALTH_SCOPES, days: null },
  baseUrl,
  // No answer of REST has the person's.
  preferences: DEFAULT_PREFERENCES,
  today: () => translated(async () => (await client.summary({ days: 1 })).data.period.end_date),
  now: () => translated(async () => localNow((await client.summary({ days: 1 })).data.period, clock)),
  read: (_operation, queries) => translated(() => readAll(client, queries)),
  readMore: (_operation, queries) => translated(() => readAll(client, queries)),
})

/** The person's date and clock. A day's end is an instant in UTC, so it gives the offset there. */
function localNow({ end, end_date: date }: SummaryResponse["period"], clock: Clock) {
  const offsetMs = Date.parse(`${addDays(date, 1)}T00:00:00Z`) - Date.parse(end)
  return { date, time: new Date(clock.now().getTime() + offsetMs).toISOString().slice(11, 16) }
}

async function translated<Answer>(request: () => Promise<Answer>): Promise<Answer> {
  try {
    return await request()
  } catch (error) {
    throw error instanceof HealthApiError ? errorOf(error) : error
  }
}

/** One at a time: a person has few statistics at a time. */
async function readAll(client: HealthClient, queries: readonly Query[]): Promise<unknown[]> {
  const bodies: unknown[] = []
  for (const query of queries) bodies.push(await readOne(client, query))
  return bodies
}

async function readOne(client: HealthClient, query: Query): Promise<unknown> {
  const { days, startDate, endDate } = datesOf(query)
  switch (query.type) {
    case "profile":
      return (await client.profile()).data
    case "metrics":
      return (await client.metrics()).data
    case "signs":
      return (await client.signs({ days: query.days, ...sourceOf(query) })).data
    case "day":
      return (await client.day({ date: query.date, rows: query.rows, ...sourceOf(query) })).data
    case "sports":
      return (await client.sports({ days, startDate, endDate, sport: query.sport, ...sourceOf(query) })).data
    case "trend": {
      const { by, points, top, above, below, sport } = query
      const question = {
        metric: metricName(query.metric),
        days,
        startDate,
        endDate,
        ...sourceOf(query),
        by,
        points,
        top,
        above,
        below,
        sport,
      }
      return (await client.trend(question)).data
    }
    case "series": {
      const { series, resolution } = query
      const question = { days, startDate, endDate, resolution, ...sourceOf(query) }
      // Stages have an answer of another shape.
      if (series === "sleep_stages") return (await client.readSeries({ type: series, ...question })).data
      return (await client.readSeries({ type: series, ...question })).data
    }
    case "compare": {
      const other = {
        withStartDate: query.with_start_date,
        withEndDate: query.with_end_date,
        withSource: query.with_source,
      }
      const metric = metricName(query.metric)
      return (await client.compare({ metric, days, startDate, endDate, ...other, ...sourceOf(query) })).data
    }
    case "relate": {
      const { outcome, lag } = query
      const factor = query.factor === undefined ? undefined : factorName(query.factor)
      return (await client.relate({ outcome, factor, lag, days, startDate, endDate, ...sourceOf(query) })).data
    }
    default: {
      const range = startDate === undefined ? { days, endDate } : { startDate, endDate }
      const { source, sport } = query
      // Only the journal has what the person entered.
      if (query.type === "journal" || source === OWN_SOURCE) return (await client.journal({ ...range, source })).data
      return (await client[METHODS[query.type]]({ ...range, source, sport })).data
    }
  }
}

/** The dates of a query as the client names them. */
function datesOf(query: Query) {
  if (query.type === "metrics" || query.type === "signs" || query.type === "day") return {}
  return { days: query.days, startDate: query.start_date, endDate: query.end_date }
}

/** The client's method for each type that has a range. */
const METHODS = {
  summary: "summary",
  sleep: "sleep",
  recovery: "recovery",
  workout: "workouts",
  cycle: "cycles",
} as const

/** All sources are the default of the statistics and of series. */
const sourceOf = ({ source }: Pick<InsightQuery, "source">) =>
  source === undefined || source === "all" ? {} : { source }

function metricName(id: string): MetricName {
  if (isMetricName(id)) return id
  throw new InvalidRequest(`unknown metric ${id}`, "metric")
}

const factorName = (id: string): FactorName => (isSport(id) ? id : metricName(id))

const isSport = (id: string): id is `workout:${string}` => id.startsWith("workout:")

const isMetricName = (id: string): id is MetricName => id.startsWith("journal:") || METRIC_IDS.some((one) => one === id)

function errorOf(error: HealthApiError): ServiceError {
  const cause = { cause: error }
  if (error instanceof RateLimitedError) return new QuotaExceeded(error.limit, error.reset)
  if (error instanceof InvalidRequestError) return new InvalidRequest(error.message, error.field, cause)
  if (error instanceof ForbiddenError) return new Forbidden(error.message, cause)
  if (error instanceof NotFoundError) return new NotFound(error.message, cause)
  if (error instanceof UnauthorizedError) return new Unauthorized(error.message, cause)
  return new Unavailable(`Restwell is unavailable (${error.message})`, RETRY_AFTER_SECONDS, cause)
}
