import {
  CycleResponseSchema,
  DATE_BOUNDS,
  DAYS,
  HEALTH_TYPES,
  JournalResponseSchema,
  ProfileResponseSchema,
  RecoveryResponseSchema,
  SleepResponseSchema,
  SummaryResponseSchema,
  WorkoutResponseSchema,
} from "@restwell/client"
import { z } from "zod"
import type { ZodOpenApiOperationObject, ZodOpenApiResponseObject } from "zod-openapi"
import { HEALTH_EXAMPLES, JOURNAL_EXAMPLE } from "./health-examples.ts"
import { ALWAYS, failure, QUOTA_HEADERS } from "./responses.ts"

const date = (description: string) =>
  z
    .string()
    .meta({
      description: `${description}. From ${DATE_BOUNDS.min} to ${DATE_BOUNDS.max}`,
      format: "date",
      example: "2026-11-19",
    })
    .optional()

/** The query as programs see it: the schema that parses it reads text. */
const QuerySchema = z.object({
  type: z.enum(HEALTH_TYPES).default("summary").meta({ description: "What to read", example: "sleep" }),
  days: z.int().min(DAYS.min).max(DAYS.max).default(DAYS.default).meta({
    description: "How many local dates, ending today, or at `end_date`. Dates win over it",
    example: 7,
  }),
  start_date: date("First local date, inclusive. Alone: through today"),
  end_date: date("Last local date, inclusive. Alone: the `days` dates that end there"),
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

const header = (description: string, example: string) => z.string().meta({ description, example })

type Content = NonNullable<ZodOpenApiResponseObject["content"]>

const SAMPLE_TAG = '"1-sleep-20261114-20261120-512"'

const dataOf = (content: Content) => ({
  "200": {
    description: "The data",
    headers: z.object({
      ...QUOTA_HEADERS,
      ETag: header("Names these bytes; send it as If-None-Match", SAMPLE_TAG),
      "Cache-Control": header("May be kept for 15 minutes", "private, max-age=900"),
    }),
    content,
  },
  "304": {
    description: "What If-None-Match names is still the answer. Not counted",
    headers: z.object({ ...QUOTA_HEADERS, ETag: header("The same", SAMPLE_TAG) }),
  },
})

/** The responses of a read with an API key. @param content of its 200 */
export const readResponses = (content: Content) => ({
  ...dataOf(content),
  "400": failure("invalidRequest", QUOTA_HEADERS),
  "401": failure("unauthorized"),
  "404": failure("noProvider", QUOTA_HEADERS),
  "405": failure("methodNotAllowed", QUOTA_HEADERS),
  "429": failure("rateLimited", QUOTA_HEADERS),
  "503": failure("unavailable"),
  ...ALWAYS,
})

/** The responses of the same read by a session. */
export const ownResponses = (content: Content) => ({
  ...dataOf(content),
  "400": failure("invalidRequest"),
  "401": failure("notSignedIn"),
  "404": failure("noProvider", QUOTA_HEADERS),
  "503": failure("unavailable"),
  ...ALWAYS,
})

/** GET /api/v1/health. Spec 4.1. */
export const healthOperation = {
  operationId: "readHealth",
  summary: "Read health data",
  tags: ["Health"],
  security: [{ apiKey: [] }],
  description:
    "Reads the person's own data from Restwell's store, by local date, newest first. At most 90 dates at a time; the archive has no " +
    "limit. Keys are always there; what is unknown is `null`, and `score_state`, `empty_reason` or `source.status` say why. " +
    "Only a 200 counts against the month. HEAD answers the headers alone and is not counted.",
  requestParams: { query: QuerySchema },
  responses: readResponses({ "application/json": { schema: HealthResponseSchema, examples: HEALTH_EXAMPLES } }),
} satisfies ZodOpenApiOperationObject

/** GET /api/account/health: the same read by a session. */
export const ownHealthOperation: ZodOpenApiOperationObject = {
  ...healthOperation,
  operationId: "readOwnHealth",
  summary: "Read health data while signed in",
  tags: ["Account"],
  security: [{ session: [] }],
  description: "The query and the answers of /api/v1/health, for the person who is signed in. Not counted.",
  responses: ownResponses(healthOperation.responses["200"].content),
}

/** GET /api/v1/journal: answers by wake date. */
export const journalOperation: ZodOpenApiOperationObject = {
  ...healthOperation,
  operationId: "readJournal",
  summary: "Read the journal",
  description:
    "Reads the person's answers about alcohol, caffeine, late meals and the like, by local date of waking, newest first. They come from " +
    "uploaded archives and from tags at the vendor. Answers of several sources stand side by side. Private topics are there only if the " +
    "person included them in an upload. Counted as a read of health data is.",
  requestParams: { query: QuerySchema.omit({ type: true }) },
  responses: readResponses({ "application/json": { schema: JournalResponseSchema, example: JOURNAL_EXAMPLE } }),
}
