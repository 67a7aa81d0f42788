import type { Bucket } from "../trends/buckets.ts"

export interface Column {
  readonly header: string
  readonly cell: (bucket: Bucket) => string
}

/** The same as the chart, in figures, newest first. It scrolls by itself. */
export const ChartTable = ({
  caption,
  buckets,
  columns,
}: {
  caption: string
  buckets: readonly Bucket[]
  columns: readonly Column[]
}) => (
  <section
    aria-label={`${caption}, table`}
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must take the keyboard, WCAG 2.1.1
    tabIndex={0}
    className="max-h-80 overflow-auto rounded-lg border border-line"
  >
    <table className="w-full text-left text-sm tabular-nums">
      <caption className="sr-only">{caption}</caption>
      <thead className="sticky top-0 bg-raised">
        <tr>
          {["Date", ...columns.map(({ header }) => header)].map((header) => (
            <th key={header} scope="col" className="px-3 py-2 font-medium whitespace-nowrap">
              {header}
            </th>
          ))}
        </tr>
      </thead>
      <tbody className="divide-y divide-line">
        {buckets.toReversed().map((bucket) => (
          <tr key={bucket.key}>
            <th scope="row" className="px-3 py-1.5 font-normal whitespace-nowrap text-muted">
              {bucket.label}
            </th>
            {columns.map(({ header, cell }) => (
              <td key={header} className="px-3 py-1.5 whitespace-nowrap">
                {cell(bucket)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  </section>
)
