import {
  dateParameter,
  JournalDaysResponseSchema,
  JournalFactorsResponseSchema,
  OwnJournalChangeSchema,
  OwnJournalResponseSchema,
  PROVIDERS,
  TrendsResponseSchema,
} from "@restwell/client"
import { InvalidRequest, MOST_TREND_DAYS, readJournalFactors, readOwnJournal, writeOwnJournal } from "@restwell/core"
import type { FastifyRequest } from "fastify"
import { z } from "zod"
import { jsonBody, success } from "../../openapi/responses.ts"
import { defineEndpoints } from "../plumbing/endpoint.ts"
import { parseBody, parseSearch, pathParameter } from "../plumbing/requests.ts"
import { type AccountServices, expensive, sendComputed } from "./account.ts"

const FIRST = dateParameter("First local date, inclusive. It wins over `days`").optional()
const LAST = dateParameter("Last local date, inclusive. Without it, today").optional()

/** The parameters of a period in their text form. */
export const DatesSchema = z.strictObject({
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

/** The parameters as programs see them. */
export const DATES = z.object({
  days: z
    .union([z.int().min(1).max(MOST_TREND_DAYS), z.literal("all")])
    .default(30)
    .meta({ description: "Number of dates. `all` starts at the oldest record", example: 90 }),
  start_date: FIRST,
  end_date: LAST,
})

export const SOURCE = z
  .enum(PROVIDERS, { error: `must be one of ${PROVIDERS.join(", ")}` })
  .optional()
  .meta({
    description: "One connected source, as if there were no other. Without it, each date has the source that answers",
  })

/** The rows of a period, computed beside the reads of others. */
const readDays = (kind: "trends" | "journal", schema: typeof DatesSchema) =>
  expensive(async ({ context: { clock }, statistics }, { session: { userId }, reply, request }) => {
    const dates = parseSearch(request, schema)
    return async () => sendComputed(reply, await statistics(userId, { kind, userId, dates, now: clock.now() }))
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
    query: DATES.extend({ source: SOURCE }),
    responses: { "200": success("The days", TrendsResponseSchema) },
    failures: ["invalidRequest", "tooManyAtOnce"],
    handle: readDays("trends", DatesSchema.extend({ source: SOURCE })),
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
    handle: readDays("journal", DatesSchema),
  },
])

const DateSchema = z.object({ date: dateParameter("The local date of waking, today or before") })

/** @throws {InvalidRequest} */
function dateOf(request: FastifyRequest): string {
  const parsed = DateSchema.shape.date.safeParse(pathParameter(request, "date"))
  if (parsed.success) return parsed.data
  throw new InvalidRequest(`date ${parsed.error.issues[0]?.message ?? "is not valid"}`, "date")
}

/** The journal that the person enters in the page. */
export const ownJournalEndpoints = defineEndpoints<AccountServices>("Account", [
  {
    method: "GET",
    path: "/api/account/journal/factors",
    access: "session",
    id: "readJournalFactors",
    summary: "List the topics of the journal",
    description:
      "Topics that were answered, the last used first, then common ones. A new topic is named `own:<words>`.",
    responses: { "200": success("The topics", JournalFactorsResponseSchema) },
    handle:
      async ({ context }, { session: { userId } }) =>
      () =>
        readJournalFactors(context, userId),
  },
  {
    method: "GET",
    path: "/api/account/journal/:date",
    access: "session",
    id: "readOwnJournal",
    summary: "Read the person's own journal of a date",
    description:
      "What the person entered for the date, with the note, and the vendors' answers beside it. Not counted.",
    params: DateSchema,
    responses: { "200": success("The date", OwnJournalResponseSchema) },
    failures: ["invalidRequest"],
    handle: async ({ context }, { session: { userId }, request }) => {
      const date = dateOf(request)
      return () => readOwnJournal(context, userId, date)
    },
  },
  {
    method: "PUT",
    path: "/api/account/journal/:date",
    access: "session",
    id: "writeOwnJournal",
    summary: "Enter the journal of a date",
    description:
      "Stores the answers and the note that are given, and leaves the others. The person's answer to a factor wins over a vendor's answer of " +
      "the same date, and no sync, import or disconnect changes it. `source` of such an answer is `restwell`.",
    params: DateSchema,
    requestBody: jsonBody(OwnJournalChangeSchema),
    responses: { "200": success("The date as it is now", OwnJournalResponseSchema) },
    failures: ["invalidRequest"],
    handle: async ({ context }, { session: { userId }, request }) => {
      const date = dateOf(request)
      await writeOwnJournal(context, userId, { date, ...parseBody(request, OwnJournalChangeSchema) })
      return readOwnJournal(context, userId, date)
    },
  },
])
