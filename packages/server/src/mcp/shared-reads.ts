import { INSIGHT_DAYS } from "@restwell/client"
import {
  type AssistantAccess,
  addDays,
  Forbidden,
  type HealthScope,
  type InsightLimits,
  type InsightQuery,
  isInsight,
  METRIC_GROUPS,
  type MetricGroup,
  type ReadQuery,
  type ReadType,
  resolveDateRange,
  SCOPE_OF,
  SUMMARY_SCOPES,
} from "@restwell/core"
import { groupsOfQuestion } from "./insight-scopes.ts"
import type { Query } from "./query.ts"

interface Place {
  readonly access: AssistantAccess
  readonly baseUrl: string
}

/** @throws {Forbidden} that says what is shared and where the person can change it */
export function requireShared(query: Query, { access, baseUrl }: Place): void {
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

function missingOfRead({ type }: ReadQuery, { scopes }: AssistantAccess): string | undefined {
  const needed: readonly HealthScope[] = type === "summary" ? SUMMARY_SCOPES : [SCOPE_OF[type]]
  return needed.some((scope) => scopes.includes(scope)) ? undefined : NAMES[type]
}

function missingOfQuestion(query: InsightQuery, { scopes }: AssistantAccess): string | undefined {
  const missing = groupsOfQuestion(query).find((group) => !scopes.includes(SCOPE_OF[group]))
  return missing && NAMES[missing]
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

/** What the statistics may be computed from: neither values of other types nor of older dates. */
export const limitsOf = ({ scopes, days, today }: AssistantAccess): InsightLimits => ({
  groups: METRIC_GROUPS.filter((group) => scopes.includes(SCOPE_OF[group])),
  from: days === null ? null : addDays(today, 1 - days),
})

/** The same without what is older than a date. */
export const boundedBy = (since: string, { groups, from }: InsightLimits): InsightLimits => ({
  groups,
  from: from === null || from < since ? since : from,
})

/** The types of data that a call reads, as the access log names them. */
export const typesOf = (query: Query): readonly (ReadType | MetricGroup)[] =>
  isInsight(query) ? groupsOfQuestion(query) : [query.type]

/** The first and the last date of all reads. A profile has none. */
export function datesOfQueries(queries: readonly Query[], today: string) {
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
    case "compare": {
      const { from, to } = resolveDateRange(query, today)
      const length = Temporal.PlainDate.from(from).until(to).days + 1
      return { from: query.with_start_date ?? addDays(from, -length), to }
    }
    default:
      return resolveDateRange(query, today)
  }
}
