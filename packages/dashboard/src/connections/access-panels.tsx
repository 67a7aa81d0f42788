import type { AccessLogEntry, AccountResponse, Assistant } from "@restwell/client"
import { useRevokeAssistant } from "../api/account.ts"
import { ConfirmDialog } from "../components/confirm-dialog.tsx"
import { LogPanel, useAccessLog } from "../components/data-table.tsx"
import { Panel } from "../components/page.tsx"
import { Instant, TimeAgo } from "../components/time-ago.tsx"
import { fullDate, instantDate } from "../format/date.ts"
import { ConnectorGuide } from "./connector-guide.tsx"

/** The assistants with access, and how to add another one. */
export const AssistantsPanel = ({ account }: { account: AccountResponse }) => (
  <Panel
    title="Assistants"
    description="Claude, ChatGPT and other assistants read your data through one address, after you approve them here."
  >
    <div className="flex flex-col gap-4">
      {account.assistants.length === 0 ? (
        <p className="text-sm text-muted">No assistant can read your data yet. Add this address to one:</p>
      ) : (
        <ul className="divide-y divide-line">
          {account.assistants.map((assistant) => (
            <Entry key={assistant.id} assistant={assistant} />
          ))}
        </ul>
      )}
      <ConnectorGuide account={account} />
    </div>
  </Panel>
)

function Entry({ assistant }: { assistant: Assistant }) {
  const revoke = useRevokeAssistant()
  const { id, name, verified_host: host, redirect_host: redirectHost, scopes, days, last_read_at: readAt } = assistant
  return (
    <li className="flex flex-wrap items-center justify-between gap-3 py-3">
      <div className="min-w-0 flex-1 basis-56 text-sm">
        <p className="font-medium break-words">{name}</p>
        <p className="text-muted">
          {host === null ? `Not verified, redirects to ${redirectHost}` : `Verified by ${host}`}. Connected{" "}
          {instantDate(assistant.connected_at)}.
        </p>
        <p className="text-muted">Can read {accessText(scopes, days)}.</p>
        <p className="text-muted">
          Last read: <TimeAgo instant={readAt} />.
        </p>
      </div>
      <ConfirmDialog
        trigger="Revoke"
        label={`Revoke ${name}`}
        title={`Revoke ${name}?`}
        confirmLabel="Revoke"
        onConfirm={() => revoke.mutateAsync(id)}
      >
        <p>Its next request is refused. It may still know the data it has already read.</p>
      </ConfirmDialog>
    </li>
  )
}

const SCOPE_NAMES: Readonly<Record<string, string>> = {
  "sleep:read": "sleep",
  "recovery:read": "recovery",
  "workouts:read": "workouts and strain",
  "profile:read": "profile",
  "journal:read": "journal",
  "series:read": "measurements",
}

/** "sleep, recovery, the last 30 days" */
const accessText = (scopes: readonly string[], days: number | null): string =>
  [...scopes.map((scope) => SCOPE_NAMES[scope] ?? scope), days === null ? "all dates" : `the last ${days} days`].join(
    ", ",
  )

/** Reads by the API key and by assistants. */
export function AccessLogPanel() {
  const log = useAccessLog()
  return (
    <LogPanel
      title="Access log"
      description="Every read by your API keys, by assistants and by shared links in the last 90 days, newest first. After a week, equal reads of a day are one line. The health data itself is not logged."
      label="Reads"
      empty="No reads yet."
      log={log}
    >
      {(entries) => (
        <table className="w-full text-left text-sm max-sm:block">
          <thead className="sticky top-0 bg-surface text-muted max-sm:sr-only">
            <tr>
              {["Time", "Reader", "Request", "Dates", "Records", "Outcome"].map((head) => (
                <th key={head} scope="col" className="py-1.5 pr-4 font-medium whitespace-nowrap">
                  {head}
                </th>
              ))}
            </tr>
          </thead>
          <tbody className="divide-y divide-line max-sm:block">
            {entries.map((entry) => (
              <Read key={entry.id} entry={entry} />
            ))}
          </tbody>
        </table>
      )}
    </LogPanel>
  )
}

const CELL = "py-1.5 pr-4 max-sm:block max-sm:p-0"

/** A row of the table. On a phone its cells are lines, because six columns have no room there. */
const Read = ({ entry }: { entry: AccessLogEntry }) => (
  <tr className="max-sm:flex max-sm:flex-wrap max-sm:gap-x-3 max-sm:py-2.5">
    <td className={`${CELL} whitespace-nowrap max-sm:order-1 max-sm:text-muted`}>
      <Instant at={entry.at} />
    </td>
    <td className={`${CELL} wrap-anywhere max-sm:w-full max-sm:font-medium`}>{readerText(entry)}</td>
    <td className={`${CELL} font-mono text-xs wrap-anywhere max-sm:w-full sm:min-w-40`}>{operationText(entry)}</td>
    <td className={`${CELL} max-sm:w-full sm:whitespace-nowrap`}>
      <PhoneLabel>Dates: </PhoneLabel>
      {datesText(entry)}
    </td>
    <td className={`${CELL} tabular-nums`}>
      <PhoneLabel>Records: </PhoneLabel>
      {countText(entry)}
    </td>
    <td className={CELL}>{entry.outcome.replaceAll("_", " ")}</td>
  </tr>
)

/** What the head of the column says where there is none. */
const PhoneLabel = ({ children }: { children: string }) => (
  <span aria-hidden="true" className="text-muted sm:hidden">
    {children}
  </span>
)

const readerText = ({ reader, key_name: name, assistant }: AccessLogEntry): string | null =>
  reader === "assistant"
    ? assistant
    : name === undefined
      ? "Your API key"
      : `${reader === "share" ? "Share with" : "Key"} “${name}”`

/** The request of an API key, or the tool of an assistant. */
const operationText = ({ reader, operation, types, reads }: AccessLogEntry): string =>
  (reader === "api_key" && operation === "/api/v1/health" ? `${operation}?type=${types.join()}` : operation) +
  (reads > 1 ? `, ${reads} times` : "")

const countText = ({ record_count: count, outcome }: AccessLogEntry): string =>
  count === null ? (outcome === "answered" ? "not counted" : "none") : String(count)

function datesText({ start_date: from, end_date: to }: AccessLogEntry): string {
  if (from === null || to === null) return "none"
  return from === to ? fullDate(from) : `${fullDate(from)} to ${fullDate(to)}`
}
