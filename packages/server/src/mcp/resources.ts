import {
  type CallToolResult,
  type McpServer,
  ProtocolError,
  ProtocolErrorCode,
  type ReadResourceResult,
  ResourceTemplate,
} from "@modelcontextprotocol/server"
import { DAYS, INSIGHT_DAYS } from "@restwell/client"
import { addDays } from "@restwell/client/calendar-dates"
import type { ListType } from "@restwell/core"
import {
  csvOf,
  fieldsOf,
  InvalidRequest,
  LIST_TYPES,
  resolveDateRange,
  SCOPE_OF,
  SUMMARY_SCOPES,
} from "@restwell/core/connector"
import { z } from "zod"
import { summaryText } from "./answer-text.ts"
import { readDay } from "./days-of-record.ts"
import { describeError, type ToolOptions } from "./tool-protocol.ts"
import {
  type ListRange,
  OUTPUTS,
  plainWords,
  type Range,
  RangeSchema,
  sharedSummary,
  WorkoutRangeSchema,
} from "./tool-schemas.ts"
import type { ToolSource } from "./tool-source.ts"

const CSV = "text/csv"
const CsvTypeSchema = z.enum(LIST_TYPES)

const { min, max } = INSIGHT_DAYS
/** A range as the last part of a resource's address: as long as that of a trend. */
const RangeTextSchema = z
  .string()
  .transform((text): unknown => Object.fromEntries(new URLSearchParams(text)))
  .pipe(
    RangeSchema.extend({
      days: z.coerce.number().pipe(z.int().min(min).max(max)).optional(),
      sport: WorkoutRangeSchema.shape.sport,
    }),
  )

/** A link to the records of an answer as a file. Reading it is a request of its own. */
export function csvLink(type: ListType, range: Range): Extract<CallToolResult["content"][number], { uri: string }> {
  const given = Object.entries(range).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]]))
  const text = new URLSearchParams(given.length > 0 ? given : [["days", "7"]])
  return { type: "resource_link", uri: `restwell://csv/${type}/${text}`, name: `${type}.csv`, mimeType: CSV }
}

/** The records of each list as CSV (RFC 4180), for programs that save files. */
function registerCsv(server: McpServer, options: ToolOptions): void {
  const { source, challenge } = options
  server.registerResource(
    "csv",
    new ResourceTemplate("restwell://csv/{type}/{range}", { list: undefined }),
    {
      mimeType: CSV,
      title: "Records as CSV",
      description:
        "sleep, recovery, workout, cycle or journal, and a range of any length: days=30, or start_date=2026-01-01&end_date=2026-12-31",
      cacheHint: { ttlMs: 300_000, cacheScope: "private" },
      scopeChallenge: challenge(LIST_TYPES.map((type) => SCOPE_OF[type])),
    },
    (uri, { type, range }) => contentsOf(options, uri.href, CSV, () => readCsv(source, uri.href, type, range)),
  )
}

async function readCsv(source: ToolSource, uri: string, typeText: unknown, rangeText: unknown): Promise<string> {
  const type = CsvTypeSchema.safeParse(typeText)
  const range = RangeTextSchema.safeParse(rangeText)
  if (!type.success || !range.success) throw new InvalidRequest("no such type or range", "uri")
  const bodies = await source.read(uri, parts(type.data, range.data, await source.today()))
  const records = bodies.flatMap((body): object[] => plainWords(OUTPUTS[type.data].parse(body)).records)
  // Records have no ids here.
  const columns = fieldsOf(type.data, range.data.source).filter(({ name }) => name !== "id")
  return csvOf(columns, records)
}

/** A range as reads of at most 90 dates, the newest first, as lists are. */
function parts(type: ListType, { source, sport, ...range }: ListRange, today: string) {
  const { from, to } = resolveDateRange(range, today)
  if (addDays(from, max) <= to) throw new InvalidRequest(`the range may have ${max} dates at most`, "uri")
  const reads: ({ type: ListType } & ListRange)[] = []
  for (let end_date = to; end_date >= from; end_date = addDays(end_date, -DAYS.max)) {
    const first = addDays(end_date, 1 - DAYS.max)
    reads.push({ type, start_date: first < from ? from : first, end_date, source, sport })
  }
  return reads
}

const TEXT = "text/plain"
/** Data changes with each sync. Some minutes are recent enough for a conversation. */
const FRESH = { ttlMs: 300_000, cacheScope: "private" } as const

/** Resources that a person can add to a conversation. */
export function registerResources(server: McpServer, options: ToolOptions): void {
  const { source, challenge } = options
  const about = { mimeType: TEXT, cacheHint: FRESH, scopeChallenge: challenge(SUMMARY_SCOPES) }
  const summary = (name: string, uri: string, title: string, days: number): void => {
    server.registerResource(name, uri, { ...about, title, description: `${title}, in a few lines` }, () =>
      contentsOf(options, uri, TEXT, () => readSummary(source, uri, days)),
    )
  }
  summary("summary-today", "restwell://summary/today", "Today", 1)
  summary("summary-week", "restwell://summary/week", "The last 7 days", 7)
  server.registerResource(
    "day",
    new ResourceTemplate("restwell://day/{date}", { list: undefined }),
    { ...about, title: "One day", description: "Everything of one local date, YYYY-MM-DD" },
    (uri, { date }) =>
      contentsOf(options, uri.href, TEXT, async () => (await readDay(source, uri.href, String(date))).text),
  )
  registerCsv(server, options)
}

/**
 * A resource's text. Resources have no result for errors, so that an error is one of the protocol, with the words that a tool has: invalid
 * parameters (-32602) for an address that names nothing, else an internal error (-32603).
 */
async function contentsOf(
  { logger, source: { baseUrl } }: ToolOptions,
  uri: string,
  mimeType: string,
  read: () => Promise<string>,
): Promise<ReadResourceResult> {
  try {
    return { contents: [{ uri, mimeType, text: await read() }] }
  } catch (error) {
    const code = error instanceof InvalidRequest ? ProtocolErrorCode.InvalidParams : ProtocolErrorCode.InternalError
    throw new ProtocolError(code, describeError(error, logger, baseUrl))
  }
}

async function readSummary(source: ToolSource, operation: string, days: number): Promise<string> {
  const [body] = await source.read(operation, [{ type: "summary", days }])
  if (!body) throw new Error("a read returned nothing")
  return summaryText(plainWords(sharedSummary(body, source.sharing)), source.preferences)
}
