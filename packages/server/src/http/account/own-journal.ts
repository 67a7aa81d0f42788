import {
  dateParameter,
  JournalFactorsResponseSchema,
  OwnJournalChangeSchema,
  OwnJournalResponseSchema,
} from "@restwell/client"
import { InvalidRequest, readJournalFactors, readOwnJournal, writeOwnJournal } from "@restwell/core"
import type { FastifyRequest } from "fastify"
import { z } from "zod"
import { jsonBody, success } from "../../openapi/responses.ts"
import { defineEndpoints } from "../plumbing/endpoint.ts"
import { parseBody, pathParameter } from "../plumbing/requests.ts"
import type { AccountServices } from "./account-services.ts"

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
      ({ context }) =>
      async ({ userId }) =>
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
    handle:
      ({ context }) =>
      async ({ userId }, _reply, request) => {
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
    handle:
      ({ context }) =>
      async ({ userId }, _reply, request) => {
        const date = dateOf(request)
        await writeOwnJournal(context, userId, { date, ...parseBody(request, OwnJournalChangeSchema) })
        return readOwnJournal(context, userId, date)
      },
  },
])
