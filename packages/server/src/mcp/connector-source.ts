import { INSIGHT_DAYS } from "@restwell/client"
import {
  type AssistantAccess,
  type AssistantCall,
  addDays,
  bodyOf,
  datesOfDay,
  Forbidden,
  groupOfMetric,
  type HealthReader,
  type HealthResponse,
  type HealthScope,
  type InsightLimits,
  type InsightQuery,
  isInsight,
  type LogAccess,
  METRIC_GROUPS,
  type MetricGroup,
  type ReadQuery,
  type ReadType,
  resolveDateRange,
  SCOPE_OF,
  type SeriesReadQuery,
  ServiceError,
  SUMMARY_SCOPES,
} from "@restwell/core"
import type { Query, ToolSource } from "./tool-source.ts"

/** The groups of data that an answer cannot do without. */
function groupsOfQuestion(query: InsightQuery): readonly MetricGroup[] {
  switch (query.type) {
    case "metrics":
      return METRIC_GROUPS
    case "sports":
      return ["workout"]
    case "signs":
    case "day":
      return []
    case "relate":
      return groupsOfMetrics([query.outcome, ...(query.factor === undefined ? [] : [query.factor])])
    default:
      return groupsOfMetrics([query.metric])
  }
}

/** The groups that an answer has figures of where they are shared. */
function furtherGroups(query: InsightQuery): readonly MetricGroup[] {
  if (query.type === "sports") return ["recovery"]
  if (query.type === "day") return ["sleep", "recovery", "workout", "cycle", "journal"]
  return query.type === "signs" ? ["sleep", "recovery"] : []
}

const groupsOfMetrics = (metrics: readonly string[]): MetricGroup[] =>
  metrics.flatMap((metric) => groupOfMetric(metric) ?? [])

interface Place {
  readonly access: AssistantAccess
  readonly baseUrl: string
}

/** @throws {Forbidden} that says what is shared and where the person can change it */
function requireShared(query: Query, { access, baseUrl }: Place): void {
  const how = `the person can change that by connecting this assistant again, and sees what it may read at ${baseUrl}/connections`
  const missing = isInsight(query) ? missingOfQuestion(query, access) : missingOfRead(query, access)
  if (missing !== undefined) throw new Forbidden(`the person does not share ${missing} with this assistant; ${how}`)
  const dates = datesOfQuery(query, access.today)
  if (access.days === null || dates === undefined) return
  const earliest = addDays(access.today, 1 - access.days)
  if (dates.from < earliest)
    throw new Forbidden(
      `the person shares the last ${access.days} days with this assistant: ask for dates from ${earliest} to ${access.today}; ${how}`,
    )
}

function missingOfRead(
  { type }: ReadQuery<ReadType> | SeriesReadQuery,
  { scopes }: AssistantAccess,
): string | undefined {
  const needed: readonly HealthScope[] = type === "summary" ? SUMMARY_SCOPES : [SCOPE_OF[type]]
  return needed.some((scope) => scopes.includes(scope)) ? undefined : NAMES[type]
}

function missingOfQuestion(query: InsightQuery, { scopes }: AssistantAccess): string | undefined {
  const isShared = (group: MetricGroup): boolean => scopes.includes(SCOPE_OF[group])
  const missing = groupsOfQuestion(query).find((group) => !isShared(group))
  const further = furtherGroups(query)
  if ((query.type === "signs" || query.type === "day") && !further.some(isShared))
    return query.type === "signs" ? "sleep or recovery" : "anything of a day"
  return missing && NAMES[missing]
}

const NAMES: Readonly<Record<ReadType | "series", string>> = {
  summary: "any data of a summary",
  sleep: "sleep",
  recovery: "recovery",
  workout: "workouts",
  cycle: "daily strain",
  profile: "the profile",
  journal: "the journal",
  series: "measurements",
}

/** What the statistics may be computed from: neither values of other types nor of older dates. @param needed types of data */
const limitsOf = (
  { scopes, days, today }: AssistantAccess,
  needed: readonly MetricGroup[] = METRIC_GROUPS,
): InsightLimits => ({
  groups: needed.filter((group) => scopes.includes(SCOPE_OF[group])),
  from: days === null ? null : addDays(today, 1 - days),
})

/** The types of data that a call reads, as the access log names them. */
function typesOf(query: Query, { groups }: InsightLimits): readonly (ReadType | MetricGroup)[] {
  if (!isInsight(query)) return [query.type]
  const further = furtherGroups(query).filter((group) => groups.includes(group))
  return [...groupsOfQuestion(query), ...further]
}

/** The first and the last date of all reads. A profile has none. */
function datesOfQueries(queries: readonly Query[], today: string) {
  const ranges = queries.flatMap((query) => datesOfQuery(query, today) ?? [])
  const starts = ranges.map(({ from }) => from).toSorted()
  const ends = ranges.map(({ to }) => to).toSorted()
  return { startDate: starts[0] ?? null, endDate: ends.at(-1) ?? null }
}

interface Dates {
  readonly from: string
  readonly to: string
}

function datesOfQuery(query: Query, today: string): Dates | undefined {
  switch (query.type) {
    case "profile":
    case "metrics":
      return undefined
    case "relate":
      return resolveDateRange({ days: INSIGHT_DAYS.relateDefault, ...query }, today)
    case "sports":
      return resolveDateRange({ days: INSIGHT_DAYS.sportsDefault, ...query }, today)
    case "day":
      return datesOfDay(query, today)
    case "compare": {
      const { from, to } = resolveDateRange(query, today)
      const length = Temporal.PlainDate.from(from).until(to).days + 1
      return { from: query.with_start_date ?? addDays(from, -length), to }
    }
    default:
      return resolveDateRange(query, today)
  }
}

export interface ConnectorSourceOptions {
  readonly log: LogAccess
  readonly reader: HealthReader
  readonly access: AssistantAccess
  readonly baseUrl: string
}

/** Reads what the person shares with this assistant from the service's own store. Counts and logs each call. */
export function connectorSource({ log, reader, access, baseUrl }: ConnectorSourceOptions): ToolSource {
  const logged = async (
    operation: string,
    queries: readonly Query[],
    limits: InsightLimits,
    read: (entry: AssistantCall["entry"]) => Promise<readonly HealthResponse[]>,
  ) => {
    const { clientId, assistant, userId, today } = access
    const types = [...new Set(queries.flatMap((query) => typesOf(query, limits)))]
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
  const shared = limitsOf(access)
  const readMore = async (queries: readonly Query[], entry: AssistantCall["entry"]) => {
    const request = { credential: { userId }, limits: shared, ifNoneMatch: [], isCounted: false }
    const readings = await Promise.all(queries.map((query) => reader.read({ ...request, query })))
    for (const reading of readings) if (reading.outcome === "refused") throw reading.error
    const responses = readings.flatMap((reading) => (reading.outcome === "answer" ? [reading.response] : []))
    const recordCount = responses.reduce((sum, response) => sum + response.recordCount, 0)
    await log(userId, { ...entry, recordCount, outcome: "answered" })
    return responses
  }
  return {
    sharing: access,
    baseUrl,
    preferences: access.preferences,
    today: async () => access.today,
    now: async () => ({ date: access.today, time: access.localTime }),
    read(operation, queries, needed) {
      const limits = limitsOf(access, needed?.groups)
      return logged(operation, queries, limits, async (entry) => {
        const [query, ...others] = queries
        return query ? reader.readCall({ userId, queries: [query, ...others], limits, entry }) : []
      })
    },
    readMore: (operation, queries) => logged(operation, queries, shared, (entry) => readMore(queries, entry)),
  }
}
