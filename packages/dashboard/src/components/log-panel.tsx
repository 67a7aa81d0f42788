import { AccessLogResponseSchema, SecurityLogResponseSchema } from "@restwell/client"
import { type InfiniteData, type UseInfiniteQueryResult, useInfiniteQuery } from "@tanstack/react-query"
import type { ReactNode } from "react"
import type { ZodType } from "zod"
import { send } from "../api/send.ts"
import { Button } from "./button.tsx"
import { ScrollRegion } from "./data-table.tsx"
import { FailureNotice, Skeleton } from "./notice.tsx"
import { Panel } from "./page.tsx"

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
