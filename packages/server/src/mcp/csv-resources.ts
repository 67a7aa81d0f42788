import { type CallToolResult, type McpServer, ResourceTemplate } from "@modelcontextprotocol/server"
import { csvLine, flatRecord, InvalidRequest, SCOPE_OF } from "@restwell/core"
import { z } from "zod"
import type { HealthSource } from "./health-source.ts"
import { plainWords } from "./shared-answer.ts"
import type { ToolOptions } from "./tool-options.ts"
import { OUTPUTS, type Range, RangeSchema } from "./tool-schemas.ts"

/** Types that are lists of records. */
export const CSV_TYPES = ["sleep", "recovery", "workout", "cycle", "journal"] as const
export type CsvType = (typeof CSV_TYPES)[number]

const CSV = "text/csv"
const CsvTypeSchema = z.enum(CSV_TYPES)

/** A range as the last part of a resource's address. */
const RangeTextSchema = z
  .string()
  .transform((text): unknown => Object.fromEntries(new URLSearchParams(text)))
  .pipe(RangeSchema.extend({ days: z.coerce.number().pipe(RangeSchema.shape.days.unwrap()).optional() }))

/** A link to the records of an answer as a file. Reading it is a request of its own. */
export function csvLink(type: CsvType, range: Range): Extract<CallToolResult["content"][number], { uri: string }> {
  const given = Object.entries(range).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]]))
  const text = new URLSearchParams(given.length > 0 ? given : [["days", "7"]])
  return { type: "resource_link", uri: `restwell://csv/${type}/${text}`, name: `${type}.csv`, mimeType: CSV }
}

/** The records of each list as CSV (RFC 4180), for programs that save files. */
export function registerCsv(server: McpServer, { source, challenge }: ToolOptions): void {
  server.registerResource(
    "csv",
    new ResourceTemplate("restwell://csv/{type}/{range}", { list: undefined }),
    {
      mimeType: CSV,
      title: "Records as CSV",
      description: "sleep, recovery, workout, cycle or journal, and a range as in days=30",
      cacheHint: { ttlMs: 300_000, cacheScope: "private" },
      scopeChallenge: challenge(CSV_TYPES.map((type) => SCOPE_OF[type])),
    },
    async (uri, { type, range }) => ({
      contents: [{ uri: uri.href, mimeType: CSV, text: await readCsv(source, uri.href, type, range) }],
    }),
  )
}

async function readCsv(source: HealthSource, uri: string, typeText: unknown, rangeText: unknown): Promise<string> {
  const type = CsvTypeSchema.safeParse(typeText)
  const range = RangeTextSchema.safeParse(rangeText)
  if (!type.success || !range.success) throw new InvalidRequest("no such type or range", "uri")
  const [body] = await source.read(uri, [{ type: type.data, ...range.data }])
  const { records } = plainWords(OUTPUTS[type.data].parse(body))
  const rows = records.map(flatRecord)
  return [rows.slice(0, 1).map(Object.keys), rows.map(Object.values)].flat().map(csvLine).join("")
}
