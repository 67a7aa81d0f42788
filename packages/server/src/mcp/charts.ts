import { createHash } from "node:crypto"
import type { McpServer } from "@modelcontextprotocol/server"
import {
  type ChartedMetric,
  ChartedMetricSchema,
  type ChartOf,
  type CompareResponse,
  type DisplayPreferences,
  type NightCourse,
  preferredComparison,
  preferredMetric,
  preferredTrend,
  type SleepRecord,
  type TrendResponse,
} from "@restwell/client"
import { metricOf } from "@restwell/core"
import { preferredRelation, type RelateOutput } from "./insight-text.ts"
import type { ToolSource } from "./tool-source.ts"

/*
 * The data of charts, from the answers of REST in the person's units. They travel in `_meta` of a result, which assistants never read.
 */

type Place = Pick<ToolSource, "baseUrl" | "preferences">

const MINUTE_MS = 60_000

export const trendChart = ({ baseUrl, preferences }: Place, answer: TrendResponse): ChartOf<"trend"> => ({
  kind: "trend",
  url: trendUrl(baseUrl, answer.metric, answer.period.days),
  metric: chartedMetric(answer.metric, preferences),
  first_weekday: preferences.first_weekday,
  answer: preferredTrend(answer, preferences.units),
})

/** @param values of a span with both periods */
export const comparisonChart = (
  { baseUrl, preferences }: Place,
  answer: CompareResponse,
  values: TrendResponse | undefined,
): ChartOf<"comparison"> => {
  const points = values && preferredTrend(values, preferences.units).points
  return {
    kind: "comparison",
    url: trendUrl(baseUrl, answer.metric, answer.period.days),
    metric: chartedMetric(answer.metric, preferences),
    answer: preferredComparison(answer, preferences.units),
    points: points ? { period: within(answer.period, points), with: within(answer.with, points) } : null,
  }
}

export function relationChart({ baseUrl, preferences }: Place, answer: RelateOutput): ChartOf<"relation"> {
  const factors = "relations" in answer ? answer.relations.map(({ factor }) => factor) : [answer.factor]
  return {
    kind: "relation",
    url: `${baseUrl}/insights?${new URLSearchParams({
      outcome: answer.outcome,
      ...("factor" in answer && { factor: answer.factor }),
      lag: String(answer.lag),
      days: String(answer.period.days),
    })}`,
    outcome: chartedMetric(answer.outcome, preferences),
    factors: factors.map((factor) => chartedMetric(factor, preferences)),
    answer: preferredRelation(answer, preferences.units),
  }
}

interface Night {
  readonly date: string
  /** The main sleep. Undefined where there is none. */
  readonly sleep: Omit<SleepRecord, "id"> | undefined
  readonly course: NightCourse
}

export const nightChart = ({ baseUrl, preferences }: Place, { date, sleep, course }: Night): ChartOf<"night"> => ({
  kind: "night",
  url: `${baseUrl}/`,
  date,
  clock: preferences.clock,
  night: sleep
    ? {
        score_state: sleep.score_state,
        source: sleep.source,
        start_minutes: minutesAfterMidnight(sleep.start_local, date),
        end_minutes: minutesAfterMidnight(sleep.end_local, date),
        duration_hours: sleep.duration_hours,
        asleep_hours: sleep.asleep_hours,
        need_hours: sleep.need_hours,
        performance: sleep.score.performance,
        ...sleep.stages,
        course,
      }
    : null,
})

const trendUrl = (baseUrl: string, metric: string, days: number): string =>
  `${baseUrl}/trends?${new URLSearchParams({ metric, days: String(days) })}`

/** An id of another version of Restwell is its own title. */
const chartedMetric = (id: string, { units, clock }: DisplayPreferences): ChartedMetric => {
  const metric = metricOf(id) ?? { id, title: id, unit: null, decimals: 1, kind: "number" }
  return ChartedMetricSchema.parse({ ...preferredMetric(metric, units), clock })
}

type Points = NonNullable<TrendResponse["points"]>

const within = ({ start_date: start, end_date: end }: CompareResponse["period"], points: Points): Points =>
  points.filter(([date]) => date >= start && date <= end)

/** The minute that a clock showed, as in the text of the answer. @param local a clock time with its own UTC offset */
function minutesAfterMidnight(local: string, date: string): number {
  const wallTime = Date.parse(`${local.slice(0, 19)}Z`)
  return Math.floor((wallTime - Date.parse(`${date}T00:00:00Z`)) / MINUTE_MS)
}

/*
 * The view of MCP Apps: programs that show the results of tools in a frame read it as a resource, and send it each result of a tool that
 * names it. It is the same for everybody and contains no health data. @see SEP-1865
 */

/** The extension, as servers and clients name it in their capabilities. */
export const APPS_EXTENSION = "io.modelcontextprotocol/ui"
const MIME_TYPE = "text/html;profile=mcp-app"
/** A new version of the view has a new URI, because programs keep views by URI. */
const CACHE = { ttlMs: 3_600_000, cacheScope: "public" } as const
/** The view loads nothing from anywhere. */
const UI = { ui: { csp: { connectDomains: [], resourceDomains: [] }, prefersBorder: false } }

export interface ChartView {
  readonly uri: string
  readonly html: string
}

export function chartViewOf(html: string): ChartView {
  const version = createHash("sha256").update(html).digest("hex").slice(0, 6)
  return { uri: `ui://restwell/chart-${version}`, html }
}

/** `_meta` of a tool whose results the view draws. The second key is the one of MCP Apps' drafts, the third ChatGPT's. */
export const withChartView = ({ uri }: ChartView) => ({
  ui: { resourceUri: uri },
  "ui/resourceUri": uri,
  "openai/outputTemplate": uri,
})

export function registerChartView(server: McpServer, { uri, html }: ChartView): void {
  server.registerResource(
    "chart",
    uri,
    { title: "Chart", description: "Draws the results of tools", mimeType: MIME_TYPE, cacheHint: CACHE, _meta: UI },
    () => ({ contents: [{ uri, mimeType: MIME_TYPE, text: html, _meta: UI }] }),
  )
}
