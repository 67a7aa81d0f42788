// Which table of WHOOP's data export a file is, and where its columns are. A table is known by enough of its titles, in any order. In a
// language whose titles are not known it is known by the shape of its values, which have to agree with each other too.
import { MINUTE_MS } from "@restwell/client/time-units"
import { columnOf, TABLE_NAMES, TABLES, type TableName, titleOf } from "./archive-columns.ts"

/** Which table a file is, and the place of each column. */
export interface Layout {
  readonly table: TableName
  readonly columns: ReadonlyMap<string, number>
  /** English titles of the usual columns that it lacks. Their figures are not known. */
  readonly missing: readonly string[]
}

/** A table of WHOOP's without the columns that its rows are nothing without. */
export interface Unusable {
  readonly table: TableName
  readonly lacks: readonly string[]
}

type Rows = readonly (readonly string[])[]

/** Returns the layout of a file from its header and some of its rows. Undefined if it is none of WHOOP's tables. */
export function recognizeLayout(header: readonly string[], rows: Rows): Layout | Unusable | undefined {
  const named = namedColumns(header)
  const byTitles = layoutOf(named)
  if (byTitles && "columns" in byTitles && byTitles.missing.length === 0) return byTitles
  return byValues(header, rows, named) ?? byTitles
}

function namedColumns(header: readonly string[]): Map<string, number> {
  const columns = new Map<string, number>()
  for (const [index, title] of header.entries()) {
    const column = columnOf(title)
    if (column !== undefined && !columns.has(column)) columns.set(column, index)
  }
  return columns
}

/** Fewer titles may be another vendor's too. */
const LEAST_KNOWN = 4
const RECOVERY = ["recovery", "resting_heart_rate", "hrv", "skin_temp", "spo2", "strain"]

/** What the rows of a table are nothing without. Without the zone they have the person's, and without `nap` the cycle's start tells. */
const NEEDED: Readonly<Record<TableName, readonly string[]>> = {
  cycles: ["cycle_start"],
  sleeps: ["sleep_onset", "wake_onset"],
  workouts: ["workout_start", "workout_end"],
  journal: ["cycle_start", "question", "answer"],
}

function layoutOf(columns: ReadonlyMap<string, number>): Layout | Unusable | undefined {
  if (columns.size < LEAST_KNOWN) return undefined
  const has = (column: string) => columns.has(column)
  const isOfWorkouts = ["workout_start", "workout_end", "activity", "zone_1", "zone_2"].some(has)
  const table = isOfWorkouts
    ? "workouts"
    : has("question") || has("answer")
      ? "journal"
      : RECOVERY.some(has)
        ? "cycles"
        : "sleeps"
  const lacks = NEEDED[table].filter((column) => !has(column))
  if (table === "sleeps" && !has("nap") && !has("cycle_start")) lacks.push("nap")
  if (lacks.length > 0) return { table, lacks: lacks.map((column) => titleOf(table, column)) }
  return { table, columns, missing: missingOf(table, columns) }
}

const missingOf = (table: TableName, columns: ReadonlyMap<string, number>): string[] =>
  TABLES[table].usual.filter((column) => !columns.has(column)).map((column) => titleOf(table, column))

/** Exports of 2022 and 2023 lack the last column of the sleeps. */
const LACKING: readonly (string | undefined)[] = [undefined, "consistency"]

/** WHOOP's own order, if nearly all rows have its values and no title that is known is at another place. */
function byValues(header: readonly string[], rows: Rows, named: ReadonlyMap<string, number>): Layout | undefined {
  for (const table of TABLE_NAMES)
    for (const lacking of LACKING) {
      const usual: readonly string[] = TABLES[table].usual.filter((column) => column !== lacking)
      if (lacking !== undefined && usual.length === TABLES[table].usual.length) continue
      const titles: readonly string[] = [...usual, ...TABLES[table].optional].slice(0, header.length)
      const isAsLong = header.length >= usual.length && header.length <= usual.length + TABLES[table].optional.length
      const isNamedSo = [...named].every(([column, index]) => titles[index] === column)
      if (!isAsLong || !isNamedSo) continue
      const columns = new Map(titles.map((column, index) => [column, index]))
      if (hasValuesOf(table, rows, columns)) return { table, columns, missing: missingOf(table, columns) }
    }
  return undefined
}

const TIME = /^\d{4}-\d{2}-\d{2}[ T]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?$/
const ZONE = /^(?:utc|gmt)|^z$|^[+-]\d/i
const NUMBER = /^-?\d+(?:\.\d+)?$/

/** Columns that have something else than a number. */
const TEXTS: ReadonlySet<string> = new Set(["activity", "nap", "gps", "question", "answer", "notes"])
const TIMES: ReadonlySet<string> = new Set([
  "cycle_start",
  "cycle_end",
  "sleep_onset",
  "wake_onset",
  "workout_start",
  "workout_end",
])

/** Shares of the rows that have to fit. Some rows of real files are broken. */
const HALF = 0.5
const MOST = 0.8

function hasValuesOf(table: TableName, rows: Rows, columns: ReadonlyMap<string, number>): boolean {
  // The other tables have so many columns that no other vendor's has as many.
  if (rows.length === 0) return table !== "journal"
  const isComplete = (cells: readonly string[]) => cells.length >= TABLES[table].usual.length - 1
  const fitting = rows.filter((cells) => isComplete(cells) && hasShape(table, valueIn(cells, columns), columns))
  if (fitting.length < rows.length * HALF) return false
  const checks = fitting.flatMap((cells) => agreements(valueIn(cells, columns)))
  return checks.filter(Boolean).length >= checks.length * MOST
}

type Value = (column: string) => string
const valueIn =
  (cells: readonly string[], columns: ReadonlyMap<string, number>): Value =>
  (column) =>
    cells[columns.get(column) ?? -1]?.trim() ?? ""

function hasShape(table: TableName, value: Value, columns: ReadonlyMap<string, number>): boolean {
  const isFull = NEEDED[table].every((column) => value(column) !== "" || column === "answer")
  if (!isFull || !ZONE.test(value("time_zone"))) return false
  if (table === "journal" && NUMBER.test(value("question"))) return false
  return [...columns.keys()].every((column) => {
    const cell = value(column)
    if (cell === "" || TEXTS.has(column)) return true
    return (column === "time_zone" ? ZONE : TIMES.has(column) ? TIME : NUMBER).test(cell)
  })
}

/** Minutes and percent that are rounded. */
const ROUNDED = 2

/** What WHOOP's figures of a row have in common. Columns at other places do not have it. */
function agreements(value: Value): boolean[] {
  const number = (column: string) => (value(column) === "" ? Number.NaN : Number(value(column)))
  const isNear = (one: number, other: number) => (Number.isNaN(one - other) ? [] : [Math.abs(one - other) <= ROUNDED])
  const [asleep, inBed] = [number("asleep_minutes"), number("in_bed_minutes")]
  const stages = number("light_minutes") + number("deep_minutes") + number("rem_minutes")
  const lengthMs = Date.parse(`${value("workout_end")}Z`) - Date.parse(`${value("workout_start")}Z`)
  return [
    isNear(stages, asleep),
    isNear(asleep + number("awake_minutes"), inBed),
    inBed > 0 ? isNear((asleep / inBed) * 100, number("efficiency")) : [],
    isNear(lengthMs / MINUTE_MS, number("minutes")),
  ].flat()
}

const SPREADSHEET_TIME = /^"?\d{1,2}[./-]\d{1,2}[./-]\d{2,4}/

/** True for a file that a spreadsheet program saved again: other separators, or dates in a country's order. */
export function isSavedBySpreadsheet(header: readonly string[], rows: Rows): boolean {
  const parts = header.join(",").split(/[;\t,]/)
  const isOfWhoop = namedColumns(parts.map((part) => part.replaceAll('"', ""))).size >= LEAST_KNOWN
  const isOneColumn = header.length <= 2 && (/^sep=/i.test(header.join(",")) || (isOfWhoop && parts.length > 2))
  const isDated = rows.filter(([start = ""]) => SPREADSHEET_TIME.test(start.trim())).length * 2 > rows.length
  return isOneColumn || (isDated && isOfWhoop)
}
