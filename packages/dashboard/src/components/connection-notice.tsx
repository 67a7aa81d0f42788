import type { Connection } from "@restwell/client"
import { providerName } from "../format/provider-name.ts"
import { ConnectLink, ReconnectLink } from "./connect-link.tsx"
import { HistoryProgress } from "./history-progress.tsx"
import { Notice } from "./notice.tsx"
import { TimeAgo } from "./time-ago.tsx"

/** The state of a connection when it needs attention. Nothing while it is up to date. */
export function ConnectionNotice({
  connection,
  isSetUp,
}: {
  connection: Connection
  /** False for a vendor that nobody can connect on this server. */
  isSetUp: boolean
}) {
  const { provider, last_synced_at: lastSyncedAt } = connection
  const vendor = providerName(provider)
  const storedData = (
    <>
      Your stored data is still available
      {lastSyncedAt !== null && (
        <>
          , last synced <TimeAgo instant={lastSyncedAt} />
        </>
      )}
      .
    </>
  )
  switch (connection.status) {
    case "ok":
      return null
    case "syncing":
      return (
        <Notice title={`Syncing your ${vendor} history`}>
          <HistoryProgress connection={connection} />
        </Notice>
      )
    case "vendor_unavailable":
      return (
        <Notice tone="fair" title={`${vendor} is not responding`}>
          Restwell keeps trying. {storedData}
        </Notice>
      )
    case "failing":
      return (
        <Notice tone="fair" title={`Syncing ${vendor} failed`}>
          Restwell tries again automatically. {storedData}
        </Notice>
      )
    case "reauthorization_required":
      return (
        <Notice tone="fair" title={`Reconnect ${vendor}`} action={<ReconnectLink provider={provider} />}>
          Restwell's access has ended, so new data is not synced. {storedData}
        </Notice>
      )
    case "archive":
      return (
        <Notice
          title={`Your ${vendor} data comes from archives`}
          {...(isSetUp && { action: <ConnectLink provider={provider} /> })}
        >
          {isSetUp ? `New data is not synced until you connect ${vendor}.` : "New data comes with your next archive."}
        </Notice>
      )
    case "disconnected":
      return (
        <Notice title={`${vendor} is disconnected`} {...(isSetUp && { action: <ReconnectLink provider={provider} /> })}>
          New data is not synced. Your stored data is still available.
        </Notice>
      )
  }
}
