import type { HealthType } from "@restwell/client"
import { sql } from "kysely"
import type { Context } from "../context/context.ts"
import { presentRecord, presentWorkout } from "../health/present.ts"
import type { HealthFact } from "../store/read-health-rows.ts"

/** The kinds that a table can be made of. */
export const EXPORTED_TYPES = ["sleep", "recovery", "workout", "cycle"] as const satisfies readonly HealthType[]
export type ExportedType = (typeof EXPORTED_TYPES)[number]

const PAGE = 500

interface Page {
  readonly facts: (HealthFact & { readonly provider_id: string; readonly utc_offset_minutes: number | null })[]
}

/**
 * All records of one kind as CSV, newest first: the fields of the answers, nested ones joined with `_`, and the offset of where it
 * happened. RFC 4180: CRLF, quotes doubled. Pieces of 500 rows.
 */
export async function* exportCsv(context: Context, userId: string, type: ExportedType): AsyncIterable<string> {
  let header: string[] | undefined
  for await (const { facts } of pages(context, userId, type)) {
    const rows = facts.map((fact) => ({ ...flatten(presentFact(fact)), utc_offset_minutes: fact.utc_offset_minutes }))
    const [first] = rows
    if (!first) continue
    if (!header) {
      header = Object.keys(first)
      yield line(header)
    }
    yield rows.map((row) => line(Object.values(row))).join("")
  }
}

/** By place, not by key: a page that is read goes on where the last one ended, however many there are. */
async function* pages({ database }: Context, userId: string, type: ExportedType): AsyncIterable<Page> {
  for (let after: Page["facts"][number] | undefined; ; ) {
    const { rows: facts } = await sql<Page["facts"][number]>`
      select kind, date::text, score_state as "scoreState", cycle_provider_id as "cycleProviderId",
        skin_temp_deviation as "skinTempDeviation", detail, provider_id, utc_offset_minutes
      from restwell.record
      where user_id = ${userId} and kind = ${type} and date is not null
        and (${after?.date ?? null}::date is null or (date, provider_id) < (${after?.date ?? null}::date, ${after?.provider_id ?? ""}))
      order by date desc, provider_id desc limit ${PAGE}`.execute(database)
    yield { facts }
    after = facts.at(-1)
    if (!after || facts.length < PAGE) return
  }
}

function presentFact(fact: HealthFact): object {
  if (fact.kind !== "workout") return presentRecord(fact)
  const workout = presentWorkout(fact)
  return { ...workout, zones: workout.zones ?? NO_ZONES }
}

/** Every row has the same columns. */
const NO_ZONES = Object.fromEntries([0, 1, 2, 3, 4, 5].map((zone) => [`zone_${zone}_hours`, null]))

function flatten(record: object): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(record).flatMap(([name, value]) =>
      typeof value === "object" && value !== null
        ? Object.entries(value).map(([inner, cell]) => [`${name}_${inner}`, cell])
        : [[name, value]],
    ),
  )
}

const line = (cells: readonly unknown[]): string => `${cells.map(cellText).join(",")}\r\n`

/** A spreadsheet takes a text with these beginnings for a formula. OWASP: CSV injection */
const FORMULA = /^[=+\-@\t\r]/

function cellText(cell: unknown): string {
  if (cell === null || cell === undefined) return ""
  if (typeof cell !== "string") return String(cell)
  const text = FORMULA.test(cell) ? `'${cell}` : cell
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
