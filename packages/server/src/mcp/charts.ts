import { createHash } from "node:crypto"
import type { McpServer } from "@modelcontextprotocol/server"
import {
  BODY_TYPES,
  type ChartedMetric,
  ChartedMetricSchema,
  type ChartOf,
  type CompareResponse,
  type DisplayPreferences,
  type HrvMethod,
  type SeriesType,
  SLEEP_STAGES,
  SUM_TYPES,
  type TrendDay,
  type TrendResponse,
} from "@restwell/client"
import {
  type MetricDescription,
  metricNamed,
  metricOf,
  metricOfAnswer,
  preferredUnit,
  seriesFigure,
  seriesTitle,
} from "@restwell/client/figures"
import { DAY_MINUTES, HOUR_MS } from "@restwell/client/time-units"
import { z } from "zod"
import { dayUrl } from "./days-of-record.ts"
import type { RelateOutput } from "./insight-text.ts"
import type { ToolSource } from "./tool-source.ts"

/*
 * The data of charts: the answers of REST, and the units and the clock that the person reads. They travel in `_meta` of a result, which assistants never read.
 */

type Display = Pick<ToolSource, "baseUrl" | "preferences">

/** What a question asked for beside its metric and its dates. */
interface Asked {
  readonly source?: string | undefined
  /** That the workouts are of. Left out for all. */
  readonly sport?: string | undefined
}

export function trendChart(
  { baseUrl, preferences }: Display,
  answer: TrendResponse,
  { source, sport }: Asked = {},
): ChartOf<"trend"> {
  const metric = chartedMetric(metricOfAnswer(answer), preferences)
  return {
    kind: "trend",
    url: trendUrl(baseUrl, answer, { source, sport }),
    metric: sport === undefined ? metric : { ...metric, title: `${metric.title}: ${sport}` },
    first_weekday: preferences.first_weekday,
    answer,
  }
}

/** @param values of a span with both periods */
export const comparisonChart = (
  { baseUrl, preferences }: Display,
  answer: CompareResponse,
  values: TrendResponse | undefined,
  { source }: Asked = {},
): ChartOf<"comparison"> => {
  const points = values?.points
  return {
    kind: "comparison",
    url: trendUrl(baseUrl, answer, { source }),
    metric: chartedMetric(metricOfAnswer(answer), preferences),
    answer,
    points: points ? { period: within(answer.period, points), with: within(answer.with, points) } : null,
  }
}

export function relationChart(
  { baseUrl, preferences }: Display,
  answer: RelateOutput,
  { source }: Asked = {},
): ChartOf<"relation"> {
  const factors = "relations" in answer ? answer.relations.map(({ factor }) => factor) : [answer.factor]
  return {
    kind: "relation",
    url: `${baseUrl}/insights?${new URLSearchParams({
      outcome: answer.outcome,
      ...("factor" in answer && { factor: answer.factor }),
      lag: String(answer.lag),
      start_date: answer.period.start_date,
      end_date: answer.period.end_date,
      ...(source !== undefined && { source }),
    })}`,
    outcome: chartedMetric(metricOfAnswer({ metric: answer.outcome, source: answer.source }), preferences),
    factors: factors.map((factor) => chartedMetric(metricNamed(factor), preferences)),
    answer,
  }
}

interface Night {
  readonly date: string
  readonly sleep: TrendDay["sleep"]
  /** Why there is none, in a sentence. Left out where it may still come. */
  readonly reason?: string | undefined
}

export const nightChart = ({ baseUrl, preferences }: Display, { date, sleep, reason }: Night): ChartOf<"night"> => ({
  kind: "night",
  url: `${baseUrl}/`,
  date,
  clock: preferences.clock,
  ...(!sleep && reason !== undefined && { reason }),
  night: sleep
    ? {
        score_state: sleep.score_state,
        source: sleep.source,
        start_minutes: sleep.start_minutes,
        end_minutes: sleep.end_minutes,
        start_time: sleep.start_local.slice(11, 16),
        end_time: sleep.end_local.slice(11, 16),
        duration_hours: sleep.duration_hours,
        asleep_hours: sleep.asleep_hours,
        need_hours: sleep.need_hours,
        performance: sleep.performance,
        light_hours: sleep.light_hours,
        deep_hours: sleep.deep_hours,
        rem_hours: sleep.rem_hours,
        awake_hours: sleep.awake_hours,
        course: sleep.course,
      }
    : null,
})

/** Values within the day as the answer has them: their rows, with the date of each. */
export interface AnsweredSeries {
  readonly type: SeriesType
  readonly unit: string
  readonly resolution: ChartOf<"series">["resolution"]
  readonly method: HrvMethod | null
  readonly rows: readonly { readonly time: string; readonly parts: readonly (string | number)[] }[]
  readonly notes: readonly string[]
  readonly source: string
  readonly period: Dates
}

/** @returns undefined for an answer without values */
export function seriesChart(
  { baseUrl, preferences }: Display,
  answer: AnsweredSeries,
  asked: Asked = {},
): ChartOf<"series"> | undefined {
  const { type, unit, resolution, method, rows, notes, source, period } = answer
  const [first, last] = [rows[0], rows.at(-1)]
  if (!first || !last) return undefined
  const { units, clock } = preferences
  const ownUnit = ["count", "stage"].includes(unit) ? null : unit
  const decimals = SUM_TYPES.includes(type) ? 0 : 1
  const figure = (part: string | number | undefined): number | undefined =>
    typeof part !== "number" ? undefined : (seriesFigure(type, ownUnit, part, units) ?? undefined)
  const isOfTrends = resolution === "1d" || BODY_TYPES.includes(type)
  return {
    kind: "series",
    url:
      isOfTrends && metricOf(type)
        ? trendUrl(baseUrl, { metric: type, period }, { source: asked.source })
        : dayUrl(baseUrl, last.time.slice(0, 10)),
    metric: {
      id: type,
      title: seriesTitle(type),
      unit: ownUnit && preferredUnit(ownUnit, units).unit,
      decimals,
      kind: "number",
      clock,
    },
    source,
    resolution,
    method,
    points: rows.flatMap(({ time, parts: [value, low, high] }) => {
      const shown = figure(value)
      return shown === undefined ? [] : [{ time, value: shown, low: figure(low), high: figure(high) }]
    }),
    segments: rows.flatMap(({ time, parts: [end, stage] }) => segmentsOf(time, end, stage)),
    notes: [...notes],
  }
}

/** A stage of sleep. One that ends after midnight has the clock time of the next date. */
function segmentsOf(start: string, end: unknown, stage: unknown): ChartOf<"series">["segments"] {
  const known = SleepStageSchema.safeParse(stage).data
  if (known === undefined) return []
  const minutes = clockMinutes(String(end)) - clockMinutes(start.slice(-5))
  return [{ start, minutes: (minutes + DAY_MINUTES) % DAY_MINUTES, stage: known }]
}

const SleepStageSchema = z.enum(SLEEP_STAGES)

const clockMinutes = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3))

interface Dates {
  readonly start_date: string
  readonly end_date: string
}

/** With its dates, not their number: the last days are others when the chat is read again. */
function trendUrl(
  baseUrl: string,
  { metric, period }: { readonly metric: string; readonly period: Dates },
  { source, sport }: Asked,
): string {
  const { start_date, end_date } = period
  const search = new URLSearchParams({
    metric,
    start_date,
    end_date,
    ...(source !== undefined && { source }),
    ...(sport !== undefined && { sport }),
  })
  return `${baseUrl}/trends?${search}`
}

const chartedMetric = (metric: MetricDescription, { units, clock }: DisplayPreferences): ChartedMetric =>
  ChartedMetricSchema.parse({ ...metric, units, clock })

type Points = NonNullable<TrendResponse["points"]>

const within = ({ start_date: start, end_date: end }: CompareResponse["period"], points: Points): Points =>
  points.filter(([date]) => date >= start && date <= end)

/*
 * The view of MCP Apps: programs that show the results of tools in a frame read it as a resource, and send it each result of a tool that
 * names it. It is the same for everybody and contains no health data. @see SEP-1865
 */

/** The extension, as servers and clients name it in their capabilities. */
export const APPS_EXTENSION = "io.modelcontextprotocol/ui"
const MIME_TYPE = "text/html;profile=mcp-app"
/** A new version of the view has a new URI, because programs keep views by URI. */
const CACHE = { ttlMs: HOUR_MS, cacheScope: "public" } as const
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
