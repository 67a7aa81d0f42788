// What a key and a share have in common: a name, the types and dates that they are limited to, and an end.
import { z } from "zod"
import { INSTANT_FORMS } from "../rest/fields.ts"
import { HEALTH_TYPES, INSIGHT_DAYS } from "../rest/query.ts"

/** What a key may open. `statistics`: metrics, trend, compare, relate, sports, signs and day, of the key's other types. */
export const KEY_TYPES = [...HEALTH_TYPES, "journal", "series", "statistics"] as const
export type KeyType = (typeof KEY_TYPES)[number]

/** The types of data that a key or a share is limited to. */
export const limitedTypes = (description: string) =>
  z
    .array(z.enum(KEY_TYPES, { error: `must be of ${KEY_TYPES.join(", ")}` }))
    .min(1, "must name at least one type, or be null for all")
    .max(KEY_TYPES.length)
    .nullable()
    .meta({ description, example: ["sleep", "recovery"] })

/** The newest local dates that it is limited to. */
export const limitedDays = (description: string, example: number) =>
  z.int().min(1).max(INSIGHT_DAYS.max).nullable().meta({ description, example })

/** The name that the person gives it. @param missing what is said without one */
export const givenName = (missing: string, meta: { readonly description: string; readonly example: string }) =>
  z
    .string({ error: missing })
    .trim()
    .min(1, { error: missing })
    .max(60, { error: "must have at most 60 characters" })
    .meta(meta)

/** When it ends: an instant, or a date. */
export const endOf = (description: string) =>
  z
    .union([z.iso.date(), ...INSTANT_FORMS], {
      error: "must be a date like 2026-12-31, or an instant like 2026-12-31T18:00:00Z",
    })
    .nullable()
    .default(null)
    .meta({ description, example: "2026-12-31" })
