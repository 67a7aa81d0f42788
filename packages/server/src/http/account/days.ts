import { JournalDaysResponseSchema, TrendsResponseSchema } from "@restwell/client"
import { readJournalDays } from "@restwell/core"
import { z } from "zod"
import { success } from "../../openapi/responses.ts"
import { defineEndpoints } from "../plumbing/endpoint.ts"
import { parseSearch } from "../plumbing/requests.ts"
import { type AccountServices, expensive } from "./account-services.ts"

/** A hundred years. */
const MOST_DAYS = 36_500

const TrendsSchema = z.strictObject({
  days: z
    .union(
      [
        z.literal("all"),
        z
          .string()
          .regex(/^[1-9]\d{0,4}$/)
          .transform(Number)
          .refine((days) => days <= MOST_DAYS),
      ],
      { error: `must be a whole number from 1 to ${MOST_DAYS}, or all` },
    )
    .default(30),
})

/** The same parameter as programs see it. */
const DATES = z.object({
  days: z
    .union([z.int().min(1).max(MOST_DAYS), z.literal("all")])
    .default(30)
    .meta({ description: "Number of dates. `all` starts at the oldest record", example: 90 }),
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
      "One row for each date up to today, also without data, and the person's usual ranges: the data of the dashboard's charts. Not counted.",
    query: DATES,
    responses: { "200": success("The days", TrendsResponseSchema) },
    failures: ["invalidRequest", "tooManyAtOnce"],
    handle: expensive(({ context: { clock }, statistics }) => async ({ userId }, reply, request) => {
      const { days } = parseSearch(request, TrendsSchema)
      return async () => {
        const answer = await statistics(userId, { kind: "trends", userId, days, now: clock.now() })
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
      const { days } = parseSearch(request, TrendsSchema)
      return () => readJournalDays(context, session.userId, days)
    }),
  },
])
