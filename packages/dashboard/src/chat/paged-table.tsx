import { useState } from "react"
import { Button } from "../components/button.tsx"

const PAGE = 10

export interface TableContent {
  readonly caption: string
  readonly headers: readonly [string, ...string[]]
  readonly rows: readonly (readonly [label: string, ...cells: string[]])[]
}

/** A table in pages, because chats do not want regions that scroll by themselves. */
export function PagedTable({ caption, headers, rows }: TableContent) {
  const [first, setFirst] = useState(0)
  const shown = rows.slice(first, first + PAGE)
  return (
    <>
      <table className="w-full text-left tabular-nums">
        <caption className="sr-only">{caption}</caption>
        <thead>
          <tr className="border-b border-line">
            {headers.map((header) => (
              <th key={header} scope="col" className="py-1.5 pr-2 align-bottom font-medium">
                {header}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="divide-y divide-line">
          {shown.map(([label, ...cells]) => (
            <tr key={label}>
              <th scope="row" className="py-1 pr-2 font-normal text-muted">
                {label}
              </th>
              {cells.map((cell, index) => (
                <td key={headers[index + 1]} className="py-1 pr-2">
                  {cell}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {rows.length > PAGE && (
        <p className="mt-1 -ml-3.5 flex flex-wrap items-center">
          <Button look="quiet" disabled={first === 0} onClick={() => setFirst(first - PAGE)}>
            Previous rows
          </Button>
          <Button look="quiet" disabled={first + PAGE >= rows.length} onClick={() => setFirst(first + PAGE)}>
            Next rows
          </Button>
          <span role="status" className="text-xs text-muted">
            {first + 1} to {first + shown.length} of {rows.length}
          </span>
        </p>
      )}
    </>
  )
}
