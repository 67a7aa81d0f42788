// The tables of Oura's data export: their names, columns and cells. Columns have the names of the API's fields, and cells may be JSON.
// Real files have `;` or `,` between cells, and dates after their names: dailysleep_2024-01-01_2024-12-31.csv.
import { type Delimiter, firstRowsIn } from "../archive/csv-rows.ts"
import type { TextFile, TextHead } from "../archive/text.ts"
import { baseName } from "../archive/zip-entries.ts"
import type { Json } from "../contract/records.ts"
import { writtenMs } from "../normalize/clock-time.ts"
import { FIELDS, HEART_RATE_FIELDS, type OuraCollection } from "./api.ts"

export type OuraTableName = OuraCollection | "enhanced_tag" | "heartrate"

/** A table of the export, and the place of each column. */
export interface OuraTable extends TextFile {
  readonly table: OuraTableName
  readonly delimiter: Delimiter
  readonly columns: ReadonlyMap<string, number>
  /** Cells of the header. Titles may be there twice. */
  readonly width: number
  /** Columns of which figures are read, and that the file lacks. */
  readonly missing: readonly string[]
}

interface Signs {
  readonly table: OuraTableName
  /** Columns that its rows are nothing without. */
  readonly needed: readonly string[]
  /** Columns that no other table has. A file with one of them is this table, whatever it is called. */
  readonly own: readonly string[]
  /** Its names in exports of all ages, as letters. */
  readonly names: readonly string[]
}

const SIGNS: readonly Signs[] = [
  {
    table: "enhanced_tag",
    needed: ["id", "tag_type_code"],
    own: ["tag_type_code"],
    names: ["tag", "tags", "enhancedtag", "enhancedtags"],
  },
  { table: "heartrate", needed: HEART_RATE_FIELDS, own: ["bpm"], names: ["heartrate"] },
  {
    table: "sleep",
    needed: ["id", "type", "bedtime_start", "bedtime_end"],
    own: ["bedtime_start", "bedtime_end", "sleep_phase_5_min", "total_sleep_duration"],
    names: ["sleep", "sleepmodel"],
  },
  {
    table: "workout",
    needed: ["id", "start_datetime", "end_datetime"],
    own: ["activity", "start_datetime"],
    names: ["workout", "workouts"],
  },
  {
    table: "daily_readiness",
    needed: ["id", "day"],
    own: ["temperature_deviation", "temperature_trend_deviation"],
    names: ["dailyreadiness", "readiness"],
  },
  {
    table: "daily_activity",
    needed: ["id", "timestamp"],
    own: ["total_calories", "equivalent_walking_distance", "active_calories"],
    names: ["dailyactivity", "activity"],
  },
  { table: "daily_spo2", needed: ["day", "spo2_percentage"], own: ["spo2_percentage"], names: ["dailyspo", "spo"] },
  { table: "daily_sleep", needed: ["id", "day", "score"], own: [], names: ["dailysleep"] },
]

/** `App Data/dailysleep_2024-01-01_2024-12-31 (1).csv` is `dailysleep`. */
const nameOf = (path: string): string =>
  baseName(path)
    .toLowerCase()
    .replace(/\.csv$/, "")
    .replaceAll(/[^a-z]/g, "")

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
  /** Columns that it would need to be read. */
  readonly lacks: readonly string[]
}

const LONGEST_HEADER = 200
/** Columns that Oura's tables have in common. Other vendors' tables may have one or two of them. */
const LEAST_USUAL = 2

/** Returns the table that a file is, by its columns and its name, or what else it is. */
export function ouraTableOf(head: TextHead): OuraTable | OtherFile {
  const [one, other] = ([";", ","] as const).map((delimiter) => tableIn(head, delimiter))
  if (one && other) return "table" in one ? one : "table" in other || other.isOfOura ? other : one
  throw new Error("a table has two delimiters")
}

function tableIn(head: TextHead, delimiter: Delimiter): OuraTable | OtherFile {
  const { name, open } = head
  const cells = firstRowsIn(head, { delimiter, count: 1 })[0]?.cells ?? []
  const columns = new Map<string, number>()
  for (const [index, title] of cells.entries()) {
    const column = title.trim().toLowerCase()
    if (!columns.has(column)) columns.set(column, index)
  }
  const isCalled = ({ names }: Signs) => names.includes(nameOf(name))
  const signs =
    SIGNS.find((each) => each.own.some((column) => columns.has(column)) && isCalled(each)) ??
    SIGNS.find(
      (each) => each.needed.every((column) => columns.has(column)) && each.own.some((column) => columns.has(column)),
    ) ??
    SIGNS.find((each) => isCalled(each) && READ_COLUMNS[each.table].filter((column) => columns.has(column)).length > 1)
  const lacks = signs ? signs.needed.filter((column) => !columns.has(column)) : []
  if (signs && lacks.length === 0) {
    const { table } = signs
    const missing = READ_COLUMNS[table].filter((column) => !columns.has(column) && !OPTIONAL.has(column))
    return { name, open, table, delimiter, columns, width: cells.length, missing }
  }
  const isUsual =
    (columns.has("day") || columns.has("contributors")) &&
    USUAL.filter((column) => columns.has(column)).length >= LEAST_USUAL
  const isOfOura = isUsual || columns.has(OF_TRENDS) || lacks.length > 0
  const header = cells.join(delimiter).slice(0, LONGEST_HEADER)
  return { name, header, isOfOura, isMissed: header.trim() !== "" && SIGNS.some(isCalled), lacks }
}

export const TAG_COLUMNS = ["id", "tag_type_code", "custom_name", "custom_tag_name", "start_time", "start_day", "day"]

/** The columns of each table that are read. */
export const READ_COLUMNS: Readonly<Record<OuraTableName, readonly string[]>> = {
  ...FIELDS,
  enhanced_tag: TAG_COLUMNS,
  heartrate: HEART_RATE_FIELDS,
}
/** Columns that only some exports have. */
const OPTIONAL: ReadonlySet<string> = new Set([
  "meta",
  "day",
  "start_day",
  "custom_name",
  "custom_tag_name",
  "average_heart_rate",
])

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

/** Where the day of a row is, if it has no column of its own. A sleep has the day of waking. */
const DAY_COLUMNS: Readonly<Partial<Record<OuraTableName, string>>> = {
  sleep: "bedtime_end",
  workout: "start_datetime",
  daily_activity: "timestamp",
  daily_readiness: "timestamp",
  daily_sleep: "timestamp",
}

/** Returns a row as the API would send it, with these fields. */
export function documentOf(fields: readonly string[], { table, columns }: OuraTable, cells: readonly string[]): Json {
  const cellOf = (column: string) => cells[columns.get(column) ?? -1]?.trim() ?? ""
  return Object.fromEntries(
    fields.flatMap((field) => {
      const source = DAY_COLUMNS[table]
      if (field === "day" && source !== undefined && !isDate(cellOf(field)) && columns.has(source))
        return [[field, cellOf(source).slice(0, DATE_LENGTH)]]
      return columns.has(field) ? [[field, cellValue(field, cellOf(field))]] : []
    }),
  )
}

const DATE_LENGTH = 10
const isDate = (text: string): boolean => text.length === DATE_LENGTH && !Number.isNaN(writtenMs(text))

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
