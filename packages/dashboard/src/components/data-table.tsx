import type { ReactNode } from "react"

/** A region that scrolls must be reachable by keyboard. WCAG 2.1.1. */
const FOCUSABLE = 0

/** A named region that scrolls, by keyboard too. */
export const ScrollRegion = ({
  label,
  className,
  children,
}: {
  label: string
  className: string
  children: ReactNode
}) => (
  <section aria-label={label} tabIndex={FOCUSABLE} className={className}>
    {children}
  </section>
)

export interface Column<Row> {
  readonly header: string
  readonly cell: (row: Row) => string
}

/** A table with a row per date, or per what `rowHeader` names, which scrolls on its own. */
export const DataTable = <Row extends { readonly key: string; readonly label: string }>({
  caption,
  rows,
  columns,
  rowHeader = "Date",
}: {
  caption: string
  rows: readonly Row[]
  columns: readonly Column<Row>[]
  rowHeader?: string
}) => (
  <ScrollRegion label={`${caption}, table`} className="max-h-80 overflow-auto rounded-lg border border-line">
    <table className="w-full text-left text-sm tabular-nums">
      <caption className="sr-only">{caption}</caption>
      <thead className="sticky top-0 bg-raised">
        <tr>
          {[rowHeader, ...columns.map(({ header }) => header)].map((header) => (
            <th key={header} scope="col" className="px-3 py-2 font-medium whitespace-nowrap">
              {header}
            </th>
          ))}
        </tr>
      </thead>
      <tbody className="divide-y divide-line">
        {rows.map((row) => (
          <tr key={row.key}>
            <th scope="row" className="px-3 py-1.5 font-normal whitespace-nowrap text-muted">
              {row.label}
            </th>
            {columns.map(({ header, cell }) => (
              <td key={header} className="px-3 py-1.5 whitespace-nowrap">
                {cell(row)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  </ScrollRegion>
)
