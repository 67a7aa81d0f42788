import type { TrendsResponse } from "@restwell/client"
import {
  type AssistantAccess,
  type AssistantCall,
  bodyOf,
  type HealthReader,
  type HealthResponse,
  type LogAccess,
  type RepeatableCall,
  repeatableCall,
  ServiceError,
} from "@restwell/core"
import type { HealthSource } from "./health-source.ts"
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

export interface ConnectorSource extends HealthSource {
  /** How the call that read here is repeated. Undefined if it read more than once: only the first read has a version to check. */
  repeatable(): RepeatableCall | undefined
}

/** Reads what the person shares with this assistant from the service's own store. Counts and logs each call. */
export function connectorSource({ log, reader, readTrends, access, baseUrl }: ConnectorSourceOptions): ConnectorSource {
  const calls: (RepeatableCall | undefined)[] = []
  const logged = async (
    operation: string,
    queries: readonly Query[],
    read: (entry: AssistantCall["entry"]) => Promise<readonly HealthResponse[]>,
  ) => {
    const { clientId, assistant, userId, today } = access
    const types = [...new Set(queries.flatMap(typesOf))]
    const entry = { clientId, assistant, operation, types, ...datesOfQueries(queries, today) }
    try {
      for (const query of queries) requireShared(query, { access, baseUrl })
      return (await read(entry)).map(({ bytes }) => bodyOf(bytes))
    } catch (error) {
      if (error instanceof ServiceError) await log(userId, { ...entry, recordCount: null, outcome: error.code })
      throw error
    }
  }
  const { userId } = access
  const limits = limitsOf(access)
  const readMore = async (queries: readonly Query[], entry: AssistantCall["entry"]) => {
    const request = { credential: { userId }, limits, ifNoneMatch: [], isCounted: false }
    const readings = await Promise.all(queries.map((query) => reader.read({ ...request, query })))
    const responses = readings.flatMap((reading) => (reading.outcome === "answer" ? [reading.response] : []))
    const recordCount = responses.reduce((sum, response) => sum + response.recordCount, 0)
    await log(userId, { ...entry, recordCount, outcome: "answered" })
    return responses
  }
  return {
    sharing: access,
    baseUrl,
    today: async () => access.today,
    read: (operation, queries, bound) =>
      logged(operation, queries, async (entry) => {
        const [query, ...others] = queries
        if (!query) return []
        const within = bound ? boundedBy(bound.since, limits) : limits
        const call = { userId, queries: [query, ...others], limits: within, entry } as const
        const responses = await reader.readCall(call)
        calls.push(repeatableCall(call, responses, access))
        return responses
      }),
    async lastCourse() {
      calls.push(undefined)
      return (await readTrends(access.userId, 1)).days[0]?.sleep?.course ?? null
    },
    readMore(operation, queries) {
      calls.push(undefined)
      return logged(operation, queries, (entry) => readMore(queries, entry))
    },
    repeatable: () => (calls.length === 1 ? calls[0] : undefined),
  }
}
