import type { AccountResponse, Connection } from "@restwell/client"
import { useDisconnect, useRequestSync } from "../api/account.ts"
import { Button } from "../components/button.tsx"
import { ConnectLink } from "../components/connect-link.tsx"
import { ConnectionNotice } from "../components/connection-notice.tsx"
import { Fact, Facts } from "../components/facts.tsx"
import { Panel } from "../components/panel.tsx"
import { TimeAgo } from "../components/time-ago.tsx"
import { instantDate } from "../format/date.ts"
import { figure } from "../format/number.ts"
import { providerName } from "../format/provider-name.ts"
import { hasSeveralSources, isSetUp } from "../trends/sources.ts"
import { Deliveries } from "./deliveries.tsx"
import { DisconnectDialog } from "./disconnect-dialog.tsx"
import { GapsNotice } from "./gaps-notice.tsx"
import { OperatorSetup } from "./operator-setup.tsx"
import { SyncOutcome } from "./sync-outcome.tsx"
import { WaitingNotice } from "./waiting-notice.tsx"

const STATUSES: Readonly<Record<Connection["status"], { readonly label: string; readonly color: string }>> = {
  ok: { label: "Up to date", color: "text-good" },
  syncing: { label: "Syncing your history", color: "text-accent" },
  vendor_unavailable: { label: "Not responding", color: "text-fair" },
  failing: { label: "Sync failed", color: "text-poor" },
  reauthorization_required: { label: "Reconnect needed", color: "text-poor" },
  archive: { label: "From an archive", color: "text-muted" },
  disconnected: { label: "Disconnected", color: "text-muted" },
}

/** One connection: its status, its facts, and its actions. */
export function ConnectionPanel({ connection, account }: { connection: Connection; account: AccountResponse }) {
  const { provider, status, status_reason: reason, history } = connection
  const sync = useRequestSync(provider)
  const disconnect = useDisconnect(provider)
  const isDisconnected = status === "disconnected" || status === "archive"
  const isEmpty = isDisconnected && history.records === 0
  const vendor = account.vendors.find((each) => each.provider === provider)
  const canConnect = isSetUp(account, connection)
  return (
    <Panel
      title={providerName(provider)}
      description={<span className={`font-medium ${STATUSES[status].color}`}>{STATUSES[status].label}</span>}
      actions={
        <>
          {!isDisconnected && status !== "reauthorization_required" && (
            <Button isBusy={sync.isPending} onClick={() => sync.mutate()}>
              Sync now
            </Button>
          )}
          {isEmpty && canConnect && <ConnectLink provider={provider} />}
          {!isDisconnected && (
            <DisconnectDialog
              vendor={providerName(provider)}
              isOnlySource={!hasSeveralSources(account)}
              onDisconnect={(data) => disconnect.mutateAsync(data)}
            />
          )}
        </>
      }
    >
      <div className="flex flex-col gap-4">
        {!isEmpty && <ConnectionNotice connection={connection} isSetUp={canConnect} />}
        {reason !== null && status !== "ok" && <p className="text-sm text-muted">Reason: {reason}.</p>}
        {connection.gaps.length > 0 && <GapsNotice connection={connection} />}
        {connection.waiting !== null && <WaitingNotice waiting={connection.waiting} />}
        <SyncOutcome error={sync.error} isRequested={sync.isSuccess} />
        <Facts className="grid-cols-2 sm:grid-cols-4">
          <Fact label="Last synced">
            <TimeAgo instant={connection.last_synced_at} />
          </Fact>
          <Fact label={status === "archive" ? "Imported" : isDisconnected ? "Was connected" : "Connected since"}>
            {instantDate(connection.connected_at)}
          </Fact>
          <Fact label="Records">{figure(history.records)}</Fact>
          <Fact label="History">
            {history.complete ? "complete" : status === "archive" ? "as uploaded" : "syncing"}
          </Fact>
        </Facts>
        {vendor && <Deliveries vendor={vendor} isConnected={!isDisconnected} />}
        {vendor && <OperatorSetup vendor={vendor} />}
      </div>
    </Panel>
  )
}
