import {
  HealthApiError,
  type HealthClient,
  InvalidRequestError,
  NotFoundError,
  RateLimitedError,
  UnauthorizedError,
} from "@restwell/client"
import {
  HEALTH_SCOPES,
  type HealthBody,
  InvalidRequest,
  NotFound,
  QuotaExceeded,
  type ReadQuery,
  type ServiceError,
  Unauthorized,
  Unavailable,
} from "@restwell/core"
import type { HealthSource } from "./health-source.ts"

const RETRY_AFTER_SECONDS = 30

/** Reads a service's HTTP API with the person's own key. Everything is shared, and each read counts as a request. */
export const apiSource = (client: HealthClient, baseUrl: string): HealthSource => ({
  sharing: { scopes: HEALTH_SCOPES, days: null },
  baseUrl,
  today: () => translated(async () => (await client.summary({ days: 1 })).data.period.end.slice(0, 10)),
  read: (_operation, queries) => translated(() => Promise.all(queries.map((query) => readOne(client, query)))),
  readMore: (_operation, queries) => translated(() => Promise.all(queries.map((query) => readOne(client, query)))),
})

async function translated<Answer>(request: () => Promise<Answer>): Promise<Answer> {
  try {
    return await request()
  } catch (error) {
    throw error instanceof HealthApiError ? errorOf(error) : error
  }
}

async function readOne(
  client: HealthClient,
  { type, days, start_date: startDate, end_date: endDate, source }: ReadQuery,
): Promise<HealthBody> {
  const range = startDate === undefined ? { days, endDate, source } : { startDate, endDate, source }
  const { data } = type === "profile" ? await client.profile() : await client[METHODS[type]](range)
  return data
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

function errorOf(error: HealthApiError): ServiceError {
  const cause = { cause: error }
  if (error instanceof RateLimitedError) return new QuotaExceeded(error.limit, error.reset)
  if (error instanceof InvalidRequestError) return new InvalidRequest(error.message, error.field, cause)
  if (error instanceof NotFoundError) return new NotFound(error.message, cause)
  if (error instanceof UnauthorizedError) return new Unauthorized(error.message, cause)
  return new Unavailable(`Restwell is unavailable (${error.message})`, RETRY_AFTER_SECONDS, cause)
}
