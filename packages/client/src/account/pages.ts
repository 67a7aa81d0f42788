/** GET /api/account/pages/...: everything that a page of statistics shows, in one answer. Its parts are those of the endpoints for each. */
import { z } from "zod"
import { CompareResponseSchema, TrendResponseSchema } from "../rest/insights.ts"
import { MetricSchema } from "../rest/metric.ts"
import { RelateResponseSchema } from "../rest/relate.ts"
import { JournalDaySchema, TrendDaySchema, TrendsResponseSchema } from "../rest/trends.ts"

/** The dates of a page, and each of them as its sources answer, without the phases of nights. */
const DaysSchema = TrendsResponseSchema.omit({ missing: true }).extend({
  own_days: z.array(z.object({ source: z.string(), days: z.array(TrendDaySchema) })).meta({
    description:
      "With several sources: the same dates as each source has them that a figure is of, as if there were no other",
  }),
})

const journal = z.array(JournalDaySchema).meta({ description: "The journal of the dates, as the charts mark it" })

/** A figure of a page. What is measured now and then, as weight, has the points of its trend. */
export const PeriodFigureSchema = z
  .object({
    metric: MetricSchema,
    trend: TrendResponseSchema,
    comparison: CompareResponseSchema.nullable().meta({
      description: "With as many dates before. Null for all dates, and where the dates before may not be read",
    }),
  })
  .meta({ id: "PeriodFigure" })

/** The pages Trends and Report. */
export const PeriodPageSchema = DaysSchema.extend({
  journal,
  figures: z.array(PeriodFigureSchema).meta({ description: "Metrics that have values of any dates" }),
  strain_by_recovery: RelateResponseSchema.nullable().meta({
    description: "How strain goes with recovery; null without both",
  }),
}).meta({ id: "PeriodPage" })

/** A figure of the week beside the seven dates before, and beside the 30 dates before, which are its usual ones. */
const WeekFigureSchema = z.object({
  metric: MetricSchema,
  before: CompareResponseSchema,
  usual: CompareResponseSchema,
})

/** The page Week: seven dates. */
export const WeekPageSchema = DaysSchema.extend({ journal, figures: z.array(WeekFigureSchema) }).meta({
  id: "WeekPage",
})

/** The page of one metric. */
export const MetricPageSchema = z
  .object({
    metrics: z.array(MetricSchema).meta({ description: "The catalogue, as on /api/v1/metrics" }),
    figure: z
      .object({
        trend: TrendResponseSchema,
        comparison: CompareResponseSchema.nullable().meta({
          description: "With as many dates before; null for all dates",
        }),
      })
      .nullable()
      .meta({
        description: "The trend with its points and weekdays. Null for a metric that is unknown or has no values",
      }),
  })
  .meta({ id: "MetricPage" })

/** The page Insights. */
export const InsightsPageSchema = z
  .object({
    metrics: z.array(MetricSchema).meta({ description: "The catalogue, as on /api/v1/metrics" }),
    outcome: z.string().nullable().meta({ description: "The metric that is asked about; null without any value" }),
    relations: z.array(RelateResponseSchema).meta({
      description: "With a factor its relation, and without one a list for each lag",
    }),
    trend: TrendResponseSchema.nullable().meta({ description: "The outcome over the same dates" }),
  })
  .meta({ id: "InsightsPage" })

export type PeriodFigure = z.infer<typeof PeriodFigureSchema>
export type PeriodPage = z.infer<typeof PeriodPageSchema>
export type WeekPage = z.infer<typeof WeekPageSchema>
export type MetricPage = z.infer<typeof MetricPageSchema>
export type InsightsPage = z.infer<typeof InsightsPageSchema>
