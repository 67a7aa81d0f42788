import type { HealthType } from "@restwell/client"
import { sql } from "kysely"
import type { Context } from "../context/context.ts"
import { presentRecord } from "../health/present.ts"
import type { HealthFact } from "../store/stored-record.ts"
import { PAGE_SIZE, readPages } from "./read-pages.ts"

/** Types that can be exported as a table. */
export const EXPORTED_TYPES = ["sleep", "recovery", "workout", "cycle"] as const satisfies readonly HealthType[]
export type ExportedType = (typeof EXPORTED_TYPES)[number]

/**
 * All records of one type as CSV (RFC 4180), newest first, in pieces of 500 rows. Columns are the fields of the REST records,
 * nested ones joined with `_`, and the record's UTC offset.
 */
export async function* exportCsv({ database }: Context, userId: string, type: ExportedType): AsyncIterable<string> {
  let hasHeader = false
  for await (const page of readPages((after?: Row) => readRows(database, userId, type, after))) {
    const records = page.map((row) => ({ ...columnsOf(row), utc_offset_minutes: row.utc_offset_minutes }))
    const [first] = records
    if (!first) continue
    if (!hasHeader) yield line(Object.keys(first))
    hasHeader = true
    yield records.map((record) => line(Object.values(record))).join("")
  }
}

type Row = HealthFact & { readonly provider_id: string; readonly utc_offset_minutes: number | null }

async function readRows(database: Context["database"], userId: string, type: ExportedType, after?: Row) {
  const isOlder = after && sql`and (date, provider_id) < (${after.date}::date, ${after.provider_id})`
  const { rows } = await sql<Row>`
    select kind, date::text, score_state as "scoreState", skin_temp_deviation as "skinTempDeviation", detail, provider_id, utc_offset_minutes
    from restwell.record
    where user_id = ${userId} and kind = ${type} and date is not null ${isOlder ?? sql``}
    order by date desc, provider_id desc limit ${PAGE_SIZE}`.execute(database)
  return rows
}

/** Stands in for missing zones, so that every row has the same columns. */
const NO_ZONES = Object.fromEntries([0, 1, 2, 3, 4, 5].map((zone) => [`zone_${zone}_hours`, null]))

function columnsOf(fact: HealthFact): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(presentRecord(fact)).flatMap(([name, value]) => {
      const nested = name === "zones" ? (value ?? NO_ZONES) : value
      if (typeof nested !== "object" || nested === null) return [[name, value]]
      return Object.entries(nested).map(([inner, cell]) => [`${name}_${inner}`, cell])
    }),
  )
}

const line = (cells: readonly unknown[]): string => `${cells.map(cellText).join(",")}\r\n`

/** Spreadsheets run a cell that begins like this as a formula. @see OWASP, CSV injection */
const FORMULA = /^[=+\-@\t\r]/

function cellText(cell: unknown): string {
  if (cell === null || cell === undefined) return ""
  if (typeof cell !== "string") return String(cell)
  const text = FORMULA.test(cell) ? `'${cell}` : cell
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
