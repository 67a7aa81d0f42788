/** Records as lists of columns: as CSV, and with some of their fields alone. */
import {
  CycleRecordSchema,
  JournalRecordSchema,
  nearestName,
  RecoveryRecordSchema,
  SleepRecordSchema,
  WorkoutRecordSchema,
} from "@restwell/client"
import { z } from "zod"
import { InvalidRequest } from "../context/errors.ts"

/** A field of a record. The names of nested fields are joined with `_`. */
export interface Column {
  readonly name: string
  /** The field of the record, and the fields inside of it that lead to the value. */
  readonly path: readonly string[]
}

/** The columns of a record's schema, in its order. @param outer the fields that lead to it */
const columnsOf = ({ shape }: z.ZodObject, outer: readonly string[] = []): Column[] =>
  Object.entries(shape).flatMap(([field, schema]): Column[] => {
    const path = [...outer, field]
    const nested = objectIn(schema)
    return nested ? columnsOf(nested, path) : [{ name: path.join(SEPARATOR), path }]
  })

const SEPARATOR = "_"

function objectIn(field: unknown): z.ZodObject | undefined {
  if (field instanceof z.ZodNullable || field instanceof z.ZodOptional) return objectIn(field.unwrap())
  return field instanceof z.ZodObject ? field : undefined
}

/** Types that are lists of records, with all their fields. */
const LISTS = {
  sleep: columnsOf(SleepRecordSchema),
  recovery: columnsOf(RecoveryRecordSchema),
  workout: columnsOf(WorkoutRecordSchema),
  cycle: columnsOf(CycleRecordSchema),
  journal: columnsOf(JournalRecordSchema),
} as const
/** No columns of a table unless they are named: a whole night has the fields of a sleep again, and what others know is a list. */
const ONLY_NAMED: readonly (string | undefined)[] = ["night", "others"]
export type ListType = keyof typeof LISTS
export const LIST_TYPES = ["sleep", "recovery", "workout", "cycle", "journal"] as const satisfies ListType[]

interface ListQuery {
  readonly type: string
  readonly format?: "json" | "csv" | undefined
  readonly fields?: readonly string[] | undefined
  readonly source?: string | undefined
}

/** How a list is written. */
export interface Listing {
  readonly isCsv: boolean
  readonly columns: readonly Column[]
  /** Whether fields of the records are left out. */
  readonly isPart: boolean
}

/** Undefined for a type that is no list. @throws {InvalidRequest} for a format or fields that it has not */
export function listingOf({ type, format, fields, source }: ListQuery): Listing | undefined {
  const list = LIST_TYPES.find((known) => known === type)
  if (list === undefined) {
    const advice = `send type=${LIST_TYPES.filter((name) => name !== "journal").join(", ")} with it`
    if (format === "csv") throw new InvalidRequest(`type=${type} is no list, CSV has lists alone: ${advice}`, "type")
    if (fields) throw new InvalidRequest(`fields selects fields of records, type=${type} has none: ${advice}`, "fields")
    return undefined
  }
  const isCsv = format === "csv"
  // A nested field and a part of it may both be named.
  const selected = fields && [...new Set(fields.flatMap((name) => namedBy(name, LISTS[list])))]
  return { isCsv, columns: selected ?? fieldsOf(list, source), isPart: fields !== undefined }
}

/** The columns of a type's table. Only a list of all sources' records says which of them are chosen. */
export const fieldsOf = (list: ListType, source?: string): readonly Column[] =>
  LISTS[list].filter(({ name, path }) => !ONLY_NAMED.includes(path[0]) && (name !== "chosen" || source === "all"))

/** "night", "night_score" and "night_score_performance" */
const namesOf = ({ path }: Column): string[] => path.map((_, index) => path.slice(0, index + 1).join(SEPARATOR))

/** The column of this name, or all columns of a nested field. @throws {InvalidRequest} that names the nearest */
function namedBy(field: string, columns: readonly Column[]): readonly Column[] {
  const found = columns.filter((column) => namesOf(column).includes(field))
  if (found.length > 0) return found
  const names = [...new Set(columns.flatMap(namesOf))]
  const meant = nearestName(field, names, MOST_EDITS)
  const hint = meant === undefined ? `there are ${names.join(", ")}` : `did you mean ${meant}`
  throw new InvalidRequest(`fields has no ${field.slice(0, LONGEST_NAME)}, ${hint}`, "fields")
}

/** A name that takes more edits is not a misspelling of another. */
const MOST_EDITS = 4
const LONGEST_NAME = 40

/** A record with these fields alone. */
export const partOf = (record: object, columns: readonly Column[]): object =>
  partAt(
    record,
    columns.map(({ path }) => path),
  )

/** @param paths of values inside the object. Fields that lead to the same object are together, where the first of them is named */
function partAt(whole: object, paths: readonly (readonly string[])[]): object {
  const fields = fieldsIn(whole)
  const inner = Map.groupBy(paths, ([field = ""]) => field)
  return Object.fromEntries(
    [...inner].map(([field, own]) => {
      const value = fields[field]
      const deeper = own.map(([, ...rest]) => rest).filter(({ length }) => length > 0)
      return [field, isNested(value) && deeper.length > 0 ? partAt(value, deeper) : value]
    }),
  )
}

const isNested = (value: unknown): value is object =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const fieldsIn = (value: object): Record<string, unknown> => Object.fromEntries(Object.entries(value))

/** Records as CSV with a header, also without any record. RFC 4180 */
export const csvOf = (columns: readonly Pick<Column, "name">[], records: readonly object[]): string =>
  csvHeader(columns) + csvRows(columns, records)

export const csvHeader = (columns: readonly Pick<Column, "name">[]): string => csvLine(columns.map(({ name }) => name))

export const csvRows = (columns: readonly Pick<Column, "name">[], records: readonly object[]): string =>
  records
    .map((record) => {
      const flat = flatRecord(record)
      return csvLine(columns.map(({ name }) => flat[name]))
    })
    .join("")

/** A record without nesting, by the names of columns. */
function flatRecord(record: object, outer = "", flat: Record<string, unknown> = {}): Record<string, unknown> {
  // A list is one cell of JSON, because spreadsheets have no lists.
  for (const [field, value] of Object.entries(record))
    if (Array.isArray(value)) flat[outer + field] = value.length === 0 ? null : JSON.stringify(value)
    else if (isNested(value)) flatRecord(value, outer + field + SEPARATOR, flat)
    else flat[outer + field] = value
  return flat
}

/** One line of CSV with its end. RFC 4180 */
const csvLine = (cells: readonly unknown[]): string => `${cells.map(cellText).join(",")}\r\n`

/** What spreadsheets skip at the beginning of a cell, or take for nothing. */
const UNSEEN = /^[\p{White_Space}\p{C}\p{M}\p{Default_Ignorable_Code_Point}]+/u

/** True for a cell that a spreadsheet may run as a formula, full-width signs included. @see OWASP, CSV injection */
const isFormula = (cell: string): boolean =>
  // Most cells begin with one of these, and the rest of the rule costs more than all else of a line.
  !/^[A-Za-z\d]/.test(cell) &&
  (/^[\t\r\n]/.test(cell) || /^[=+\-@\u2212]/.test(cell.normalize("NFKC").replace(UNSEEN, "")))

function cellText(cell: unknown): string {
  if (cell === null || cell === undefined) return ""
  if (typeof cell !== "string") return String(cell)
  const text = isFormula(cell) ? `'${cell}` : cell
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
