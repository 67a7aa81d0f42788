import { z } from "zod"
import { PROVIDERS } from "./source.ts"

/** The values of `type`. Spec 4.1. */
export const HEALTH_TYPES = ["summary", "sleep", "recovery", "workout", "cycle", "profile"] as const

/** Bounds and default of `days`. Spec 8. */
export const DAYS = { min: 1, max: 90, default: 7 } as const

/** A date outside these bounds is a typing error. */
export const DATE_BOUNDS = { min: "1900-01-01", max: "2200-12-31" } as const

const isCalendarDate = (text: string): boolean => {
  const milliseconds = Date.parse(`${text}T00:00:00Z`)
  return !Number.isNaN(milliseconds) && new Date(milliseconds).toISOString().startsWith(text)
}

/** A date of the calendar, YYYY-MM-DD. */
export const dateParameter = (description: string) =>
  z
    .string()
    .regex(/^\d{4}-\d{2}-\d{2}$/, { error: "must be a date written YYYY-MM-DD, like 2026-11-19", abort: true })
    .refine(isCalendarDate, { error: "is not a day of the calendar", abort: true })
    .refine((text) => text >= DATE_BOUNDS.min && text <= DATE_BOUNDS.max, {
      error: `must lie between ${DATE_BOUNDS.min} and ${DATE_BOUNDS.max}`,
    })
    .meta({ description, format: "date", example: "2026-11-19" })

/** A whole number from 1 to 90, in the text form of a query string. */
const daysParameter = z
  .string()
  .regex(/^[1-9]\d?$/, { error: `must be a whole number from ${DAYS.min} to ${DAYS.max}`, abort: true })
  .transform(Number)
  .refine((days) => days <= DAYS.max, { error: `must be a whole number from ${DAYS.min} to ${DAYS.max}` })

/** Values of `source`. */
export const SOURCE_VALUES = [...PROVIDERS, "all"] as const
export type SourceValue = (typeof SOURCE_VALUES)[number]

const sourceParameter = z.enum(SOURCE_VALUES, { error: `must be one of ${SOURCE_VALUES.join(", ")}` }).meta({
  description:
    "Read one source alone, or with `all` every source's records, each with `chosen`. Without it, one source answers for each date. " +
    "A summary and a profile are the same with `all` and without it",
  example: "whoop",
})

/**
 * The query of `GET /api/v1/health` in its text form: the only definition of parameters, bounds and defaults.
 * Dates win over `days`. The length and order of the range are checked later, where "today" is known. Spec 4.1.
 */
export const HealthQuerySchema = z.object({
  type: z
    .enum(HEALTH_TYPES, { error: `must be one of ${HEALTH_TYPES.join(", ")}` })
    .default("summary")
    .meta({ description: "What to read", example: "sleep" }),
  days: daysParameter.optional(),
  start_date: dateParameter("First local date, inclusive. Without `end_date`, the range ends today").optional(),
  end_date: dateParameter(
    "Last local date, inclusive. Without `start_date`, the range is the `days` dates up to it",
  ).optional(),
  source: sourceParameter.optional(),
})

export type HealthType = (typeof HEALTH_TYPES)[number]
export type HealthQuery = z.infer<typeof HealthQuerySchema>
