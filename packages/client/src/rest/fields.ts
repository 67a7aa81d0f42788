import { z } from "zod"

/** A measurement. Null when missing, never zero and never the value of another day. */
export const value = (description: string, example: number) => z.number().nullable().meta({ description, example })

/** A measurement in whole numbers. Null when missing. */
export const wholeValue = (description: string, example: number) => z.int().nullable().meta({ description, example })

/** A duration in hours, rounded to 2 decimals. Null when missing. */
export const hours = (description: string, example: number) =>
  z
    .number()
    .meta({ description: `${description}, hours`, example })
    .nullable()

/** An instant in UTC, ISO 8601. The specification enforces no format, so neither does the schema. */
export const instant = (description: string, example: string) =>
  z.string().meta({ description: `${description}, UTC`, format: "date-time", example })

/** An instant of a request with its offset: as RFC 3339 has it, or without seconds, as ISO 8601 allows and programs write it. */
export const INSTANT_FORMS = [
  z.iso.datetime({ offset: true }),
  z.iso.datetime({ offset: true, precision: -1 }),
] as const

/** The same instant on the local clock, ISO 8601 with the UTC offset of where the person was. */
export const localInstant = (description: string, example: string) =>
  z.string().meta({
    description: `${description}, local clock time with the UTC offset of that moment`,
    format: "date-time",
    example,
  })

/** A local calendar date, YYYY-MM-DD. */
export const date = (description: string, example = "2026-11-19") =>
  z.string().meta({ description: `${description}, YYYY-MM-DD`, format: "date", example })
