// The tables of Oura's data export: their names, columns and cells. Columns have the names of the API's fields, and cells may be JSON.
// Real files have `;` or `,` between cells, and dates after their names: dailysleep_2024-01-01_2024-12-31.csv.
import { type CsvFormat, firstRowsOf, type TableFile } from "../archive/csv-rows.ts"
import type { Json } from "../contract/records.ts"
import { HEART_RATE_FIELDS, type OuraCollection } from "./api.ts"

export type OuraTableName = OuraCollection | "enhanced_tag" | "heartrate"

/** A table of the export, and the place of each column. */
export interface OuraTable extends TableFile {
  readonly table: OuraTableName
  readonly delimiter: NonNullable<CsvFormat["delimiter"]>
  readonly columns: ReadonlyMap<string, number>
}

/** Columns that only this table has. A score with contributors is in several, so there the name of the file counts. */
const SIGNS: readonly (readonly [table: OuraTableName, columns: readonly string[], name?: RegExp])[] = [
  ["enhanced_tag", ["tag_type_code"]],
  ["heartrate", HEART_RATE_FIELDS],
  ["sleep", ["day", "bedtime_start", "bedtime_end"]],
  ["workout", ["activity", "start_datetime", "end_datetime"]],
  ["daily_readiness", ["day", "score", "temperature_deviation"]],
  ["daily_activity", ["day", "total_calories", "steps"]],
  ["daily_spo2", ["day", "spo2_percentage"]],
  ["daily_sleep", ["day", "score"], /daily_?sleep/i],
]

/** Names of the tables that are read, in exports of all ages. */
const READ_NAME =
  /(?:^|\/)(?:sleep(?:model)?|daily_?(?:sleep|readiness|activity|spo2)|workouts?|heart_?rate|(?:enhanced_?)?tags?)(?:_\d{4}-\d\d-\d\d)*\.csv$/i
/** Columns of nearly all of Oura's tables, also of tables that are not read. */
const USUAL = ["id", "day", "timestamp", "contributors", "type", "score"]

/**
 * A column of Oura's table of trends, which has a row for each date and no single sleeps.
 * @see https://github.com/bfvaseghi/health-app
 */
const OF_TRENDS = "bedtime start"

/** A file that is no table that is read. */
export interface OtherFile {
  readonly name: string
  /** The first line, shortened. */
  readonly header: string
  /** True for another table of Oura's export. */
  readonly isOfOura: boolean
  /** True if its name is that of a table that is read, and it is not empty. */
  readonly isMissed: boolean
}

const LONGEST_HEADER = 200

/** Returns the table that a file is, by its header, or what else it is. */
export async function ouraTableOf(file: TableFile): Promise<OuraTable | OtherFile> {
  let isOfOura = false
  let line = ""
  for (const delimiter of [";", ","] as const) {
    const [header] = await firstRowsOf(file, 1, { delimiter })
    const columns = new Map(header?.cells.map((title, index) => [title.trim().toLowerCase(), index]))
    isOfOura ||= USUAL.filter((column) => columns.has(column)).length > 1 || columns.has(OF_TRENDS)
    line = header?.cells.join(delimiter).slice(0, LONGEST_HEADER) ?? ""
    const [table] =
      SIGNS.find(([, signs, name]) => signs.every((sign) => columns.has(sign)) && (name?.test(file.name) ?? true)) ?? []
    if (table) return { ...file, table, delimiter, columns }
  }
  return { name: file.name, header: line, isOfOura, isMissed: line.trim() !== "" && READ_NAME.test(file.name) }
}

/** Texts, whatever they look like. Everything else is JSON. */
const TEXTS: ReadonlySet<string> = new Set([
  "id",
  "day",
  "type",
  "bedtime_start",
  "bedtime_end",
  "timestamp",
  "sleep_phase_5_min",
  "sleep_phase_30_sec",
  "activity",
  "start_datetime",
  "end_datetime",
])
const NOTHING: ReadonlySet<string> = new Set(["", "null", "None", "NaN"])

/** Returns a row as the API would send it, with these fields. */
export function documentOf(fields: readonly string[], { columns }: OuraTable, cells: readonly string[]): Json {
  return Object.fromEntries(
    fields.flatMap((field) => {
      const index = columns.get(field)
      return index === undefined ? [] : [[field, cellValue(field, cells[index]?.trim() ?? "")]]
    }),
  )
}

function cellValue(field: string, text: string): Json {
  if (NOTHING.has(text)) return null
  if (TEXTS.has(field)) return text
  const value = jsonOf(text)
  return field === "spo2_percentage" && typeof value === "number" ? { average: value } : value
}

/** A cell that is no JSON stays a text, which the field's schema refuses. */
function jsonOf(text: string): Json {
  try {
    const value: Json = JSON.parse(text)
    return value
  } catch {
    return text
  }
}
