import type { AccountResponse, Assistant } from "@restwell/client"
import { useRevokeAssistant } from "../api/account.ts"
import { ConnectorGuide } from "../assistants/connector-guide.tsx"
import { ConfirmDialog } from "../components/confirm-dialog.tsx"
import { Panel } from "../components/panel.tsx"
import { TimeAgo } from "../components/time-ago.tsx"
import { instantDate } from "../format/date.ts"

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
}

/** "sleep, recovery, the last 30 days" */
const accessText = (scopes: readonly string[], days: number | null): string =>
  [...scopes.map((scope) => SCOPE_NAMES[scope] ?? scope), days === null ? "all dates" : `the last ${days} days`].join(
    ", ",
  )
