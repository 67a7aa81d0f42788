// Links for others, as a coach or a doctor: each opens the report of some types and dates, and nothing else.
import { z } from "zod"
import { instant } from "../rest/fields.ts"
import { endOf, givenName, type KeyType, limitedDays, limitedTypes } from "./limited-access.ts"
import { PeriodPageSchema } from "./pages.ts"
import { SOURCE_TYPES } from "./sources.ts"

/** Types that a report has something of. */
const REPORT_TYPES = ["summary", ...SOURCE_TYPES, "journal", "series"] as const satisfies readonly KeyType[]

const shareTypes = limitedTypes(
  "The types of data that the report is made of, of which `summary` is sleep, recovery, workout and cycle; null for all but the journal, " +
    "which has to be named. A report has nothing of `profile` and `statistics`",
)
const shareDays = limitedDays("How many local dates, ending today, the report is about; null for all", 90)
const shareName = z.string().meta({ example: "Dr. Weber" })

/** POST /api/account/shares. */
export const ShareRequestSchema = z
  .strictObject({
    name: givenName("must say who the share is for", {
      description: "Who it is for, in the person's words",
      example: "Dr. Weber",
    }),
    types: shareTypes
      .refine((types) => types === null || types.some((type) => REPORT_TYPES.some((known) => known === type)), {
        error: `must have one of ${REPORT_TYPES.join(", ")}: a report has nothing of the others`,
      })
      .default(null),
    days: shareDays.default(null),
    expires_at: endOf(
      "An instant, or a date, with which it ends where the person is: at most a year ahead. Null for 30 days from now",
    ),
  })
  .meta({ id: "ShareRequest" })

/** The response with a new share. */
export const ShareResponseSchema = z
  .object({
    id: z.string().meta({ example: "0192f5c1-7a44-7c10-9f6e-3f0c2b1a9d55" }),
    url: z.string().meta({
      description: "The link, with the token after `#`, which browsers send to nobody. It cannot be retrieved again",
      example: "https://restwell.example/shared#rws_k3T9xVb2QpLw8sZr5NfYh7Jd4Gm1Ac6Xe0Ut0000",
    }),
  })
  .meta({ id: "ShareResponse" })

/** GET /api/account/shares. */
export const SharesResponseSchema = z
  .object({
    shares: z
      .array(
        z.object({
          id: z.string().meta({ example: "0192f5c1-7a44-7c10-9f6e-3f0c2b1a9d55" }),
          name: shareName,
          prefix: z.string().meta({ description: "The first characters of the token", example: "rws_k3T9x" }),
          types: shareTypes,
          days: shareDays,
          expires_at: instant("When it ends", "2026-12-31T23:00:00.000Z"),
          created_at: instant("When it was made", "2026-11-01T08:15:02.000Z"),
          last_viewed_at: instant(
            "Time of the last view; null before the first",
            "2026-11-20T07:05:00.000Z",
          ).nullable(),
        }),
      )
      .meta({ description: "Oldest first. Those that have ended are among them" }),
  })
  .meta({ id: "SharesResponse" })

/** GET /api/shared/report: the report as the page Report has it, of the types and dates of the share alone. */
export const SharedReportSchema = PeriodPageSchema.extend({
  shared: z.object({
    name: shareName,
    by: z.string().meta({ description: "The name of the person whose report it is", example: "Ada" }),
    types: shareTypes,
    days: shareDays,
    expires_at: instant("When the share ends", "2026-12-31T23:00:00.000Z"),
  }),
}).meta({ id: "SharedReport" })

export type ShareRequest = z.infer<typeof ShareRequestSchema>
export type SharesResponse = z.infer<typeof SharesResponseSchema>
export type SharedReport = z.infer<typeof SharedReportSchema>
