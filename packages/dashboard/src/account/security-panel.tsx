import type { SecurityEventEntry } from "@restwell/client"
import { useSecurityLog } from "../api/audit.ts"
import { Button } from "../components/button.tsx"
import { FailureNotice } from "../components/failure-notice.tsx"
import { Panel } from "../components/panel.tsx"
import { Skeleton } from "../components/skeleton.tsx"
import { instantText } from "../format/date.ts"
import { securityEventText } from "../format/security-events.ts"

/** What happened to the account, and from where. */
export function SecurityPanel() {
  const log = useSecurityLog()
  const entries = log.data?.pages.flatMap((page) => page.entries) ?? []
  return (
    <Panel
      title="Security"
      description="What happened to your account in the last 90 days, the newest first. Was something not you? Change your password, and make a new API key."
    >
      {log.isPending && <Skeleton className="h-16" label="The events are being read" />}
      {log.isError && <FailureNotice error={log.error} onRetry={() => log.refetch()} />}
      {log.isSuccess && entries.length === 0 && <p className="text-sm text-muted">Nothing in the last 90 days.</p>}
      {entries.length > 0 && <Events entries={entries} />}
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

const Events = ({ entries }: { entries: readonly SecurityEventEntry[] }) => (
  <section
    aria-label="Security events"
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must take the keyboard, WCAG 2.1.1
    tabIndex={0}
    className="max-h-80 overflow-auto"
  >
    <ul className="divide-y divide-line text-sm">
      {entries.map((entry) => (
        <li key={entry.id} className="flex flex-wrap items-baseline justify-between gap-x-4 py-2">
          <span className="min-w-0 basis-56 grow break-words">{securityEventText(entry)}</span>
          <span className="text-muted">
            {instantText(entry.at)}
            {entry.network !== null && `, from ${entry.network}`}
          </span>
        </li>
      ))}
    </ul>
  </section>
)
