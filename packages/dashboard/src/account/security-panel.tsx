import { useSecurityLog } from "../api/logs.ts"
import { LogPanel } from "../components/log-panel.tsx"
import { instantText } from "../format/date.ts"
import { securityEventText } from "./security-events.ts"

/** Security events of the account. */
export function SecurityPanel() {
  const log = useSecurityLog()
  return (
    <LogPanel
      title="Security"
      description="Events of the last 90 days, newest first. If you do not recognise one, change your password and regenerate your API key."
      label="Security events"
      empty="No events in the last 90 days."
      log={log}
    >
      {(entries) => (
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
      )}
    </LogPanel>
  )
}
