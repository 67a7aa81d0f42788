import {
  type DayFigure,
  type DayResponse,
  DayResponseSchema,
  type DisplayPreferences,
  newestNightOf,
  SignSchema,
  SourcesSchema,
  type TrendDay,
  TrendResponseSchema,
} from "@restwell/client"
import {
  answerText,
  answerWriter,
  asleepWords,
  bestText,
  capitalized,
  differentFromUsual,
  isSignMetric,
  metricNamed,
  nameOf,
  ofSource,
  positionWord,
  signText,
  whatEnded,
} from "@restwell/client/figures"
import { Forbidden, SCOPE_OF, SUMMARY_SCOPES } from "@restwell/core/connector"
import { z } from "zod"
import { commas, knownFigures, lines, pendingLine, sourceLine, words } from "./answer-text.ts"
import { nightChart } from "./charts.ts"
import { defineTool, NO_ARGUMENTS } from "./define-tool.ts"
import { leanMissing } from "./lean-records.ts"
import { notSharedNote, notSharedText } from "./not-shared.ts"
import { onClock } from "./on-clock.ts"
import type { Answered } from "./tool-protocol.ts"
import { OUTPUTS, PendingSchema, plainWords } from "./tool-schemas.ts"
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
  /** Only where no source delivers it any more: the newest date of it, null where it is not shared, and why. */
  ended: z
    .object({ what: z.enum(["data", "nights", "recoveries"]), date: z.string().nullable(), reason: z.string() })
    .optional(),
  night: NightSchema.nullable(),
  figures_date: z.string().nullable(),
  figures: z.array(TodayFigureSchema),
  /** Of `figures_date`: figures that are far from usual. */
  signs: z.array(SignSchema),
  /** Of the date: what the vendor says its scores are made of, by the score. Absent where it gives no parts. */
  score_parts: z.record(z.string(), z.record(z.string(), z.number())).optional(),
  /** The personal best of today, in a sentence. */
  best: z.string().optional(),
  strain_so_far: z
    .object({ strain: z.number().nullable(), calories: z.number().nullable(), steps: z.number().nullable() })
    .nullable(),
  /** What the sources lack of the date, and why. */
  missing: z.array(z.string()).optional(),
  sources: SourcesSchema,
  /** What the answer lacks because the person does not share it. */
  not_shared: z.string().optional(),
})

type TodayOutput = z.infer<typeof TodaySchema>
type TodayFigure = z.infer<typeof TodayFigureSchema>

interface TodayFacts {
  readonly now: { readonly date: string; readonly time: string }
  readonly day: DayResponse
}

function todayOutput({ now, day }: TodayFacts): TodayOutput {
  const { date, rows, awaited, figures, figures_date: newest } = day
  const today = rows.find((row) => row.date === date)
  const night = today?.sleep ?? undefined
  const newestScored = rows.findLast((row) => awaited.every((kind) => row[kind]?.score_state === "scored"))
  const newestRow = rows.findLast(({ sleep }) => sleep !== null)
  const strain = today?.strain
  return {
    date,
    local_time: now.time,
    pending:
      awaited.length > 0
        ? {
            date,
            since: night?.end_local ?? null,
            newest_scored_date: newestScored?.date ?? null,
            reason: reasonOf(now.time, night),
          }
        : null,
    ...endOf(day),
    night: newestRow?.sleep ? nightOf(newestRow.date, newestRow.sleep) : null,
    figures_date: newest,
    figures: figures.flatMap((figure) => figureOf(figure, newest) ?? []),
    signs: day.signs,
    ...scoreParts(day),
    ...(day.best !== null && { best: bestText(day.best, (date) => date) }),
    strain_so_far: strain ? { strain: strain.strain, calories: strain.calories, steps: strain.steps } : null,
    ...leanMissing(plainWords(missingOf(day))),
    sources: day.sources,
  }
}

const missingOf = ({ date, sleep, recovery, cycle }: DayResponse) =>
  [sleep, recovery, cycle].flatMap((list) => list?.missing ?? []).filter((one) => one.date === date)

function endOf({ ended }: DayResponse): Pick<TodayOutput, "ended"> {
  if (ended === null) return {}
  const { date, reconnect } = ended
  const reason =
    reconnect.length > 0
      ? `the person has to connect ${reconnect.join(" and ")} again`
      : "they come from archives alone, and newer ones come only with another archive or a connection"
  return { ended: { what: whatEnded(ended), date, reason } }
}

/** Points from 0 to 100 and percentages. What a need is made of is no part of a score that could be low. */
function scoreParts({ recovery, sleep, cycle }: DayResponse): Pick<TodayOutput, "score_parts"> {
  const scored = {
    recovery: recovery?.records[0],
    sleep: newestNightOf(sleep?.records ?? []),
    activity: cycle?.records[0],
  }
  const parts = Object.entries(scored).flatMap(([name, record]) => {
    const own = (record?.contributors ?? []).filter(({ unit }) => unit !== "h")
    const lowestFirst = own.toSorted((one, other) => one.value - other.value)
    return own.length > 0
      ? [[name, Object.fromEntries(lowestFirst.map((part) => [plainWords(part.name), part.value]))] as const]
      : []
  })
  return parts.length > 0 ? { score_parts: Object.fromEntries(parts) } : {}
}

type Night = NonNullable<TrendDay["sleep"]>

const nightOf = (date: string, night: Night): TodayOutput["night"] => ({
  date,
  start_local: night.start_local,
  end_local: night.end_local,
  asleep_hours: night.asleep_hours,
  need_hours: night.need_hours,
  duration_hours: night.duration_hours,
  score_state: night.score_state,
  stages: {
    light_hours: night.light_hours,
    deep_hours: night.deep_hours,
    rem_hours: night.rem_hours,
    awake_hours: night.awake_hours,
  },
})

/** A morning has begun by then for most people. */
const MORNING = "11:00"

/** Why the figures of today are not there yet. */
function reasonOf(time: string, night: Night | undefined): string {
  if (night)
    return "the night is there and its scores are not: the vendor computes them within 15 to 30 minutes after waking"
  const there = `it is ${time} where the person is`
  return time < MORNING
    ? `${there}: the night has not ended, or its data has not arrived, which takes 15 to 30 minutes after waking`
    : `${there}, and the vendor has sent nothing of the night yet: the device was not worn, or it has not synced`
}

/** The value of the date, or else the newest one before it. */
function figureOf(figure: DayFigure, newest: string | null): TodayFigure | undefined {
  const { metric, unit, source, latest } = figure
  const { value, usual, position } = figure.value === null && latest ? latest : figure
  if (value === null || source === null) return undefined
  const isOlder = figure.value === null && latest?.date !== newest
  return {
    metric,
    unit,
    value,
    source,
    ...(isOlder && latest && { date: latest.date }),
    usual_low: usual?.low ?? null,
    usual_high: usual?.high ?? null,
    position,
  }
}

function todayText(answer: TodayOutput, preferences: DisplayPreferences) {
  const { date, local_time: time, pending, night, signs, sources, ...today } = onClock(answer, preferences.clock)
  const { figures_date: newest, strain_so_far: strain } = today
  return lines(
    `Today is ${date}, ${time} where the person is`,
    pendingLine(pending ?? undefined),
    pending && `Reason: ${pending.reason.replace(answer.local_time, time)}`,
    today.ended && endText(today.ended),
    night &&
      commas(
        `${night.date === date ? "Last night" : `Newest night, of ${night.date},`} ${night.start_local} to ${night.end_local} local time`,
        night.asleep_hours !== null && `${night.asleep_hours} h ${asleepWords(night)}`,
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
    ...answer.figures.map((figure) => figureText(figure, preferences, sources.length > 1)),
    newest !== null && differentText(answer),
    signs.length > 0 && `Far from usual: ${signs.map((sign) => signText(sign, preferences)).join("; ")}`,
    ...Object.entries(answer.score_parts ?? {}).map(
      ([name, parts]) => `Parts of the ${name} score, 0 to 100, the lowest first: ${knownFigures(parts)}`,
    ),
    answer.best?.replace(/\.$/, ""),
    strain && soFarText(strain),
    answer.not_shared,
    answer.missing && `Missing: ${answer.missing.join("; ")}`,
    sourceLine(
      sources,
      answer.figures.map(({ source }) => source),
    ),
  )
}

const endText = ({ what, date, reason }: NonNullable<TodayOutput["ended"]>): string =>
  `The ${what} end ${date === null ? "before the dates that are shared" : `on ${date}`}: ${reason}`

/** The words and the rule of the page. */
function differentText({ figures, signs }: Pick<TodayOutput, "figures" | "signs">): string | false {
  const compared = figures.filter(
    ({ metric, date, position }) => date === undefined && position !== null && isSignMetric(metric),
  )
  const different = differentFromUsual(compared, signs)
  const names = (ids: readonly string[]) => ids.map((id) => nameOf(metricNamed(id))).join(", ")
  // Other figures may well be far from usual: a short night is no sign.
  if (different.length === 0)
    return compared.length > 0 && `No measurement is far from usual, of ${names(compared.map(({ metric }) => metric))}`
  return `Different from usual: ${names(different)}`
}

/** What the person's devices know of today: many have no strain, others no steps. */
function soFarText({ strain, calories, steps }: NonNullable<TodayOutput["strain_so_far"]>): string | false {
  const known = commas(
    strain !== null && `strain ${strain}`,
    steps !== null && `${steps} steps`,
    calories !== null && `${calories} kcal`,
  )
  return known !== "" && `So far today: ${known}`
}

function figureText(
  { metric: id, value, source, date, usual_low: low, usual_high: high, position }: TodayFigure,
  preferences: DisplayPreferences,
  namesSource: boolean,
): string {
  const metric = ofSource(metricNamed(id), source)
  const { figure } = answerWriter(metric, preferences)
  const isTime = metric.kind === "clock"
  const range =
    low === null || high === null || position === null
      ? "no usual range yet"
      : `usual ${figure(low)} to ${figure(high)}, ${positionWord(metric, position)}${isTime && position !== "within" ? "" : " it"}`
  return words(
    `${id} ${answerText(metric, value, preferences)}`,
    namesSource && `from ${source}`,
    date !== undefined && `on ${date}`,
    `(${range})`,
  )
}

/** Dates in which the newest night is looked for. */
const NEWEST_DATES = 14
/** The types of data that the answer has. */
const NEEDED = ["sleep", "recovery", "cycle"] as const

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

/** Undefined where it may still come. */
function whyNoNight(groups: readonly (typeof NEEDED)[number][], { date, sleep }: DayResponse, { ended }: TodayOutput) {
  if (!groups.includes("sleep")) return `${notSharedText(["sleep"])}.`
  const withheld = sleep?.missing.find((one) => one.date === date)
  if (withheld) return `${capitalized(plainWords(withheld.reason))}.`
  return ended && ended.what !== "recoveries" ? `${endText(ended)}.` : undefined
}

async function readToday(source: ToolSource): Promise<Answered> {
  const { sharing, baseUrl, preferences } = source
  const groups = NEEDED.filter((group) => sharing.scopes.includes(SCOPE_OF[group]))
  if (groups.length === 0)
    throw new Forbidden(`the person shares nothing of today with this assistant, see ${baseUrl}/access`)
  const now = await source.now()
  const rows = Math.min(NEWEST_DATES, sharing.days ?? NEWEST_DATES)
  const [body] = await source.read("get_today", [{ type: "day", date: now.date, rows }], { groups })
  const day = DayResponseSchema.parse(body)
  const notShared = notSharedNote(sharing, SUMMARY_SCOPES)
  const output = todayOutput({ now, day: { ...day, sources: plainWords(day.sources) } })
  const answer = notShared === undefined ? output : { ...output, not_shared: notShared }
  const sleep = day.rows.find((row) => row.date === now.date)?.sleep ?? null
  return {
    text: todayText(answer, preferences),
    structured: answer,
    chart: nightChart(source, { date: now.date, sleep, reason: whyNoNight(groups, day, output) }),
  }
}
