import { createHash } from "node:crypto"
import { DATE_BOUNDS, INSIGHT_DAYS } from "@restwell/client"
import type { RecordKind } from "@restwell/providers"
import { addDays, type DateRange } from "../calendar/date-range.ts"
import { InvalidRequest } from "../context/errors.ts"
import { MEDIAN_REACH } from "../insights/running-median.ts"
import type { WantedHistory } from "../store/read-history.ts"
import { comparePeriods } from "./compare-periods.ts"
import { findRelations } from "./find-relations.ts"
import type { InsightAnswer, InsightData } from "./insight-data.ts"
import type { InsightBody, InsightLimits, InsightQuery } from "./insight-query.ts"
import { insightRange, otherRange } from "./insight-range.ts"
import { groupOfMetric, METRIC_GROUPS, type MetricGroup } from "./metric-group.ts"
import { isCount } from "./metric-series.ts"
import { readMetrics } from "./read-metrics.ts"
import { readTrend } from "./read-trend.ts"

/** How a question is answered once the person's date is known. */
export interface InsightPlan {
  /** The dates of the answer, of a comparison from the first to the last of both periods. Null for the catalogue. */
  readonly range: DateRange | null
  /** Names the question on this date. Equal names and equal data give equal answers. */
  readonly name: string
  readonly groups: readonly MetricGroup[]
  readonly wanted: Omit<WantedHistory, "providers">
  answer(data: InsightData): InsightAnswer<InsightBody>
}

/** @throws {InvalidRequest} for dates that cannot be answered, and without one of the two periods */
export function planInsight(query: InsightQuery, today: string, limits?: InsightLimits): InsightPlan {
  const plan = planOf(query, today)
  const shared = limits?.groups ?? METRIC_GROUPS
  const groups = plan.groups.filter((group) => shared.includes(group))
  const name = JSON.stringify([query.type, plan.named, query.source ?? "", today, groups, limits?.from ?? ""])
  return {
    range: plan.range,
    name: `${query.type}-${createHash("sha256").update(name).digest("base64url").slice(0, NAME_LENGTH)}`,
    groups,
    wanted: {
      kinds: groups.filter((group): group is RecordKind => group !== "journal"),
      journal: groups.includes("journal"),
      recordDates: plan.metrics === undefined || plan.metrics.some(isCount),
      from: latest(limits?.from ?? DATE_BOUNDS.min, plan.since ?? DATE_BOUNDS.min),
    },
    answer: plan.answer,
  }
}

const latest = (one: string, other: string): string => (one > other ? one : other)

/** Characters of base64url: 132 bits. */
const NAME_LENGTH = 22

interface Plan extends Pick<InsightPlan, "range" | "groups" | "answer"> {
  /** Everything that the answer depends on beside the data, the source and the date. */
  readonly named: readonly unknown[]
  /** The metrics that it is about. Left out where it is about all. */
  readonly metrics?: readonly string[]
  /** The oldest date that the answer depends on. Left out where it depends on all. */
  readonly since?: string
}

function planOf(query: InsightQuery, today: string): Plan {
  switch (query.type) {
    case "metrics":
      return { range: null, groups: METRIC_GROUPS, named: [], answer: readMetrics }
    case "trend": {
      const range = insightRange(query, today, INSIGHT_DAYS.default)
      const { metric, by = null, points = false, top = null } = query
      return {
        range,
        groups: groupsOf(metric),
        metrics: [metric],
        named: [range, metric, by, points, top],
        answer: (data) => readTrend(data, query, range),
      }
    }
    case "compare": {
      const period = insightRange(query, today, INSIGHT_DAYS.default)
      const other = otherRange(query, period)
      const [first, last] = period.from < other.from ? [period, other] : [other, period]
      return {
        range: { from: first.from, to: last.to },
        groups: groupsOf(query.metric),
        metrics: [query.metric],
        named: [period, other, query.metric],
        answer: (data) => comparePeriods(data, query, { period, other }),
      }
    }
    case "relate": {
      const { outcome, factor, lag = 0 } = query
      if (factor === outcome) throw new InvalidRequest(`factor ${factor} is the outcome itself`, "factor")
      const range = insightRange(query, today, INSIGHT_DAYS.relateDefault)
      return {
        range,
        groups: factor === undefined ? METRIC_GROUPS : [...new Set([...groupsOf(outcome), ...groupsOf(factor)])],
        ...(factor !== undefined && { metrics: [outcome, factor] }),
        named: [range, outcome, factor ?? null, lag],
        since: addDays(range.from, -lag - MEDIAN_REACH),
        answer: (data) => findRelations(data, query, range),
      }
    }
  }
}

function groupsOf(metric: string): MetricGroup[] {
  const group = groupOfMetric(metric)
  return group === null ? [] : [group]
}
