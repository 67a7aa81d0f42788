import type { TrendsResponse } from "@restwell/client"
import {
  type AssistantAccess,
  bodyOf,
  type HealthReader,
  type HealthReadRequest,
  type LogAccess,
  ServiceError,
} from "@restwell/core"
import type { HealthSource, HistoryBound } from "./health-source.ts"
import type { Query } from "./query.ts"
import { boundedBy, datesOfQueries, limitsOf, requireShared, typesOf } from "./shared-reads.ts"

/** The days up to today as the dashboard reads them. */
export type ReadTrends = (userId: string, days: number) => Promise<TrendsResponse>

export interface ConnectorSourceOptions {
  readonly log: LogAccess
  readonly reader: HealthReader
  readonly readTrends: ReadTrends
  readonly access: AssistantAccess
  readonly baseUrl: string
}

interface ReadSettings extends Partial<HistoryBound> {
  readonly isCounted: boolean
}

/** Reads what the person shares with this assistant from the service's own store. Counts and logs each call. */
export function connectorSource({ log, reader, readTrends, access, baseUrl }: ConnectorSourceOptions): HealthSource {
  const readAll = async (queries: readonly Query[], { isCounted, since }: ReadSettings) => {
    const limits = since === undefined ? limitsOf(access) : boundedBy(since, limitsOf(access))
    for (const query of queries) requireShared(query, { access, baseUrl })
    const read = async (query: Query, how: Pick<HealthReadRequest, "isCounted" | "after">) => {
      const credential = { userId: access.userId }
      const reading = await reader.read({ credential, query, limits, ifNoneMatch: [], ...how })
      if (reading.outcome !== "answer") throw new Error(`unexpected outcome of a tool's read: ${reading.outcome}`)
      return reading
    }
    const [query, ...others] = queries
    if (!query) return []
    const first = await read(query, { isCounted })
    const after = isCounted ? { after: first } : {}
    const rest = await Promise.all(others.map((other) => read(other, { isCounted: false, ...after })))
    return [first, ...rest].map(({ response }) => response)
  }
  const readLogged = async (operation: string, queries: readonly Query[], settings: ReadSettings) => {
    const entry = {
      clientId: access.clientId,
      assistant: access.assistant,
      operation,
      types: [...new Set(queries.flatMap(typesOf))],
      ...datesOfQueries(queries, access.today),
    }
    try {
      const readings = await readAll(queries, settings)
      const recordCount = readings.reduce((sum, reading) => sum + reading.recordCount, 0)
      await log(access.userId, { ...entry, recordCount, outcome: "answered" })
      return readings.map(({ bytes }) => bodyOf(bytes))
    } catch (error) {
      if (error instanceof ServiceError) await log(access.userId, { ...entry, recordCount: null, outcome: error.code })
      throw error
    }
  }
  return {
    sharing: access,
    baseUrl,
    today: async () => access.today,
    read: (operation, queries, bound) => readLogged(operation, queries, { isCounted: true, ...bound }),
    lastCourse: async () => (await readTrends(access.userId, 1)).days[0]?.sleep?.course ?? null,
    readMore: (operation, queries) => readLogged(operation, queries, { isCounted: false }),
  }
}
