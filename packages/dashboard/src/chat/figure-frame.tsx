import { type ReactNode, useState } from "react"
import { Button } from "../components/button.tsx"
import { useHost } from "./host-context.ts"
import { PagedTable, type TableContent } from "./paged-table.tsx"

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
