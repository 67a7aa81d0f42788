import type { AccessLogEntry } from "@restwell/client"
import { useAccessLog } from "../api/assistants.ts"
import { Button } from "../components/button.tsx"
import { FailureNotice } from "../components/failure-notice.tsx"
import { Panel } from "../components/panel.tsx"
import { Skeleton } from "../components/skeleton.tsx"
import { fullDate, instantText } from "../format/date.ts"

/** Which assistant read what, and when. */
export function AccessLogPanel() {
  const log = useAccessLog()
  const entries = log.data?.pages.flatMap((page) => page.entries) ?? []
  return (
    <Panel
      title="What assistants read"
      description="Every reading, the newest first. The figures themselves are not written down."
    >
      {log.isPending && <Skeleton className="h-16" label="The readings are being read" />}
      {log.isError && <FailureNotice error={log.error} onRetry={() => log.refetch()} />}
      {log.isSuccess && entries.length === 0 && <p className="text-sm text-muted">Nothing yet.</p>}
      {entries.length > 0 && <Entries entries={entries} />}
      {log.hasNextPage && (
        <div className="mt-3">
          <Button onClick={() => log.fetchNextPage()} isBusy={log.isFetchingNextPage}>
            Show older ones
          </Button>
        </div>
      )}
    </Panel>
  )
}

const Entries = ({ entries }: { entries: readonly AccessLogEntry[] }) => (
  <section
    aria-label="Readings by assistants"
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must take the keyboard, WCAG 2.1.1
    tabIndex={0}
    className="max-h-80 overflow-auto"
  >
    <table className="w-full text-left text-sm">
      <thead className="sticky top-0 bg-surface text-muted">
        <tr>
          {["When", "Assistant", "Asked", "Dates", "Outcome"].map((head) => (
            <th key={head} scope="col" className="py-1.5 pr-4 font-medium whitespace-nowrap">
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody className="divide-y divide-line">
        {entries.map((entry) => (
          <tr key={entry.id}>
            <td className="py-1.5 pr-4 whitespace-nowrap">{instantText(entry.at)}</td>
            <td className="py-1.5 pr-4">{entry.assistant}</td>
            <td className="py-1.5 pr-4 font-mono text-xs">{entry.operation}</td>
            <td className="py-1.5 pr-4 whitespace-nowrap">{datesText(entry)}</td>
            <td className="py-1.5">{entry.outcome.replaceAll("_", " ")}</td>
          </tr>
        ))}
      </tbody>
    </table>
  </section>
)

function datesText({ start_date: from, end_date: to }: AccessLogEntry): string {
  if (from === null || to === null) return "none"
  return from === to ? fullDate(from) : `${fullDate(from)} to ${fullDate(to)}`
}
