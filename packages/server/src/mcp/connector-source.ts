import { addDays } from "@restwell/client/calendar-dates"
import {
  type AssistantAccess,
  type AssistantCall,
  bodyOf,
  datesOfQuery,
  type HealthReader,
  type HealthResponse,
  type InsightLimits,
  type InsightQuery,
  type InsightType,
  type LogAccess,
  type MetricGroup,
  type ReadQuery,
  type ReadType,
  type SeriesReadQuery,
} from "@restwell/core"
import { Forbidden, groupOfMetric, METRIC_GROUPS, SCOPE_OF, ServiceError } from "@restwell/core/connector"
import type { Query, ToolSource } from "./tool-source.ts"

/** What of a person's data a query is about. */
interface Subject {
  /** The types that its answer cannot do without. */
  readonly needed?: readonly (keyof typeof SCOPE_OF)[]
  /** The types that its answer has figures of where they are shared. */
  readonly further?: readonly MetricGroup[]
  /** The name of `further` where one of these types has to be shared. */
  readonly oneOf?: string
  /** How the access log names the types. @default their own names */
  readonly logged?: readonly string[]
}

type Queries = Readonly<Record<ReadType, ReadQuery<ReadType>>> & { readonly series: SeriesReadQuery } & {
  readonly [Type in InsightType]: InsightQuery<Type>
}

const listOf = (type: keyof typeof SCOPE_OF) => (): Subject => ({ needed: [type] })

const SUBJECTS: { readonly [Type in keyof Queries]: (query: Queries[Type]) => Subject } = {
  summary: () => ({
    further: ["sleep", "recovery", "workout"],
    oneOf: "any data of a summary",
    logged: ["summary"],
  }),
  sleep: listOf("sleep"),
  recovery: listOf("recovery"),
  workout: listOf("workout"),
  cycle: listOf("cycle"),
  journal: listOf("journal"),
  series: listOf("series"),
  profile: listOf("profile"),
  metrics: () => ({ needed: METRIC_GROUPS }),
  trend: ({ metric }) => ({ needed: groupsOf(metric) }),
  compare: ({ metric }) => ({ needed: groupsOf(metric) }),
  relate: ({ outcome, factor }) => ({
    needed: [...groupsOf(outcome), ...(factor === undefined ? [] : groupsOf(factor))],
  }),
  sports: () => ({ needed: ["workout"], further: ["recovery"] }),
  signs: () => ({ further: ["sleep", "recovery"], oneOf: "sleep or recovery" }),
  day: () => ({ further: ["sleep", "recovery", "workout", "cycle", "journal"], oneOf: "anything of a day" }),
}

const groupsOf = (metric: string): MetricGroup[] => {
  const group = groupOfMetric(metric)
  return group === null ? [] : [group]
}

const subjectOf = <Type extends keyof Queries>(type: Type, query: Queries[Type]): Subject => SUBJECTS[type](query)

/** @param from the first date of all reads @throws {Forbidden} that says what is shared and where the person can change it */
function requireShared(
  subjects: readonly Subject[],
  from: string | null,
  { access, baseUrl }: Pick<ConnectorSourceOptions, "access" | "baseUrl">,
): void {
  const how = `the person can change that by connecting this assistant again, and sees what it may read at ${baseUrl}/access`
  const missing = subjects.map((subject) => missingOf(subject, access)).find((name) => name !== undefined)
  if (missing !== undefined) throw new Forbidden(`the person does not share ${missing} with this assistant; ${how}`)
  if (access.days === null || from === null) return
  const earliest = addDays(access.today, 1 - access.days)
  if (from < earliest)
    throw new Forbidden(
      `the person shares the last ${access.days} days with this assistant: ask for dates from ${earliest} to ${access.today}; ${how}`,
    )
}

function missingOf({ needed = [], further = [], oneOf }: Subject, { scopes }: AssistantAccess): string | undefined {
  const isShared = (type: keyof typeof SCOPE_OF): boolean => scopes.includes(SCOPE_OF[type])
  const missing = needed.find((type) => !isShared(type))
  return missing ? NAMES[missing] : further.some(isShared) ? undefined : oneOf
}

const NAMES: Readonly<Record<keyof typeof SCOPE_OF, string>> = {
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
  isForAssistant: true,
  groups: needed.filter((group) => scopes.includes(SCOPE_OF[group])),
  from: days === null ? null : addDays(today, 1 - days),
})

/** The types of data that a call reads, as the access log names them. */
const typesOf = ({ needed = [], further = [], logged }: Subject, { groups }: InsightLimits): readonly string[] =>
  logged ?? [...needed, ...further.filter((group) => groups.includes(group))]

/** The first and the last date of all reads: of the same dates as their answers. @throws {InvalidRequest} */
function datesOf(queries: readonly Query[], today: string) {
  const ranges = queries.flatMap((query) => datesOfQuery(query, today) ?? [])
  const starts = ranges.map(({ from }) => from).toSorted()
  const ends = ranges.map(({ to }) => to).toSorted()
  return { startDate: starts[0] ?? null, endDate: ends.at(-1) ?? null }
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
    const subjects = queries.map((query) => subjectOf(query.type, query))
    const types = [...new Set(subjects.flatMap((subject) => typesOf(subject, limits)))]
    let entry = { clientId, assistant, operation, types, ...datesOf([], today) }
    try {
      entry = { ...entry, ...datesOf(queries, today) }
      requireShared(subjects, entry.startDate, { access, baseUrl })
      return (await read(entry)).map(({ bytes }) => bodyOf(bytes))
    } catch (error) {
      if (error instanceof ServiceError) await log(userId, { ...entry, recordCount: null, outcome: error.code })
      throw error
    }
  }
  const { userId } = access
  const readMore = async (queries: readonly Query[], limits: InsightLimits, entry: AssistantCall["entry"]) => {
    const request = { credential: { userId }, limits, ifNoneMatch: [], isCounted: false }
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
    readMore(operation, queries, needed) {
      const limits = limitsOf(access, needed?.groups)
      return logged(operation, queries, limits, (entry) => readMore(queries, limits, entry))
    },
  }
}
