import { type ReactNode, useState } from "react"
import { Button } from "../components/button.tsx"
import { useHost } from "./host.ts"

const PAGE = 10

export interface TableContent {
  readonly caption: string
  readonly headers: readonly [string, ...string[]]
  readonly rows: readonly (readonly [label: string, ...cells: string[]])[]
}

/** A table in pages, because chats do not want regions that scroll by themselves. */
function PagedTable({ caption, headers, rows }: TableContent) {
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

interface FigureFrameProps {
  readonly title: string
  readonly subtitle: string
  /** The verdict in one sentence. */
  readonly sentence: string
  readonly notes: readonly string[]
  readonly url: string
  /** The same figures as a table. Undefined where there are none. */
  readonly table: TableContent | undefined
  readonly children: ReactNode
}

/** Title, verdict, and the chart or its table. */
export function FigureFrame({ title, subtitle, sentence, notes, url, table, children }: FigureFrameProps) {
  const host = useHost()
  const [isTable, setTable] = useState(false)
  return (
    <>
      <h1 className="font-semibold">{title}</h1>
      <p className="text-xs text-muted">{subtitle}</p>
      <p className="mt-1.5 mb-2 tabular-nums">{sentence}</p>
      {table && isTable ? <PagedTable {...table} /> : children}
      {notes.map((note) => (
        <p key={note} className="mt-1.5 text-xs text-muted">
          {note}
        </p>
      ))}
      <div className="mt-1.5 -ml-3.5 flex flex-wrap">
        {table && (
          <Button look="quiet" aria-pressed={isTable} onClick={() => setTable(!isTable)}>
            {isTable ? "Chart" : "Table"}
          </Button>
        )}
        {host?.canOpenLinks === true && (
          <Button look="quiet" onClick={() => host.openLink(url)}>
            Open in Restwell
          </Button>
        )}
      </div>
    </>
  )
}
