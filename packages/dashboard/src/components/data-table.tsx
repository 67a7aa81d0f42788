import { AccessLogResponseSchema, SecurityLogResponseSchema } from "@restwell/client"
import { type InfiniteData, type UseInfiniteQueryResult, useInfiniteQuery } from "@tanstack/react-query"
import type { ReactNode } from "react"
import type { ZodType } from "zod"
import { send } from "../api/send.ts"
import { Button } from "./button.tsx"
import { FailureNotice, Skeleton } from "./notice.tsx"
import { Panel } from "./page.tsx"

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

/** Reads of the person's data, page by page. */
export const useAccessLog = () => useLog("access-log", AccessLogResponseSchema)

/** Security events of the account, page by page. */
export const useSecurityLog = () => useLog("security-log", SecurityLogResponseSchema)

const useLog = <Page extends { next: string | null }>(log: string, schema: ZodType<Page>) =>
  useInfiniteQuery({
    queryKey: [log],
    queryFn: ({ pageParam }) => send(`/api/account/${log}${pageParam === "" ? "" : `?before=${pageParam}`}`, schema),
    initialPageParam: "",
    getNextPageParam: ({ next }) => next,
  })

interface LogPanelProps<Entry> {
  readonly title: string
  readonly description: string
  /** Accessible name of the list. */
  readonly label: string
  /** Text of an empty list. */
  readonly empty: string
  readonly log: UseInfiniteQueryResult<InfiniteData<{ readonly entries: readonly Entry[] }>>
  readonly children: (entries: readonly Entry[]) => ReactNode
}

/** A log, newest first, loaded page by page. */
export function LogPanel<Entry>({ title, description, label, empty, log, children }: LogPanelProps<Entry>) {
  const entries = log.data?.pages.flatMap((page) => page.entries) ?? []
  return (
    <Panel title={title} description={description}>
      {log.isPending && <Skeleton className="h-16" label={`Loading ${label.toLowerCase()}`} />}
      {log.isError && <FailureNotice error={log.error} onRetry={() => log.refetch()} />}
      {log.isSuccess && entries.length === 0 && <p className="text-sm text-muted">{empty}</p>}
      {entries.length > 0 && (
        <ScrollRegion label={label} className="max-h-80 overflow-auto">
          {children(entries)}
        </ScrollRegion>
      )}
      {log.hasNextPage && (
        <div className="mt-3">
          <Button onClick={() => log.fetchNextPage()} isBusy={log.isFetchingNextPage}>
            Show older
          </Button>
        </div>
      )}
    </Panel>
  )
}
