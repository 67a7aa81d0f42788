// Keys that open a part of a person's data, for one program or one reader each.
import { z } from "zod"
import { instant } from "../rest/fields.ts"
import { endOf, givenName, limitedDays, limitedTypes } from "./limited-access.ts"

export { KEY_TYPES, type KeyType } from "./limited-access.ts"

const keyTypes = limitedTypes(
  "What the key opens; null for everything. `statistics` are computed from the key's other types alone, `summary` opens all figures of a summary",
)
const keyDays = limitedDays("How many local dates, ending today, the key opens; null for all", 30)

/** POST /api/account/keys. */
export const KeyRequestSchema = z
  .strictObject({
    name: givenName("must say what the key is for", {
      description: "Who or what it is for, in the person's words",
      example: "Home Assistant",
    }),
    types: keyTypes.default(null),
    days: keyDays.default(null),
    expires_at: endOf("An instant, or a date, with which it ends where the person is; null for a key without end"),
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
