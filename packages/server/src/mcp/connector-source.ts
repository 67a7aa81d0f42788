import {
  type AssistantAccess,
  addDays,
  bodyOf,
  Forbidden,
  type HealthReader,
  type LogAccess,
  type ReadQuery,
  type ReadType,
  resolveDateRange,
  SCOPE_OF,
  ServiceError,
  SUMMARY_SCOPES,
} from "@restwell/core"
import type { HealthSource } from "./health-source.ts"

export interface ConnectorSourceOptions {
  readonly log: LogAccess
  readonly reader: HealthReader
  readonly access: AssistantAccess
  readonly baseUrl: string
}

/** Reads what the person shares with this assistant from the service's own store. Counts and logs each call. */
export function connectorSource({ log, reader, access, baseUrl }: ConnectorSourceOptions): HealthSource {
  const readAll = async (queries: readonly ReadQuery[], { isCounted }: { readonly isCounted: boolean }) => {
    for (const query of queries) requireShared(access, query, baseUrl)
    const readings = await Promise.all(
      queries.map((query, index) =>
        reader.read({
          credential: { userId: access.userId },
          query,
          ifNoneMatch: [],
          isCounted: isCounted && index === 0,
        }),
      ),
    )
    return readings.map((reading) => {
      if (reading.outcome !== "answer") throw new Error(`unexpected outcome of a tool's read: ${reading.outcome}`)
      return reading.response
    })
  }
  const readLogged = async (operation: string, queries: readonly ReadQuery[], counting: { isCounted: boolean }) => {
    const entry = {
      clientId: access.clientId,
      assistant: access.assistant,
      operation,
      types: [...new Set(queries.map(({ type }) => type))],
      ...datesOf(queries, access.today),
    }
    try {
      const readings = await readAll(queries, counting)
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
    read: (operation, queries) => readLogged(operation, queries, { isCounted: true }),
    readMore: (operation, queries) => readLogged(operation, queries, { isCounted: false }),
  }
}

/** @throws {Forbidden} that says what is shared and where the person can change it */
function requireShared(access: AssistantAccess, query: ReadQuery, baseUrl: string): void {
  const needed = query.type === "summary" ? SUMMARY_SCOPES : [SCOPE_OF[query.type]]
  const how = `the person can change that by connecting this assistant again, and sees what it may read at ${baseUrl}/connections`
  if (!needed.some((scope) => access.scopes.includes(scope)))
    throw new Forbidden(`the person does not share ${NAMES[query.type]} with this assistant; ${how}`)
  if (query.type === "profile" || access.days === null) return
  const earliest = addDays(access.today, 1 - access.days)
  if (resolveDateRange(query, access.today).from < earliest)
    throw new Forbidden(
      `the person shares the last ${access.days} days with this assistant: ask for dates from ${earliest} to ${access.today}; ${how}`,
    )
}

const NAMES: Readonly<Record<ReadType, string>> = {
  summary: "any data of a summary",
  sleep: "sleep",
  recovery: "recovery",
  workout: "workouts",
  cycle: "daily strain",
  profile: "the profile",
  journal: "the journal",
}

/** The first and the last date of all reads. A profile has none. */
function datesOf(queries: readonly ReadQuery[], today: string) {
  const dated = queries.filter(({ type }) => type !== "profile")
  const ranges = dated.map((query) => resolveDateRange(query, today))
  const starts = ranges.map(({ from }) => from).toSorted()
  const ends = ranges.map(({ to }) => to).toSorted()
  return { startDate: starts[0] ?? null, endDate: ends.at(-1) ?? null }
}
