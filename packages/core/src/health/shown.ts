import type { HealthType } from "@restwell/client"
import type { NormalizedRecord } from "@restwell/providers"
import { type FactRow, factOf, type HealthAnswerRow } from "../store/read-health-rows.ts"
import { detailOf } from "../store/stored-record.ts"
import { presentRecord } from "./present.ts"
import { toTenth } from "./round.ts"

/** Grows when the same data would be answered with other bytes, so that no cache keeps the old ones. */
export const PRESENTATION = "1"

/** Whether an answer is a list of records, each shown as it is stored. */
export const isList = (type: HealthType): boolean => type !== "summary" && type !== "profile"

/**
 * A record's JSON as it is stored beside it, so that an answer of ninety nights is put together, not made. What is settled by other records,
 * its date and the skin temperature's deviation, is left empty, and filled in when it is read; no value can look like either, since a
 * quotation mark within one is escaped.
 */
export const shownOf = (record: NormalizedRecord): string =>
  JSON.stringify(presentRecord(factOf([record.kind, "", record.scoreState, null, null, detailOf(record)])))

const DEVIATION = /"skin_temp_deviation_celsius":(-?\d[\d.e+-]*)/g

/** The records of an answer as REST's JSON, with commas between. A deviation comes as it is stored, and is rounded here as all figures are. */
export function shownRecords({ records, are_shown }: Pick<HealthAnswerRow, "records" | "are_shown">): string {
  const text = (records ?? "").replace(
    DEVIATION,
    (_, celsius) => `"skin_temp_deviation_celsius":${toTenth(Number(celsius))}`,
  )
  if (are_shown) return text
  // Some were stored by another version.
  const rows: (FactRow | object)[] = JSON.parse(`[${text}]`)
  return rows.map((row) => JSON.stringify(isRow(row) ? presentRecord(factOf(row)) : row)).join()
}

const isRow = (row: FactRow | object): row is FactRow => Array.isArray(row)
