import { z } from "zod"
import {
  amount,
  count,
  DatesSchema,
  DIFFERENCE_VERDICTS,
  FigureSchema,
  figure,
  IntervalSchema,
  sourced,
} from "./insights.ts"
import { METRIC_KINDS } from "./metric.ts"
import { LAG_TEXT } from "./query.ts"

export const RELATION_VERDICTS = ["positive", "negative", "no_clear_relation", "not_enough_data"] as const
export type RelationVerdict = (typeof RELATION_VERDICTS)[number]

const relationVerdict = z.enum(RELATION_VERDICTS).meta({
  description:
    "positive: higher values of the factor go with higher values of the outcome. negative: with lower ones. not_enough_data: under 20 pairs",
})
const answerVerdict = z.enum(DIFFERENCE_VERDICTS).meta({
  description:
    "higher or lower: the outcome on dates answered with yes. not_enough_data: under 8 dates with one of the answers",
})
const rho = z.number().nullable().meta({
  description: "Spearman's rank correlation, -1 to 1; null for a side without differences",
  example: -0.31,
})
const difference = amount(
  "Mean outcome of yes minus no, without the drift of weeks and the pattern of the week; null where the answers do not differ",
  -4.2,
)
const spread = amount("The standard deviation of the outcome", 8.3)
const pairs = count("Dates with both", 164)
const partOfOutcome = z.boolean().meta({
  description: "Whether one of the two is computed from the other, so that they go together by definition",
  example: false,
})

const question = {
  outcome: z.string().meta({ description: "The id of the outcome", example: "hrv" }),
  factor: z.string().meta({ description: "The id of the factor", example: "strain" }),
  lag: z.union([z.literal(0), z.literal(1)]).meta({ description: LAG_TEXT, example: 0 }),
  period: DatesSchema.meta({ description: "The dates of the outcome" }),
}

/** How a number or a clock time goes with the outcome. */
export const NumberRelationResponseSchema = z
  .object({
    ...question,
    n: pairs,
    rho,
    interval: IntervalSchema,
    verdict: relationVerdict,
    groups: z
      .array(
        z.object({
          from: FigureSchema.meta({ description: "Lowest value of the factor" }),
          to: FigureSchema.meta({ description: "Highest value of the factor" }),
          n: count("Dates", 55),
          mean: FigureSchema.meta({ description: "Mean outcome" }),
          sd: spread,
        }),
      )
      .meta({ description: "Thirds of the dates, from low to high values of the factor" }),
    part_of_outcome: partOfOutcome,
    ...sourced,
  })
  .meta({ id: "NumberRelationResponse" })

const answered = z.object({ n: count("Dates", 41), mean: figure("Mean outcome"), sd: spread })

/** How a yes or no of the journal goes with the outcome. */
export const AnswerRelationResponseSchema = z
  .object({
    ...question,
    n: pairs,
    unanswered: count("Dates with an outcome and without an answer: they are not a no", 12),
    yes: answered,
    no: answered,
    difference,
    interval: IntervalSchema,
    verdict: answerVerdict,
    lag_0: z
      .object({
        yes_n: count("Dates answered with yes", 41),
        no_n: count("Dates answered with no", 120),
        difference,
        interval: IntervalSchema,
        verdict: answerVerdict,
      })
      .optional()
      .meta({
        description:
          "With a factor of the journal and `lag=1` only: the same with lag 0. An answer is dated by the waking after it, so that lag 0 is the " +
          "morning after and lag 1 one morning later",
      }),
    part_of_outcome: partOfOutcome,
    ...sourced,
  })
  .meta({ id: "AnswerRelationResponse" })

/** One of many factors: `rho` for a number or a clock time, `difference` for yes or no. */
export const FoundRelationSchema = z
  .object({
    factor: question.factor,
    kind: z.enum(METRIC_KINDS),
    n: pairs,
    yes_n: count("For yes or no: dates of these that were answered with yes", 41).optional(),
    rho: rho.optional(),
    difference: difference.optional(),
    interval: IntervalSchema,
    verdict: z.enum([...RELATION_VERDICTS, "higher", "lower", "no_clear_difference"]),
    part_of_outcome: partOfOutcome,
  })
  .meta({ id: "FoundRelation" })

/** How each of all factors goes with the outcome. */
export const RelationsResponseSchema = z
  .object({
    outcome: question.outcome,
    lag: question.lag,
    period: question.period,
    tried: count("Factors with enough data for a test, without parts of the outcome", 24),
    false_discovery_rate: z.number().meta({
      description: "Expected part of false ones among the relations that are called clear",
      example: 0.1,
    }),
    relations: z.array(FoundRelationSchema).meta({
      description:
        "First what the person does (the journal, workouts, strain, calories, steps, bedtime, wake time, naps), then other figures, then parts " +
        "of the outcome. In each, clear ones first and the surest before the others",
    }),
    ...sourced,
  })
  .meta({ id: "RelationsResponse" })

/** The body of `GET /api/v1/relate`: by the kind of the factor, or without a factor the list. */
export const RelateResponseSchema = z
  .union([NumberRelationResponseSchema, AnswerRelationResponseSchema, RelationsResponseSchema])
  .meta({ id: "RelateResponse", description: "By the kind of the factor; without a factor, the list of all" })

export type NumberRelationResponse = z.infer<typeof NumberRelationResponseSchema>
export type AnswerRelationResponse = z.infer<typeof AnswerRelationResponseSchema>
export type FoundRelation = z.infer<typeof FoundRelationSchema>
export type RelationsResponse = z.infer<typeof RelationsResponseSchema>
export type RelateResponse = z.infer<typeof RelateResponseSchema>
