import {
  CycleResponseSchema,
  DAYS,
  HealthQuerySchema,
  INSIGHT_DAYS,
  JournalResponseSchema,
  PartialListResponseSchema,
  ProfileResponseSchema,
  RecoveryResponseSchema,
  SERIES_DAYS,
  SERIES_POINTS,
  SeriesQuerySchema,
  SeriesResponseSchema,
  SleepResponseSchema,
  SourcesResponseSchema,
  SummaryResponseSchema,
  WorkoutResponseSchema,
} from "@restwell/client"
import { z } from "zod"
import { HEALTH_EXAMPLES, JOURNAL_EXAMPLE, SERIES_EXAMPLES, SOURCES_EXAMPLE } from "../../openapi/health-examples.ts"
import { countedReadResponses, csvBody, readResponses } from "../../openapi/responses.ts"
import { defineEndpoints } from "../plumbing/endpoint.ts"
import { ReadHeaders, type ReadServices, readByKey, readBySession, WaitHeaders } from "./answer-read.ts"
import { parseHealthQuery, parseJournalQuery, parseSeriesQuery, parseSourcesQuery } from "./health-query.ts"

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
      headers: WaitHeaders,
      responses: countedReadResponses(healthContent, { canWait: true }),
      handle: readByKey({ parse: parseHealthQuery, hasCsv: true, canWait: true }),
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
      headers: ReadHeaders,
      responses: countedReadResponses({
        "application/json": {
          schema: z.union([JournalResponseSchema, PartialListResponseSchema]),
          example: JOURNAL_EXAMPLE,
        },
        ...csvBody("fields=date,factor,answer", "date,factor,answer\r\n2026-11-19,alcohol,true\r\n"),
      }),
      handle: readByKey({ parse: parseJournalQuery, hasCsv: true }),
    },
    {
      method: "GET",
      path: "/api/v1/sources",
      access: "key",
      id: "readSourceFields",
      summary: "Read what each source brings",
      description:
        "The person's sources, and for each the fields, units and methods that it can have, on /api/v1/health and within the day. " +
        "Counted as a read of health data is.",
      headers: ReadHeaders,
      responses: countedReadResponses({
        "application/json": { schema: SourcesResponseSchema, example: SOURCES_EXAMPLE },
      }),
      handle: readByKey({ parse: parseSourcesQuery, hasCsv: false }),
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
      handle: readBySession({ parse: parseHealthQuery, hasCsv: true }),
    },
  ]),
]

/** The query as programs see it: the schema that parses it reads the text of a number. */
const query = SeriesQuerySchema.extend({
  days: z
    .int()
    .min(INSIGHT_DAYS.min)
    .max(INSIGHT_DAYS.max)
    // No default in the schema: some clients send it, and it is another one for other types and none beside instants.
    .optional()
    .meta({
      description:
        "How many local dates, ending today, or at `end_date`. Dates win over it, and may be any number. Not beside `start` and `end`. " +
        `Without it ${SERIES_DAYS.default}, and ${SERIES_DAYS.ofBody} of types that are measured now and then, as weight`,
      example: 1,
    }),
})

const content = {
  "application/json": { schema: SeriesResponseSchema, examples: SERIES_EXAMPLES },
  ...csvBody("type=steps&resolution=1h", "start,n,sum\r\n2026-11-20T07:00:00.000Z,12,412\r\n"),
}

const description =
  "Heart rate, HRV, steps, stages of sleep and the like within the day, and weight and the like over any time: each value, or buckets. " +
  "Buckets of `1h` and `1d` begin on the local clock. One source answers for each date, the first in the person's order that has values " +
  `of it; nothing is added up over sources. At most ${SERIES_POINTS.most} points: above it 400 names the finest resolution that fits.`

/** Values within the day. */
export const seriesEndpoints = [
  ...defineEndpoints<ReadServices>("Health", [
    {
      method: "GET",
      path: "/api/v1/series",
      access: "key",
      id: "readSeries",
      summary: "Read values within the day",
      description: `${description} Counted as a read of health data is.`,
      query,
      headers: ReadHeaders,
      responses: countedReadResponses(content),
      handle: readByKey({ parse: parseSeriesQuery, hasCsv: true }),
    },
  ]),
  ...defineEndpoints<ReadServices>("Account", [
    {
      method: "GET",
      path: "/api/account/series",
      access: "session",
      id: "readOwnSeries",
      summary: "Read values within the day while signed in",
      description: "The same as /api/v1 has, for the person who is signed in. Not counted.",
      query,
      responses: readResponses(content),
      failures: ["invalidRequest", "tooManyAtOnce"],
      handle: readBySession({ parse: parseSeriesQuery, hasCsv: true }),
    },
  ]),
]
