import { INSIGHT_DAYS, SERIES_DAYS, SERIES_POINTS, SeriesQuerySchema, SeriesResponseSchema } from "@restwell/client"
import { z } from "zod"
import { countedReadResponses, csvBody, readResponses } from "../../openapi/responses.ts"
import { SERIES_EXAMPLES } from "../../openapi/series-examples.ts"
import { defineEndpoints } from "../plumbing/endpoint.ts"
import { type ReadServices, readByKey, readBySession } from "./answer-read.ts"
import { parseSeriesQuery } from "./health-query.ts"

/** The query as programs see it: the schema that parses it reads the text of a number. */
const query = SeriesQuerySchema.extend({
  days: z
    .int()
    .min(INSIGHT_DAYS.min)
    .max(INSIGHT_DAYS.max)
    .default(SERIES_DAYS.default)
    .meta({
      description:
        "How many local dates, ending today, or at `end_date`. Dates win over it, and may be any number. Types that are measured now and then, " +
        `as weight, have ${SERIES_DAYS.ofBody} by default`,
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
      responses: countedReadResponses(content),
      handle: readByKey(parseSeriesQuery),
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
      handle: readBySession(parseSeriesQuery),
    },
  ]),
]
