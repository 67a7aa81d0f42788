import { z } from "zod"
import { date } from "./fields.ts"
import { HrvMethodSchema, SourceSchema, SourcesSchema } from "./source.ts"

/** A value, a mean or a quantile: a number, or for clock metrics a local time as in "23:41". */
export const FigureSchema = z.union([z.number(), z.string()]).meta({
  id: "Figure",
  description: 'A number in the unit of the metric; a local time of day as in "23:41" for clock metrics',
  example: 64.2,
})
export type Figure = z.infer<typeof FigureSchema>

/** A figure that may be unknown. */
export const figure = (description: string) => FigureSchema.nullable().meta({ description: `${description}; or null` })

/** A figure that is a number also for clock metrics, which have it in minutes. */
export const amount = (description: string, example: number) =>
  z
    .number()
    .nullable()
    .meta({ description: `${description}; minutes for clock metrics; or null`, example })

export const count = (description: string, example: number) => z.int().meta({ description, example })

/** JSON Schema of a tuple of two. Without `items` many tools refuse an array. */
export const PAIR = { items: {}, minItems: 2, maxItems: 2 }

/** Lower and upper limit of a 95 % interval. */
export const IntervalSchema = z
  .tuple([z.number(), z.number()])
  .meta(PAIR)
  .nullable()
  .meta({ description: "Lower and upper limit, 95 %; null where nothing can be claimed", example: [0.42, 3.18] })

export const DatedFigureSchema = z.object({ date: date("The local date"), value: FigureSchema })
export type DatedFigure = z.infer<typeof DatedFigureSchema>

/** The local dates of a question, both inclusive. */
export const DatesSchema = z.object({
  start_date: date("The first date"),
  end_date: date("The last date"),
  days: count("The number of dates", 90),
})

/** What every statistical answer says about its data. */
export const sourced = {
  source: SourceSchema.meta({ description: "The source of the values, and its sync state" }),
  notes: z.array(z.string()).meta({
    description:
      "Plain sentences about what is left out and why: figures that are still pending, an open cycle, values before a change of source",
    example: ["2026-11-20 is pending and is left out."],
  }),
  sources: SourcesSchema,
}

/** How the source measures the metric. Only HRV has different methods. */
export const MethodSchema = HrvMethodSchema.meta({
  description: "How the source computes HRV. Values of different methods are never mixed. Null for other metrics",
  example: "rmssd",
})
