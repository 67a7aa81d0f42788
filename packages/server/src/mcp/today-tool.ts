import type { McpServer } from "@modelcontextprotocol/server"
import { TrendResponseSchema } from "@restwell/client"
import { addDays, Forbidden, groupOfMetric, type InsightQuery, SCOPE_OF, SUMMARY_SCOPES } from "@restwell/core"
import { z } from "zod"
import type { HealthSource } from "./health-source.ts"
import { leanOutput } from "./lean-schema.ts"
import { plainWords } from "./shared-answer.ts"
import { todayAnswer } from "./today-answer.ts"
import { TodaySchema } from "./today-schemas.ts"
import { READ_ONLY, type ToolOptions } from "./tool-options.ts"
import { type Answered, toolResult } from "./tool-result.ts"
import { OUTPUTS } from "./tool-schemas.ts"
import { withChartView } from "./views/chart-view.ts"
import { nightChart } from "./views/charts.ts"

/** What a morning is told by. */
const FIGURES = [
  "recovery_score",
  "hrv",
  "resting_heart_rate",
  "respiratory_rate",
  "skin_temp_deviation",
  "asleep",
  "sleep_performance",
  "bedtime",
]
/** Dates in which the newest value of a figure is looked for. */
const NEWEST_DATES = 14
/** The 30 values of a usual range lie in so many dates, unless most are missing. */
const USUAL_DATES = 120

/** Last night and today in one call. */
export function registerToday(server: McpServer, options: ToolOptions): void {
  server.registerTool(
    "get_today",
    {
      title: "Today",
      description: "Last night and this morning beside the usual range, strain so far, and what is pending since when.",
      outputSchema: leanOutput(TodaySchema),
      annotations: READ_ONLY,
      _meta: withChartView(options.view),
      scopeChallenge: options.challenge(SUMMARY_SCOPES),
    },
    () => toolResult(() => readToday(options.source), options),
  )
}

async function readToday(source: HealthSource): Promise<Answered> {
  const types = (["sleep", "recovery", "cycle"] as const).filter((type) => isShared(source, type))
  if (types.length === 0)
    throw new Forbidden(`the person shares nothing of today with this assistant, see ${source.baseUrl}/connections`)
  const today = await source.today()
  const metrics = FIGURES.filter((metric) => isShared(source, groupOfMetric(metric)))
  const bodies = await source.read(
    "get_today",
    [...types.map((type) => ({ type, days: 1 })), ...metrics.map(trendOf(source))],
    {
      since: addDays(today, 1 - USUAL_DATES),
    },
  )
  const lists = new Map(types.map((type, index) => [type, plainWords(bodies[index])]))
  const facts = {
    today,
    records: {
      ...(lists.has("sleep") && { sleep: OUTPUTS.sleep.parse(lists.get("sleep")) }),
      ...(lists.has("recovery") && { recovery: OUTPUTS.recovery.parse(lists.get("recovery")) }),
      ...(lists.has("cycle") && { cycle: OUTPUTS.cycle.parse(lists.get("cycle")) }),
    },
    trends: plainWords(z.array(TrendResponseSchema).parse(bodies.slice(types.length))),
  }
  const sleep = facts.records.sleep?.records.find((record) => record.date === today && !record.is_nap)
  const course = sleep ? await source.lastCourse() : null
  return { ...todayAnswer(facts), chart: nightChart(source.baseUrl, { date: today, sleep, course }) }
}

const isShared = ({ sharing }: HealthSource, type: keyof typeof SCOPE_OF | null): boolean =>
  type !== null && sharing.scopes.includes(SCOPE_OF[type])

const trendOf =
  ({ sharing }: HealthSource) =>
  (metric: string): InsightQuery => ({
    type: "trend",
    metric,
    days: Math.min(NEWEST_DATES, sharing.days ?? NEWEST_DATES),
    top: 1,
  })
