import type { Connection } from "@restwell/client"
import type { ReactNode } from "react"
import { useDisconnect, useRequestSync } from "../api/account.ts"
import { Button, ExternalButtonLink } from "../components/button.tsx"
import { ConnectionNotice } from "../components/connection-notice.tsx"
import { FailureNotice } from "../components/failure-notice.tsx"
import { Panel } from "../components/panel.tsx"
import { instantDate, instantText, timeAgo } from "../format/date.ts"
import { figure } from "../format/number.ts"
import { providerName } from "../format/provider-name.ts"
import { useNow } from "../format/use-now.ts"
import { DisconnectDialog } from "./disconnect-dialog.tsx"

const STATES: Readonly<Record<Connection["status"], { readonly label: string; readonly color: string }>> = {
  ok: { label: "In step", color: "text-good" },
  syncing: { label: "Fetching your history", color: "text-accent" },
  vendor_unavailable: { label: "Does not answer", color: "text-fair" },
  reauthorization_required: { label: "Needs you", color: "text-poor" },
  disconnected: { label: "Disconnected", color: "text-muted" },
}

/** A vendor that is or was connected: how it is, and what can be done. */
export function ConnectionPanel({ connection }: { connection: Connection }) {
  const { provider, status } = connection
  const sync = useRequestSync(provider)
  const disconnect = useDisconnect(provider)
  const isWorking = status !== "disconnected" && status !== "reauthorization_required"
  return (
    <Panel
      title={providerName(provider)}
      description={<span className={`font-medium ${STATES[status].color}`}>{STATES[status].label}</span>}
      actions={
        <>
          {isWorking && (
            <Button isBusy={sync.isPending} onClick={() => sync.mutate()}>
              Sync now
            </Button>
          )}
          {status === "disconnected" && connection.history.records === 0 && (
            <ExternalButtonLink href={`/api/connections/${provider}/authorize`} look="primary">
              Connect {providerName(provider)}
            </ExternalButtonLink>
          )}
          {status !== "disconnected" && (
            <DisconnectDialog vendor={providerName(provider)} onDisconnect={(data) => disconnect.mutateAsync(data)} />
          )}
        </>
      }
    >
      <div className="flex flex-col gap-4">
        {!(status === "disconnected" && connection.history.records === 0) && (
          <ConnectionNotice connection={connection} />
        )}
        {connection.status_reason !== null && status !== "ok" && (
          <p className="text-sm text-muted">
            What {providerName(provider)} said: {connection.status_reason}.
          </p>
        )}
        {sync.error && <FailureNotice error={sync.error} />}
        {sync.isSuccess && (
          <p role="status" className="text-sm text-muted">
            Asked for. New figures show here by themselves.
          </p>
        )}
        <Facts connection={connection} />
      </div>
    </Panel>
  )
}

function Facts({ connection: { connected_at, last_synced_at, history, status } }: { connection: Connection }) {
  const now = useNow()
  return (
    <dl className="grid grid-cols-2 gap-x-4 gap-y-3 text-sm sm:grid-cols-4">
      <Fact label="Last in step">
        {last_synced_at === null ? (
          "not yet"
        ) : (
          <time dateTime={last_synced_at} title={instantText(last_synced_at)}>
            {timeAgo(last_synced_at, now)}
          </time>
        )}
      </Fact>
      <Fact label={status === "disconnected" ? "Was connected" : "Connected since"}>{instantDate(connected_at)}</Fact>
      <Fact label="Records">{figure(history.records)}</Fact>
      <Fact label="History">{history.complete ? "complete" : "on its way"}</Fact>
    </dl>
  )
}

const Fact = ({ label, children }: { label: string; children: ReactNode }) => (
  <div>
    <dt className="text-muted">{label}</dt>
    <dd className="font-medium tabular-nums">{children}</dd>
  </div>
)
