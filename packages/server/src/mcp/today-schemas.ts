import { SourcesSchema, TrendResponseSchema } from "@restwell/client"
import { z } from "zod"
import { OUTPUTS, PendingSchema } from "./tool-schemas.ts"

const FigureSchema = TrendResponseSchema.shape.highest.element.shape.value

export const TodayFigureSchema = z.object({
  metric: z.string(),
  unit: z.string().nullable(),
  value: FigureSchema,
  /** Only where it is not the date of the other figures. */
  date: z.string().optional(),
  usual_low: FigureSchema.nullable(),
  usual_high: FigureSchema.nullable(),
  /** Null without a usual range. */
  position: z.enum(["below", "inside", "above"]).nullable(),
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
  .extend({ stages: OUTPUTS.sleep.shape.records.element.shape.stages })

/** Last night and today. Figures are the newest ones: of `figures_date`, which is not today while the morning is pending. */
export const TodaySchema = z.object({
  date: z.string(),
  pending: PendingSchema.nullable(),
  night: NightSchema.nullable(),
  figures_date: z.string().nullable(),
  figures: z.array(TodayFigureSchema),
  strain_so_far: z.object({ strain: z.number().nullable(), calories: z.number().nullable() }).nullable(),
  sources: SourcesSchema,
})

export type TodayOutput = z.infer<typeof TodaySchema>
export type TodayFigure = z.infer<typeof TodayFigureSchema>
