/** Stands in for missing zones, so that every row has the same columns. */
const NO_ZONES = Object.fromEntries([0, 1, 2, 3, 4, 5].map((zone) => [`zone_${zone}_hours`, null]))

/** A REST record without nesting: the names of nested fields are joined with `_`. */
export function flatRecord(record: object): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(record).flatMap(([name, value]) => {
      const nested = name === "zones" ? (value ?? NO_ZONES) : value
      if (typeof nested !== "object" || nested === null) return [[name, value]]
      return Object.entries(nested).map(([inner, cell]) => [`${name}_${inner}`, cell])
    }),
  )
}

/** One line of CSV with its end. RFC 4180 */
export const csvLine = (cells: readonly unknown[]): string => `${cells.map(cellText).join(",")}\r\n`

/** Spreadsheets run a cell that begins like this as a formula. @see OWASP, CSV injection */
const FORMULA = /^[=+\-@\t\r]/

function cellText(cell: unknown): string {
  if (cell === null || cell === undefined) return ""
  if (typeof cell !== "string") return String(cell)
  const text = FORMULA.test(cell) ? `'${cell}` : cell
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
