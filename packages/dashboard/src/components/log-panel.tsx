import type { InfiniteData, UseInfiniteQueryResult } from "@tanstack/react-query"
import type { ReactNode } from "react"
import { Button } from "./button.tsx"
import { FailureNotice } from "./failure-notice.tsx"
import { Panel } from "./panel.tsx"
import { Skeleton } from "./skeleton.tsx"

interface LogPanelProps<Entry> {
  readonly title: string
  readonly description: string
  /** What the list is called to a screen reader. */
  readonly label: string
  /** In place of an empty list. */
  readonly empty: string
  readonly log: UseInfiniteQueryResult<InfiniteData<{ readonly entries: readonly Entry[] }>>
  readonly children: (entries: readonly Entry[]) => ReactNode
}

/** A log, the newest first, read page by page. */
export function LogPanel<Entry>({ title, description, label, empty, log, children }: LogPanelProps<Entry>) {
  const entries = log.data?.pages.flatMap((page) => page.entries) ?? []
  return (
    <Panel title={title} description={description}>
      {log.isPending && <Skeleton className="h-16" label={`${label} are being read`} />}
      {log.isError && <FailureNotice error={log.error} onRetry={() => log.refetch()} />}
      {log.isSuccess && entries.length === 0 && <p className="text-sm text-muted">{empty}</p>}
      {entries.length > 0 && (
        <section
          aria-label={label}
          // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must take the keyboard, WCAG 2.1.1
          tabIndex={0}
          className="max-h-80 overflow-auto"
        >
          {children(entries)}
        </section>
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
