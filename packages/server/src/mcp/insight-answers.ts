import {
  AnswerRelationResponseSchema,
  CompareQuerySchema,
  type CompareResponse,
  CompareResponseSchema,
  type DisplayPreferences,
  GROUPINGS,
  INSIGHT_DAYS,
  LAG_TEXT,
  METRIC_IDS,
  NumberRelationResponseSchema,
  PROVIDERS,
  RelateQuerySchema,
  RelationsResponseSchema,
  TOP,
  TrendQuerySchema,
  type TrendResponse,
  TrendResponseSchema,
} from "@restwell/client"
import { addDays } from "@restwell/client/calendar-dates"
import { isClear } from "@restwell/client/figures"
import { countDates } from "@restwell/core/connector"
import { z } from "zod"
import { compareText, type RelateOutput, relateText, trendText } from "./insight-text.ts"
import type { Answered } from "./tool-protocol.ts"
import type { ToolSource } from "./tool-source.ts"

/** The range of a question about the statistics. */
export const INSIGHT_RANGE = {
  days: z.int().min(INSIGHT_DAYS.min).max(INSIGHT_DAYS.max).optional(),
  start_date: TrendQuerySchema.shape.start_date.describe(""),
  end_date: TrendQuerySchema.shape.end_date.describe(""),
  source: z.string().pipe(z.enum(PROVIDERS)).optional().describe("One device"),
}

/** A number is accepted, too: assistants send 7.5 as often as "7.5". */
const limit = z.coerce.string().pipe(TrendQuerySchema.shape.above.unwrap()).optional()

/** The zones are named as a span: assistants keep the list of tools in every conversation. */
const METRIC_NAMES = METRIC_IDS.join(", ").replace(/(zone_1_hours), .+, (zone_5_hours)/, "$1 to $2")

/** The queries of REST, with numbers and truth values of their own type. */
export const INSIGHT_INPUTS = {
  trend: z.strictObject({
    metric: TrendQuerySchema.shape.metric.describe(`${METRIC_NAMES} or journal:<factor>`),
    ...INSIGHT_RANGE,
    by: z.enum(GROUPINGS).optional(),
    points: z.boolean().optional().describe("List every value"),
    top: z.int().min(TOP.min).max(TOP.max).optional(),
    above: limit.describe("Count and list dates above: 7.5, or 23:30. In m, kg, C"),
    below: limit.describe(""),
    sport: TrendQuerySchema.shape.sport.describe("Of workout metrics"),
  }),
  compare: z.strictObject({
    metric: CompareQuerySchema.shape.metric.describe(""),
    ...INSIGHT_RANGE,
    with_start_date: CompareQuerySchema.shape.with_start_date.describe("Default: as many dates before"),
    with_end_date: CompareQuerySchema.shape.with_end_date.describe(""),
    with_source: z
      .string()
      .pipe(CompareQuerySchema.shape.with_source.unwrap())
      .optional()
      .describe("Compare source with it on dates of both"),
  }),
  relate: z.strictObject({
    outcome: z.string().pipe(RelateQuerySchema.shape.outcome).describe("A metric"),
    factor: RelateQuerySchema.shape.factor.describe("Metric, journal:<factor> or workout:<sport>. Left out: all"),
    lag: z
      .int()
      .pipe(z.union([z.literal(0), z.literal(1)], { error: "must be 0 or 1" }))
      .optional()
      .describe(LAG_TEXT),
    ...INSIGHT_RANGE,
  }),
} as const

/** The tools' results: the REST responses with the same keys. A list of relations may leave out unclear ones. */
export const INSIGHT_OUTPUTS = {
  relate: z.union([
    NumberRelationResponseSchema,
    AnswerRelationResponseSchema,
    RelationsResponseSchema.extend({ left_out: z.int().optional(), clear_left_out: z.int().optional() }),
  ]),
} as const

/** What the list of tools says about the results. Assistants keep it in every conversation, and find the rest in an answer. */
export const LISTED_OUTPUTS = {
  trend: z.looseObject(
    TrendResponseSchema.pick({ unit: true, n: true, mean: true, usual: true, verdict: true, points: true, notes: true })
      .shape,
  ),
  compare: z.looseObject(
    CompareResponseSchema.pick({
      unit: true,
      period: true,
      with: true,
      difference: true,
      interval: true,
      verdict: true,
    }).shape,
  ),
  relate: z.looseObject({
    ...NumberRelationResponseSchema.pick({ n: true, interval: true }).partial().shape,
    ...RelationsResponseSchema.pick({ relations: true }).partial().shape,
    verdict: z.string().optional(),
  }),
} as const

interface AskedDates {
  readonly days?: number | undefined
  readonly start_date?: string | undefined
  readonly end_date?: string | undefined
}

/** All shared dates for a question that does not say when its dates begin, where they are fewer than its default. */
export async function sharedDates(
  source: Pick<ToolSource, "sharing" | "today">,
  { days, start_date: start, end_date: end }: AskedDates,
  byDefault: number,
): Promise<{ readonly days?: number }> {
  const { sharing } = source
  if (sharing.days === null || days !== undefined || start !== undefined) return {}
  const shared =
    end === undefined ? sharing.days : countDates({ from: addDays(await source.today(), 1 - sharing.days), to: end })
  // Without a shared date up to the end, the question is refused.
  return shared > 0 && shared < byDefault ? { days: shared } : {}
}

/** An answer about all factors lists the clear relations, the surest first, and of the others the first ones up to this number. */
const REPORTED_RELATIONS = 6
/** More would not be read. */
const MOST_RELATIONS = 7
/** Of parts of the outcome, which go with it by definition. */
const MOST_PARTS = 2

interface TrendOptions {
  /** Whether the assistant asked for every value. */
  readonly wantsPoints: boolean
  readonly sport: string | undefined
  readonly preferences: DisplayPreferences
}

/** @param whole with every value */
export function trendAnswer(whole: TrendResponse, { wantsPoints, sport, preferences }: TrendOptions): Answered {
  const { above, below } = whole
  const lean = { ...whole, above: withFewDates(above), below: withFewDates(below) }
  const answer = wantsPoints ? lean : { ...lean, points: null }
  return { text: trendText(answer, preferences, sport), structured: answer }
}

/** Of a year they would be most of the answer. Their number has all of them. */
const MOST_DATES_BEYOND = 30

const withFewDates = (beyond: TrendResponse["above"]): TrendResponse["above"] =>
  beyond && { ...beyond, dates: beyond.dates.slice(0, MOST_DATES_BEYOND) }

/** @param pair the sources that are compared. Left out for two periods */
export function compareAnswer(
  answer: CompareResponse,
  preferences: DisplayPreferences,
  pair?: readonly [string, string],
): Answered {
  return { text: compareText(answer, preferences, pair), structured: answer }
}

export function relateAnswer(whole: RelateOutput, preferences: DisplayPreferences): Answered {
  const answer = "relations" in whole ? withFewRelations(whole) : whole
  return { text: relateText(answer, preferences), structured: answer }
}

type AnsweredRelations = Extract<RelateOutput, { tried: number }>

function withFewRelations(answer: AnsweredRelations): AnsweredRelations {
  const own = answer.relations.filter((each) => !each.part_of_outcome)
  const [clear, unclear] = [own.filter(hasClearVerdict), own.filter((each) => !hasClearVerdict(each))]
  const first = [...clear, ...unclear].slice(0, Math.min(Math.max(clear.length, REPORTED_RELATIONS), MOST_RELATIONS))
  const parts = answer.relations.filter((each) => each.part_of_outcome && hasClearVerdict(each))
  const reported = new Set([...first, ...parts.slice(0, MOST_PARTS)])
  const leftOut = answer.relations.filter((each) => !reported.has(each))
  const clearLeftOut = leftOut.filter(hasClearVerdict).length
  return {
    ...answer,
    relations: answer.relations.filter((each) => reported.has(each)),
    ...(leftOut.length > 0 && { left_out: leftOut.length }),
    ...(clearLeftOut > 0 && { clear_left_out: clearLeftOut }),
  }
}

const hasClearVerdict = ({ verdict }: AnsweredRelations["relations"][number]): boolean => isClear(verdict)
