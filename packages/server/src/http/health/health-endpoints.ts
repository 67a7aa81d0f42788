import {
  CycleResponseSchema,
  DAYS,
  HealthQuerySchema,
  JournalResponseSchema,
  PartialListResponseSchema,
  ProfileResponseSchema,
  RecoveryResponseSchema,
  SleepResponseSchema,
  SummaryResponseSchema,
  WorkoutResponseSchema,
} from "@restwell/client"
import { z } from "zod"
import { HEALTH_EXAMPLES, JOURNAL_EXAMPLE } from "../../openapi/health-examples.ts"
import { countedReadResponses, csvBody, readResponses } from "../../openapi/responses.ts"
import { defineEndpoints } from "../plumbing/endpoint.ts"
import { type ReadServices, readByKey, readBySession } from "./answer-read.ts"
import { parseHealthQuery, parseJournalQuery } from "./health-query.ts"

/** The query as programs see it: the schema that parses it reads the text of a number. */
const QueryDocument = HealthQuerySchema.extend({
  days: z.int().min(DAYS.min).max(DAYS.max).default(DAYS.default).meta({
    description: "How many local dates, ending today, or at `end_date`. Dates win over it",
    example: 7,
  }),
})

/** An empty list of one type is an empty list of another, so this is anyOf, and `type` tells them apart. */
const HealthResponseSchema = z
  .union([
    SummaryResponseSchema,
    SleepResponseSchema,
    RecoveryResponseSchema,
    WorkoutResponseSchema,
    CycleResponseSchema,
    ProfileResponseSchema,
    PartialListResponseSchema,
  ])
  .meta({ id: "HealthResponse", description: "By `type` and `fields`" })

const healthContent = {
  "application/json": { schema: HealthResponseSchema, examples: HEALTH_EXAMPLES },
  ...csvBody("type=sleep&fields=date,asleep_hours", "date,asleep_hours\r\n2026-11-19,7.46\r\n"),
}

/** The health data and the journal. */
export const healthEndpoints = [
  ...defineEndpoints<ReadServices>("Health", [
    {
      method: "GET",
      path: "/api/v1/health",
      access: "key",
      id: "readHealth",
      summary: "Read health data",
      description:
        "Reads the person's own data from Restwell's store, by local date, newest first. At most 90 dates at a time; the archive has no " +
        "limit. Keys are always there; what is unknown is `null`, and `score_state`, `empty_reason` or `source.status` say why. " +
        "Only a 200 counts against the month. Lists are CSV with `format=csv` or `Accept: text/csv`. HEAD answers the headers alone and is not counted.",
      query: QueryDocument,
      responses: countedReadResponses(healthContent),
      handle: readByKey(parseHealthQuery),
    },
    {
      method: "GET",
      path: "/api/v1/journal",
      access: "key",
      id: "readJournal",
      summary: "Read the journal",
      description:
        "Reads the person's answers about alcohol, caffeine, late meals and the like, by local date of waking, newest first. They come from " +
        "uploaded archives and from tags at the vendor. Answers of several sources stand side by side. Private topics are there only if the " +
        "person included them in an upload. Counted as a read of health data is.",
      query: QueryDocument.omit({ type: true, sport: true }),
      responses: countedReadResponses({
        "application/json": {
          schema: z.union([JournalResponseSchema, PartialListResponseSchema]),
          example: JOURNAL_EXAMPLE,
        },
        ...csvBody("fields=date,factor,answer", "date,factor,answer\r\n2026-11-19,alcohol,true\r\n"),
      }),
      handle: readByKey(parseJournalQuery),
    },
  ]),
  ...defineEndpoints<ReadServices>("Account", [
    {
      method: "GET",
      path: "/api/account/health",
      access: "session",
      id: "readOwnHealth",
      summary: "Read health data while signed in",
      description: "The query and the answers of /api/v1/health, for the person who is signed in. Not counted.",
      query: QueryDocument,
      responses: readResponses(healthContent),
      failures: ["invalidRequest"],
      handle: readBySession(parseHealthQuery),
    },
  ]),
]
