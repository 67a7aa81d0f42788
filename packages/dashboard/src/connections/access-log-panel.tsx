import type { AccessLogEntry } from "@restwell/client"
import { useAccessLog } from "../api/logs.ts"
import { LogPanel } from "../components/log-panel.tsx"
import { fullDate, instantText } from "../format/date.ts"

/** Who read what, and when: the API key and assistants. */
export function AccessLogPanel() {
  const log = useAccessLog()
  return (
    <LogPanel
      title="Who read what"
      description="Every reading by your API key and by assistants in the last 90 days, the newest first. The figures themselves are not written down."
      label="Readings"
      empty="Nothing yet."
      log={log}
    >
      {(entries) => (
        <table className="w-full text-left text-sm">
          <thead className="sticky top-0 bg-surface text-muted">
            <tr>
              {["When", "Who", "Asked", "Dates", "Records", "Outcome"].map((head) => (
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

/** A key's reading as it was asked for, an assistant's by its tool. */
const operationText = ({ reader, operation, types, reads }: AccessLogEntry): string =>
  reader === "api_key" ? `${operation}?type=${types.join()}${reads > 1 ? `, ${reads} times` : ""}` : operation

const countText = ({ record_count: count, outcome }: AccessLogEntry): string =>
  count === null ? (outcome === "answered" ? "not counted" : "none") : String(count)

function datesText({ start_date: from, end_date: to }: AccessLogEntry): string {
  if (from === null || to === null) return "none"
  return from === to ? fullDate(from) : `${fullDate(from)} to ${fullDate(to)}`
}
