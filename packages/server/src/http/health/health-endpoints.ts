import {
  CycleResponseSchema,
  DAYS,
  HealthQuerySchema,
  JournalResponseSchema,
  ProfileResponseSchema,
  RecoveryResponseSchema,
  SleepResponseSchema,
  SummaryResponseSchema,
  WorkoutResponseSchema,
} from "@restwell/client"
import { z } from "zod"
import { HEALTH_EXAMPLES, JOURNAL_EXAMPLE } from "../../openapi/health-examples.ts"
import { countedReadResponses, readResponses } from "../../openapi/responses.ts"
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
  ])
  .meta({ id: "HealthResponse", description: "By `type`" })

const healthContent = { "application/json": { schema: HealthResponseSchema, examples: HEALTH_EXAMPLES } }

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
        "Only a 200 counts against the month. HEAD answers the headers alone and is not counted.",
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
        "application/json": { schema: JournalResponseSchema, example: JOURNAL_EXAMPLE },
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
