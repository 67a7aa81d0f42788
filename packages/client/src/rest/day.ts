// One date: its records, each figure beside the usual range, what is missing and why, and what is far from usual.
import { z } from "zod"
import { date } from "./fields.ts"
import { count, FigureSchema } from "./insights.ts"
import { METRIC_IDS } from "./metric.ts"
import { dateParameter, HealthQuerySchema } from "./query.ts"
import {
  CycleResponseSchema,
  JournalResponseSchema,
  RecoveryResponseSchema,
  SleepResponseSchema,
  WorkoutResponseSchema,
} from "./records.ts"
import { SourceSchema, SourcesSchema } from "./source.ts"
import { SignSchema } from "./summary.ts"
import { TrendDaySchema } from "./trends.ts"

/** Bounds and default of `rows`. */
export const ROWS = { min: 0, max: 31, default: 0 } as const

const ROWS_RULE = { error: `must be a whole number from ${ROWS.min} to ${ROWS.max}` }

/** The query of `GET /api/v1/day` in its text form. */
export const DayQuerySchema = z.object({
  date: dateParameter("The local date. Without it, today").optional(),
  rows: z
    .string()
    .regex(/^\d{1,2}$/, { ...ROWS_RULE, abort: true })
    .transform(Number)
    .refine((rows) => rows <= ROWS.max, ROWS_RULE)
    .optional(),
  source: HealthQuerySchema.shape.source,
})

/** Why a date has no value of a figure. */
export const NO_VALUE_REASONS = ["pending", "unscorable", "not_in_record", "withheld", "no_record"] as const

const UsualSchema = z
  .object({ low: FigureSchema, high: FigureSchema, n: count("Values behind it", 30) })
  .nullable()
  .meta({
    description:
      "The usual range: mean minus and plus one standard deviation of the 30 values of the same source before, within what is possible. " +
      "Null with fewer than 5",
  })

const PositionSchema = z.enum(["below", "within", "above"]).nullable().meta({
  description:
    "Where the value is beside its usual range, both rounded as here. Of times of day, below is earlier. Null without one of the two",
  example: "above",
})

/** A figure of a date beside what is usual for the person. */
export const DayFigureSchema = z
  .object({
    metric: z.enum(METRIC_IDS).meta({ description: "The id of the metric", example: "hrv" }),
    unit: z.string().nullable().meta({ example: "ms" }),
    source: z.string().nullable().meta({
      description: "The source of the value and of its usual range; null without any value",
      example: "whoop",
    }),
    value: FigureSchema.nullable().meta({ description: "The value of the date; null where `missing` says why" }),
    missing: z
      .enum(NO_VALUE_REASONS)
      .nullable()
      .meta({
        description:
          "`pending`: the vendor is still scoring. `unscorable`: it recorded too little. `not_in_record`: the record has no such figure. " +
          "`withheld`: there should be a record, and `missing` of its list says what is wrong. `no_record`: nothing was recorded",
      }),
    usual: UsualSchema,
    position: PositionSchema,
    latest: z
      .object({
        date: date("Its local date"),
        value: FigureSchema,
        usual: UsualSchema,
        position: PositionSchema,
      })
      .nullable()
      .meta({ description: "Without a value of the date: the newest one of the 13 dates before it; or null" }),
  })
  .meta({ id: "DayFigure" })

const list = <Schema extends z.ZodType>(schema: Schema, type: string) =>
  schema.nullable().meta({
    description: `The list of the date, as \`type=${type}\` of /api/v1/health has it; null where it is not shared`,
  })

/** A personal best of a date, or a round number of nights. */
const BestSchema = z
  .object({
    metric: z.enum(METRIC_IDS).meta({ description: "The id of the metric", example: "resting_heart_rate" }),
    unit: z.string().nullable().meta({ example: "bpm" }),
    kind: z.enum(["lowest", "highest", "count"]).meta({
      description: "count: the value is the number of nights of all sources up to the date, a round one",
      example: "lowest",
    }),
    span: z.enum(["ever", "year"]).meta({
      description: "ever: of all values up to the date. year: of those of the 365 dates before",
      example: "ever",
    }),
    value: FigureSchema,
    former: z
      .object({ date: date("Its local date"), value: FigureSchema })
      .nullable()
      .meta({
        description:
          "ever: the best before, the newest of equal ones. year: the newest value before that is at least as good. Null for a count",
      }),
    source: z
      .string()
      .nullable()
      .meta({
        description:
          "The source among whose values it is the best, where other sources have values too; null where none has, and for a count, which is " +
          "of all sources",
        example: null,
      }),
  })
  .meta({ id: "Best" })

/** Data that no source delivers any more. */
const EndedSchema = z
  .object({
    kinds: z.array(z.enum(["sleep", "recovery", "workout", "cycle"])).meta({
      description: "All four where no source delivers anything, else nights, recoveries or both",
      example: ["sleep", "recovery"],
    }),
    date: date("Of the newest of them, of nights where these have ended; null where it may not be read").nullable(),
    reconnect: z.array(z.string()).meta({
      description:
        "The sources that deliver again once they are connected again. Empty where only a newer archive brings more",
      example: [],
    }),
  })
  .meta({ id: "Ended" })

/** The body of `GET /api/v1/day`. */
export const DayResponseSchema = z
  .object({
    date: date("The local date"),
    today: date("Today in the person's time zone"),
    oldest_date: date("The oldest date of a stored record").nullable(),
    newest_date: date("The newest date of a stored record, today at most").nullable(),
    awaited: z.array(z.enum(["sleep", "recovery"])).meta({
      description:
        "What of this morning still comes by itself: it is being scored, or it is absent and a source that works gives it. Empty for other dates",
      example: [],
    }),
    ended: EndedSchema.nullable().meta({
      description:
        "What is absent today and comes no more from any source, because it is of archives or of connections whose consent has ended. " +
        "Null while nothing has ended, and for other dates",
      example: null,
    }),
    sleep: list(SleepResponseSchema, "sleep"),
    recovery: list(RecoveryResponseSchema, "recovery"),
    cycle: list(CycleResponseSchema, "cycle"),
    workout: list(WorkoutResponseSchema, "workout"),
    journal: JournalResponseSchema.nullable().meta({
      description: "The answers of the date, as /api/v1/journal has them; null where they are not shared",
    }),
    figures: z.array(DayFigureSchema).meta({ description: "The figures of the night and of the morning" }),
    figures_date: date("The newest date that `figures` has a value of, `date` or one of the 13 before it").nullable(),
    signs: z.array(SignSchema).meta({
      description:
        "Figures of `figures_date` more than two standard deviations from the mean of the 30 values before. No cause, no diagnosis",
    }),
    best: BestSchema.nullable().meta({
      description:
        "The personal best of `date` among the values of its source in the whole history, compared as people read them: lowest resting heart " +
        "rate and highest HRV ever, longest sleep ever or in a year, or the 100th, 365th, 500th and each 1,000th night of all sources. A best " +
        "only with 90 values before, and one at most. Null for a key or assistant that may not read all dates",
    }),
    rows: z.array(TrendDaySchema).meta({
      description: "With `rows`: so many dates up to this one, each as one row for charts, oldest first",
    }),
    source: SourceSchema.meta({ description: "The first of `sources`" }),
    sources: SourcesSchema,
  })
  .meta({ id: "DayResponse" })

export type DayQuery = z.infer<typeof DayQuerySchema>
export type Ended = z.infer<typeof EndedSchema>
export type Best = z.infer<typeof BestSchema>
export type DayFigure = z.infer<typeof DayFigureSchema>
export type DayResponse = z.infer<typeof DayResponseSchema>
