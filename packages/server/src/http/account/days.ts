import { dateParameter, JournalDaysResponseSchema, TrendsResponseSchema } from "@restwell/client"
import { MOST_TREND_DAYS, readJournalDays } from "@restwell/core"
import { z } from "zod"
import { success } from "../../openapi/responses.ts"
import { defineEndpoints } from "../plumbing/endpoint.ts"
import { parseSearch } from "../plumbing/requests.ts"
import { type AccountServices, expensive } from "./account-services.ts"

const FIRST = dateParameter("First local date, inclusive. It wins over `days`").optional()
const LAST = dateParameter("Last local date, inclusive. Without it, today").optional()

const TrendsSchema = z.strictObject({
  days: z
    .union(
      [
        z.literal("all"),
        z
          .string()
          .regex(/^[1-9]\d{0,4}$/)
          .transform(Number)
          .refine((days) => days <= MOST_TREND_DAYS),
      ],
      { error: `must be a whole number from 1 to ${MOST_TREND_DAYS}, or all` },
    )
    .default(30),
  start_date: FIRST,
  end_date: LAST,
})

/** The same parameters as programs see them. */
const DATES = z.object({
  days: z
    .union([z.int().min(1).max(MOST_TREND_DAYS), z.literal("all")])
    .default(30)
    .meta({ description: "Number of dates. `all` starts at the oldest record", example: 90 }),
  start_date: FIRST,
  end_date: LAST,
})

/** The data of the dashboard's charts. */
export const dayEndpoints = defineEndpoints<AccountServices>("Account", [
  {
    method: "GET",
    path: "/api/account/trends",
    access: "session",
    isLarge: true,
    id: "readTrends",
    summary: "Read every day of a period",
    description:
      "One row for each date, also without data, and the person's usual ranges: the data of the dashboard's charts. Not counted.",
    query: DATES,
    responses: { "200": success("The days", TrendsResponseSchema) },
    failures: ["invalidRequest", "tooManyAtOnce"],
    handle: expensive(({ context: { clock }, statistics }) => async ({ userId }, reply, request) => {
      const dates = parseSearch(request, TrendsSchema)
      return async () => {
        const answer = await statistics(userId, { kind: "trends", userId, dates, now: clock.now() })
        return reply.type("application/json; charset=utf-8").send(answer && Buffer.from(answer.bytes.buffer))
      }
    }),
  },
  {
    method: "GET",
    path: "/api/account/journal",
    access: "session",
    isLarge: true,
    id: "readJournalDays",
    summary: "Read the journal of every day of a period",
    description:
      "The factors that were answered with yes and with no, by date of waking: the marks of the dashboard's charts. Not counted.",
    query: DATES,
    responses: { "200": success("The days", JournalDaysResponseSchema) },
    failures: ["invalidRequest", "tooManyAtOnce"],
    handle: expensive(({ context }) => async (session, _reply, request) => {
      const dates = parseSearch(request, TrendsSchema)
      return () => readJournalDays(context, session.userId, dates)
    }),
  },
])
