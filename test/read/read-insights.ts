// Questions of statistics to a reader, for tests of their answers.
import type { MetricsResponse, RelateResponse, TrendResponse } from "@restwell/client"
import type { HealthReader, InsightLimits, InsightQuery } from "@restwell/core"
import type { World } from "@restwell/testing/world"

/** Who asks, and whom. */
export interface Asking {
  readonly world: World
  readonly userId: string
}

interface ReadOptions {
  /** @default that of the world */
  readonly reader?: HealthReader
  readonly limits?: InsightLimits
}

export async function readInsight({ world, userId }: Asking, query: InsightQuery, options: ReadOptions = {}) {
  const { reader = world.reader, limits } = options
  const request = { credential: { userId }, query, ifNoneMatch: [], isCounted: true, ...(limits && { limits }) }
  const reading = await reader.read(request)
  if (reading.outcome === "refused") throw reading.error
  if (reading.outcome !== "answer") throw new Error(`got ${reading.outcome}`)
  const body: TrendResponse | RelateResponse | MetricsResponse = JSON.parse(reading.response.bytes.toString())
  return { etag: reading.response.etag, body }
}

/** The trend of 120 dates, with its points. */
export async function readTrend(
  asking: Asking,
  query: Omit<Extract<InsightQuery, { type: "trend" }>, "type">,
): Promise<TrendResponse> {
  const { body } = await readInsight(asking, { type: "trend", points: true, days: 120, ...query })
  if (!("slope_per_30_days" in body)) throw new Error("no trend")
  return body
}

export async function readMetrics(asking: Asking, limits?: InsightLimits): Promise<MetricsResponse> {
  const { body } = await readInsight(asking, { type: "metrics" }, limits ? { limits } : {})
  if (!("metrics" in body)) throw new Error("no metrics")
  return body
}

export async function relate(
  asking: Asking,
  query: Omit<Extract<InsightQuery, { type: "relate" }>, "type">,
  limits?: InsightLimits,
): Promise<RelateResponse> {
  const { body } = await readInsight(asking, { type: "relate", ...query }, limits ? { limits } : {})
  if (!("outcome" in body)) throw new Error("no relation")
  return body
}
