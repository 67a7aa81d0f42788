import type { Assistant } from "@restwell/client"
import { useRevokeAssistant } from "../api/use-change.ts"
import { ConnectorAddress } from "../assistants/connector-address.tsx"
import { AssistantGuides } from "../assistants/connector-guide.tsx"
import { sharedText } from "../assistants/guides.ts"
import { ConfirmDialog } from "../components/confirm-dialog.tsx"
import { Panel } from "../components/panel.tsx"
import { instantDate, timeAgo } from "../format/date.ts"
import { useNow } from "../format/use-now.ts"

/** The assistants that may read, and how another one is added. */
export const AssistantsPanel = ({ assistants }: { assistants: readonly Assistant[] }) => (
  <Panel title="Assistants" description="Claude, ChatGPT and others read through one address, after you said yes here.">
    <div className="flex flex-col gap-4">
      {assistants.length === 0 ? (
        <p className="text-sm text-muted">No assistant may read your data yet. Add this address to one:</p>
      ) : (
        <ul className="divide-y divide-line">
          {assistants.map((assistant) => (
            <Entry key={assistant.id} assistant={assistant} />
          ))}
        </ul>
      )}
      <ConnectorAddress />
      <AssistantGuides />
    </div>
  </Panel>
)

function Entry({ assistant }: { assistant: Assistant }) {
  const revoke = useRevokeAssistant()
  const now = useNow()
  const { id, name, verified_host: host, redirect_host: redirectHost, scopes, days, last_read_at: readAt } = assistant
  return (
    <li className="flex flex-wrap items-center justify-between gap-3 py-3">
      <div className="min-w-0 flex-1 basis-56 text-sm">
        <p className="font-medium break-words">{name}</p>
        <p className="text-muted">
          {host === null ? `Not verified, returns to ${redirectHost}` : `Verified by ${host}`}. Connected{" "}
          {instantDate(assistant.connected_at)}.
        </p>
        <p className="text-muted">May read {sharedText(scopes, days)}.</p>
        <p className="text-muted">{readAt === null ? "Has not read yet." : `Last read ${timeAgo(readAt, now)}.`}</p>
      </div>
      <ConfirmDialog
        trigger="Revoke"
        label={`Revoke ${name}`}
        title={`Revoke ${name}?`}
        confirmLabel="Revoke"
        onConfirm={() => revoke.mutateAsync(id)}
      >
        <p>Its next request is refused. What it has read already, it may still know.</p>
      </ConfirmDialog>
    </li>
  )
}
