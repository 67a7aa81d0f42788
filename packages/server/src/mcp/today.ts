import {
  type DisplayPreferences,
  type Figure,
  newestNightOf,
  SignSchema,
  type SignsResponse,
  SignsResponseSchema,
  type Source,
  SourcesSchema,
  type TrendResponse,
  TrendResponseSchema,
} from "@restwell/client"
import { answerText, answerWriter, besideUsual, metricNamed, ofSource, positionWord } from "@restwell/client/figures"
import { addDays, Forbidden, groupOfMetric, type InsightQuery, SCOPE_OF, SUMMARY_SCOPES } from "@restwell/core"
import { z } from "zod"
import { commas, knownFigures, lines, pendingLine, sourceLine, words } from "./answer-text.ts"
import { nightChart } from "./charts.ts"
import type { DayRecords } from "./days-of-record.ts"
import { defineTool, NO_ARGUMENTS } from "./define-tool.ts"
import { onClock } from "./on-clock.ts"
import { signText } from "./sports-and-signs.ts"
import type { Answered } from "./tool-protocol.ts"
import { OUTPUTS, PendingSchema, plainWords, type SleepOutput } from "./tool-schemas.ts"
import type { ToolSource } from "./tool-source.ts"

const FigureSchema = TrendResponseSchema.shape.highest.element.shape.value

const TodayFigureSchema = z.object({
  metric: z.string(),
  unit: z.string().nullable(),
  value: FigureSchema,
  source: z.string(),
  /** Only where it is not the date of the other figures. */
  date: z.string().optional(),
  usual_low: FigureSchema.nullable(),
  usual_high: FigureSchema.nullable(),
  /** Null without a usual range. */
  position: z.enum(["below", "within", "above"]).nullable(),
})

const NightSchema = OUTPUTS.sleep.shape.records.element
  .pick({
    start_local: true,
    end_local: true,
    asleep_hours: true,
    duration_hours: true,
    need_hours: true,
    score_state: true,
  })
  .extend({ date: z.string(), stages: OUTPUTS.sleep.shape.records.element.shape.stages })

/**
 * Last night and today. Before waking, and while a morning is pending, the night is the newest one and the figures are the newest ones: of
 * `night.date` and `figures_date`, which are not today then.
 */
const TodaySchema = z.object({
  date: z.string(),
  local_time: z.string(),
  pending: PendingSchema.extend({ reason: z.string() }).nullable(),
  night: NightSchema.nullable(),
  figures_date: z.string().nullable(),
  figures: z.array(TodayFigureSchema),
  /** Of `figures_date`: figures that are far from usual. */
  signs: z.array(SignSchema),
  strain_so_far: z.object({ strain: z.number().nullable(), calories: z.number().nullable() }).nullable(),
  sources: SourcesSchema,
})

type TodayOutput = z.infer<typeof TodaySchema>
type TodayFigure = z.infer<typeof TodayFigureSchema>

interface TodayFacts {
  readonly now: { readonly date: string; readonly time: string }
  /** Of the last days; a type that is not shared is absent. */
  readonly records: Pick<DayRecords, "sleep" | "recovery" | "cycle">
  readonly signs: SignsResponse["records"]
  /** The newest value of each figure with its usual range. */
  readonly trends: readonly TrendResponse[]
}

/** Last night and this morning relative to the usual range, and what is pending. */
function todayAnswer(facts: TodayFacts, preferences: DisplayPreferences): Answered {
  const answer = todayOutput(facts)
  return { text: todayText(answer, preferences), structured: answer }
}

function todayOutput({ now, records: { sleep, recovery, cycle }, signs, trends }: TodayFacts): TodayOutput {
  const today = now.date
  const newestNight = newestNightOf(sleep?.records ?? [])
  const night = newestNight?.date === today ? newestNight : undefined
  const morning = recovery?.records.find((record) => record.date === today)
  const states = [...(sleep ? [night?.score_state] : []), ...(recovery ? [morning?.score_state] : [])]
  const isPending = states.some((state) => state === undefined || state === "pending")
  const newest =
    trends
      .flatMap(({ latest }) => latest?.date ?? [])
      .toSorted()
      .at(-1) ?? null
  const strain = cycle?.records.find((record) => record.date === today)
  return {
    date: today,
    local_time: now.time,
    pending: isPending
      ? { date: today, since: night?.end_local ?? null, newest_scored_date: newest, reason: reasonOf(now.time, night) }
      : null,
    night: newestNight ? nightOf(newestNight) : null,
    figures_date: newest,
    figures: trends.flatMap((trend) => figureOf(trend, newest) ?? []),
    signs: signs.find(({ date }) => date === newest)?.figures ?? [],
    strain_so_far: strain ? { strain: strain.strain, calories: strain.calories } : null,
    sources: [...(trends[0]?.sources ?? sourcesOf(sleep, recovery, cycle))],
  }
}

type NightRecord = SleepOutput["records"][number]

const nightOf = (night: NightRecord): TodayOutput["night"] => ({
  date: night.date,
  start_local: night.start_local,
  end_local: night.end_local,
  asleep_hours: night.asleep_hours,
  need_hours: night.need_hours,
  duration_hours: night.duration_hours,
  score_state: night.score_state,
  stages: night.stages,
})

/** A morning has begun by then for most people. */
const MORNING = "11:00"

/** Why the figures of today are not there yet. */
function reasonOf(time: string, night: NightRecord | undefined): string {
  if (night)
    return "the night is there and its scores are not: the vendor computes them within 15 to 30 minutes after waking"
  const there = `it is ${time} where the person is`
  return time < MORNING
    ? `${there}: the night has not ended, or its data has not arrived, which takes 15 to 30 minutes after waking`
    : `${there}, and the vendor has sent nothing of the night yet: the device was not worn, or it has not synced`
}

const sourcesOf = (...answers: readonly ({ readonly sources: readonly Source[] } | undefined)[]): readonly Source[] =>
  answers.find((answer) => answer !== undefined)?.sources ?? []

function figureOf(
  { metric, unit, source, latest, usual }: TrendResponse,
  newest: string | null,
): TodayFigure | undefined {
  if (!latest) return undefined
  const { date, value } = latest
  return {
    metric,
    unit,
    value,
    source: source.provider,
    ...(date !== newest && { date }),
    usual_low: usual?.low ?? null,
    usual_high: usual?.high ?? null,
    position: usual && besideUsual(value, usual),
  }
}

function todayText(answer: TodayOutput, preferences: DisplayPreferences) {
  const { date, local_time: time, pending, night, signs, sources, ...today } = onClock(answer, preferences.clock)
  const { figures_date: newest, strain_so_far: strain } = today
  return lines(
    `Today is ${date}, ${time} where the person is`,
    pendingLine(pending ?? undefined),
    pending && `Reason: ${pending.reason.replace(answer.local_time, time)}`,
    night &&
      commas(
        `${night.date === date ? "Last night" : `Newest night, of ${night.date},`} ${night.start_local} to ${night.end_local} local time`,
        night.asleep_hours !== null && `${night.asleep_hours} h asleep`,
        `${night.duration_hours} h in bed`,
        night.need_hours !== null && `${night.need_hours} h needed`,
        night.score_state !== "scored" && night.score_state,
        knownFigures({
          "light h": night.stages.light_hours,
          "deep h": night.stages.deep_hours,
          "REM h": night.stages.rem_hours,
          "awake h": night.stages.awake_hours,
        }),
      ),
    newest !== null && `Figures of ${newest}, and their usual range:`,
    ...answer.figures.map((figure) => figureText(figure, preferences)),
    signs.length > 0 && `Far from usual: ${signs.map((sign) => signText(sign, preferences)).join("; ")}`,
    strain &&
      commas(`Strain so far today ${text(strain.strain)}`, strain.calories !== null && `${strain.calories} kcal`),
    sourceLine(sources),
  )
}

const text = (value: Figure | null): string => (value === null ? "unknown" : String(value))

function figureText(
  { metric: id, value, source, date, usual_low: low, usual_high: high, position }: TodayFigure,
  preferences: DisplayPreferences,
): string {
  const metric = ofSource(metricNamed(id), source)
  const { figure } = answerWriter(metric, preferences)
  const isTime = metric.kind === "clock"
  const range =
    low === null || high === null || position === null
      ? "no usual range yet"
      : `usual ${figure(low)} to ${figure(high)}, ${positionWord(metric, position)}${isTime && position !== "within" ? "" : " it"}`
  return words(`${id} ${answerText(metric, value, preferences)}`, date !== undefined && `on ${date}`, `(${range})`)
}

/** The figures that describe a morning. */
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
/** The 30 values of a usual range lie within this number of dates, unless most are missing. */
const USUAL_DATES = 120

/** Last night and today in one call. */
export const todayTool = defineTool({
  name: "get_today",
  title: "Today",
  description:
    "Last night and this morning beside the usual range, what is far from it, strain so far, and what is pending and why.",
  input: NO_ARGUMENTS,
  output: TodaySchema,
  needs: SUMMARY_SCOPES,
  hasChart: true,
  answer: readToday,
})

async function readToday(source: ToolSource): Promise<Answered> {
  const types = (["sleep", "recovery", "cycle"] as const).filter((type) => isShared(source, type))
  if (types.length === 0)
    throw new Forbidden(`the person shares nothing of today with this assistant, see ${source.baseUrl}/connections`)
  const now = await source.now()
  const days = Math.min(NEWEST_DATES, source.sharing.days ?? NEWEST_DATES)
  const metrics = FIGURES.filter((metric) => isShared(source, groupOfMetric(metric)))
  const hasSigns = isShared(source, "sleep") || isShared(source, "recovery")
  const bodies = await source.read(
    "get_today",
    [
      ...types.map((type) => ({ type, days: type === "sleep" ? days : 1 })),
      ...(hasSigns ? [{ type: "signs" as const, days }] : []),
      ...metrics.map((metric): InsightQuery => ({ type: "trend", metric, days, top: 1 })),
    ],
    { since: addDays(now.date, 1 - USUAL_DATES) },
  )
  const signs = hasSigns ? SignsResponseSchema.parse(bodies[types.length]).records : []
  const lists = new Map(types.map((type, index) => [type, plainWords(bodies[index])]))
  const facts = {
    now,
    signs: plainWords(signs),
    records: {
      ...(lists.has("sleep") && { sleep: OUTPUTS.sleep.parse(lists.get("sleep")) }),
      ...(lists.has("recovery") && { recovery: OUTPUTS.recovery.parse(lists.get("recovery")) }),
      ...(lists.has("cycle") && { cycle: OUTPUTS.cycle.parse(lists.get("cycle")) }),
    },
    trends: plainWords(z.array(TrendResponseSchema).parse(bodies.slice(types.length + (hasSigns ? 1 : 0)))),
  }
  const newest = newestNightOf(facts.records.sleep?.records ?? [])
  const sleep = newest?.date === now.date ? newest : undefined
  const course = sleep ? await source.lastCourse() : null
  return { ...todayAnswer(facts, source.preferences), chart: nightChart(source, { date: now.date, sleep, course }) }
}

const isShared = ({ sharing }: ToolSource, type: keyof typeof SCOPE_OF | null): boolean =>
  type !== null && sharing.scopes.includes(SCOPE_OF[type])
