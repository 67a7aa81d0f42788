import type { AccountResponse, Connection } from "@restwell/client"
import { instantText, timeAgo } from "../format/date.ts"
import { providerName } from "../format/provider-name.ts"
import { useNow } from "../format/use-now.ts"
import { ExternalButtonLink } from "./button.tsx"
import { HistoryProgress } from "./history-progress.tsx"
import { Notice } from "./notice.tsx"

/** The connection that answers come from: the first that is not ended. */
export const activeConnection = ({ connections }: AccountResponse): Connection | undefined =>
  connections.find(({ status }) => status !== "disconnected") ?? connections[0]

/** What the person should know of their connection; nothing while all is well. */
export function ConnectionNotice({ connection }: { connection: Connection }) {
  const now = useNow()
  const vendor = providerName(connection.provider)
  const since =
    connection.last_synced_at === null ? undefined : (
      <time dateTime={connection.last_synced_at} title={instantText(connection.last_synced_at)}>
        {timeAgo(connection.last_synced_at, now)}
      </time>
    )
  const again = (
    <ExternalButtonLink href={`/api/connections/${connection.provider}/authorize`}>Connect again</ExternalButtonLink>
  )
  switch (connection.status) {
    case "ok":
      return null
    case "syncing":
      return (
        <Notice title={`Your history is coming from ${vendor}`}>
          <HistoryProgress connection={connection} />
        </Notice>
      )
    case "vendor_unavailable":
      return (
        <Notice tone="fair" title={`${vendor} does not answer`}>
          Everything that was stored is here{since && <>, last in step {since}</>}. It is tried again by itself.
        </Notice>
      )
    case "reauthorization_required":
      return (
        <Notice tone="fair" title={`${vendor} ended the authorization`} action={again}>
          Nothing new can arrive until you connect again. Everything that was stored is here
          {since && <>, last in step {since}</>}.
        </Notice>
      )
    case "disconnected":
      return (
        <Notice title={`${vendor} is disconnected`} action={again}>
          You see what you kept. Nothing new arrives.
        </Notice>
      )
  }
}
