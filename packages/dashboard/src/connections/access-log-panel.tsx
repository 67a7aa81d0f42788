import type { AccessLogEntry } from "@restwell/client"
import { useAccessLog } from "../api/logs.ts"
import { LogPanel } from "../components/log-panel.tsx"
import { fullDate, instantText } from "../format/date.ts"

/** Reads by the API key and by assistants. */
export function AccessLogPanel() {
  const log = useAccessLog()
  return (
    <LogPanel
      title="Access log"
      description="Every read by your API key and by assistants in the last 90 days, newest first. The health data itself is not logged."
      label="Reads"
      empty="No reads yet."
      log={log}
    >
      {(entries) => (
        <table className="w-full text-left text-sm">
          <thead className="sticky top-0 bg-surface text-muted">
            <tr>
              {["Time", "Reader", "Request", "Dates", "Records", "Outcome"].map((head) => (
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
                <td className="py-1.5 pr-4">{entry.reader === "api_key" ? "Your API key" : entry.assistant}</td>
                <td className="py-1.5 pr-4 font-mono text-xs whitespace-nowrap">{operationText(entry)}</td>
                <td className="py-1.5 pr-4 whitespace-nowrap">{datesText(entry)}</td>
                <td className="py-1.5 pr-4 tabular-nums">{countText(entry)}</td>
                <td className="py-1.5">{entry.outcome.replaceAll("_", " ")}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </LogPanel>
  )
}

/** The request of an API key, or the tool of an assistant. */
const operationText = ({ reader, operation, types, reads }: AccessLogEntry): string =>
  reader === "api_key"
    ? `${operation}${operation === "/api/v1/health" ? `?type=${types.join()}` : ""}${reads > 1 ? `, ${reads} times` : ""}`
    : operation

const countText = ({ record_count: count, outcome }: AccessLogEntry): string =>
  count === null ? (outcome === "answered" ? "not counted" : "none") : String(count)

function datesText({ start_date: from, end_date: to }: AccessLogEntry): string {
  if (from === null || to === null) return "none"
  return from === to ? fullDate(from) : `${fullDate(from)} to ${fullDate(to)}`
}
