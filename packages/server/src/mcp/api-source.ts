import {
  HealthApiError,
  type HealthClient,
  InvalidRequestError,
  METRIC_IDS,
  type MetricName,
  NotFoundError,
  RateLimitedError,
  UnauthorizedError,
} from "@restwell/client"
import {
  HEALTH_SCOPES,
  type InsightQuery,
  InvalidRequest,
  NotFound,
  QuotaExceeded,
  type ServiceError,
  Unauthorized,
  Unavailable,
} from "@restwell/core"
import type { HealthSource } from "./health-source.ts"
import type { Query } from "./query.ts"

const RETRY_AFTER_SECONDS = 30

/** Reads a service's HTTP API with the person's own key. Everything is shared, and each read counts as a request. */
export const apiSource = (client: HealthClient, baseUrl: string): HealthSource => ({
  sharing: { scopes: HEALTH_SCOPES, days: null },
  baseUrl,
  today: () => translated(async () => (await client.summary({ days: 1 })).data.period.end_date),
  read: (_operation, queries) => translated(() => Promise.all(queries.map((query) => readOne(client, query)))),
  // No answer of REST has them.
  lastCourse: async () => null,
  readMore: (_operation, queries) => translated(() => Promise.all(queries.map((query) => readOne(client, query)))),
})

async function translated<Answer>(request: () => Promise<Answer>): Promise<Answer> {
  try {
    return await request()
  } catch (error) {
    throw error instanceof HealthApiError ? errorOf(error) : error
  }
}

async function readOne(client: HealthClient, query: Query): Promise<unknown> {
  const { days, start_date: startDate, end_date: endDate } = query.type === "metrics" ? {} : query
  switch (query.type) {
    case "profile":
      return (await client.profile()).data
    case "metrics":
      return (await client.metrics()).data
    case "trend": {
      const { by, points, top } = query
      const question = {
        metric: metricName(query.metric),
        days,
        startDate,
        endDate,
        ...sourceOf(query),
        by,
        points,
        top,
      }
      return (await client.trend(question)).data
    }
    case "compare": {
      const other = { withStartDate: query.with_start_date, withEndDate: query.with_end_date }
      const metric = metricName(query.metric)
      return (await client.compare({ metric, days, startDate, endDate, ...other, ...sourceOf(query) })).data
    }
    case "relate": {
      const { outcome, lag } = query
      const factor = query.factor === undefined ? undefined : metricName(query.factor)
      return (await client.relate({ outcome, factor, lag, days, startDate, endDate, ...sourceOf(query) })).data
    }
    default: {
      const { source } = query
      const range = startDate === undefined ? { days, endDate, source } : { startDate, endDate, source }
      return (await client[METHODS[query.type]](range)).data
    }
  }
}

/** The client's method for each type that has a range. */
const METHODS = {
  summary: "summary",
  sleep: "sleep",
  recovery: "recovery",
  workout: "workouts",
  cycle: "cycles",
  journal: "journal",
} as const

/** All sources are the default of the statistics. */
const sourceOf = ({ source }: InsightQuery) => (source === undefined || source === "all" ? {} : { source })

function metricName(id: string): MetricName {
  if (isMetricName(id)) return id
  throw new InvalidRequest(`unknown metric ${id}`, "metric")
}

const isMetricName = (id: string): id is MetricName => id.startsWith("journal:") || METRIC_IDS.some((one) => one === id)

function errorOf(error: HealthApiError): ServiceError {
  const cause = { cause: error }
  if (error instanceof RateLimitedError) return new QuotaExceeded(error.limit, error.reset)
  if (error instanceof InvalidRequestError) return new InvalidRequest(error.message, error.field, cause)
  if (error instanceof NotFoundError) return new NotFound(error.message, cause)
  if (error instanceof UnauthorizedError) return new Unauthorized(error.message, cause)
  return new Unavailable(`Restwell is unavailable (${error.message})`, RETRY_AFTER_SECONDS, cause)
}
