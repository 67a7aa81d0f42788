// Keys that open a part of a person's data, for one program or one reader each.
import { z } from "zod"
import { instant } from "../rest/fields.ts"
import { HEALTH_TYPES, INSIGHT_DAYS } from "../rest/query.ts"

/** What a key may open. `statistics`: metrics, trend, compare, relate, sports, signs and day, of the key's other types. */
export const KEY_TYPES = [...HEALTH_TYPES, "journal", "series", "statistics"] as const
export type KeyType = (typeof KEY_TYPES)[number]

const keyTypes = z
  .array(z.enum(KEY_TYPES, { error: `must be of ${KEY_TYPES.join(", ")}` }))
  .min(1, "must name at least one type, or be null for all")
  .max(KEY_TYPES.length)
  .nullable()
  .meta({
    description:
      "What the key opens; null for everything. `statistics` are computed from the key's other types alone, `summary` opens all figures of a summary",
    example: ["sleep", "recovery"],
  })
const keyDays = z
  .int()
  .min(1)
  .max(INSIGHT_DAYS.max)
  .nullable()
  .meta({ description: "How many local dates, ending today, the key opens; null for all", example: 30 })

/** POST /api/account/keys. */
export const KeyRequestSchema = z
  .strictObject({
    name: z
      .string({ error: "must say what the key is for" })
      .trim()
      .min(1, { error: "must say what the key is for" })
      .max(60, { error: "must have at most 60 characters" })
      .meta({ description: "Who or what it is for, in the person's words", example: "Home Assistant" }),
    types: keyTypes.default(null),
    days: keyDays.default(null),
    expires_at: z
      .union([z.iso.date(), z.iso.datetime({ offset: true })], {
        error: "must be a date like 2026-12-31, or an instant like 2026-12-31T18:00:00Z",
      })
      .nullable()
      .default(null)
      .meta({
        description: "An instant, or a date, with which it ends where the person is; null for a key without end",
        example: "2026-12-31",
      }),
  })
  .meta({ id: "KeyRequest" })

/** The response with a new key. */
export const KeyResponseSchema = z
  .object({
    id: z.string().meta({ example: "0192f5c1-7a44-7c10-9f6e-3f0c2b1a9d55" }),
    api_key: z.string().meta({
      description: "The key. It cannot be retrieved again",
      example: "rw_k3T9xVb2QpLw8sZr5NfYh7Jd4Gm1Ac6Xe0Ut0000",
    }),
  })
  .meta({ id: "KeyResponse" })

/** GET /api/account/keys. */
export const KeysResponseSchema = z
  .object({
    keys: z
      .array(
        z.object({
          id: z.string().meta({ example: "0192f5c1-7a44-7c10-9f6e-3f0c2b1a9d55" }),
          name: z.string().meta({ example: "Home Assistant" }),
          prefix: z.string().meta({ description: "The first characters of the key", example: "rw_k3T9x" }),
          types: keyTypes,
          days: keyDays,
          expires_at: instant("When it ends; null for a key without end", "2026-12-31T23:00:00.000Z").nullable(),
          created_at: instant("When it was made", "2026-11-01T08:15:02.000Z"),
          last_used_at: instant(
            "Time of the last request with it, to the minute; null before the first one",
            "2026-11-20T07:05:00.000Z",
          ).nullable(),
        }),
      )
      .meta({ description: "Keys with a name, oldest first. Those that have ended are among them" }),
  })
  .meta({ id: "KeysResponse" })

export type KeyRequest = z.infer<typeof KeyRequestSchema>
export type KeysResponse = z.infer<typeof KeysResponseSchema>
