import type { AccountResponse } from "@restwell/client"
import { useEffect, useState } from "react"
import { useAccount } from "../api/account.ts"
import { ConnectLink } from "../components/connect-link.tsx"
import { Loaded } from "../components/loaded.tsx"
import { NoVendorNotice } from "../components/no-vendor-notice.tsx"
import { Notice } from "../components/notice.tsx"
import { Page } from "../components/page.tsx"
import { Panel } from "../components/panel.tsx"
import { Skeleton } from "../components/skeleton.tsx"
import { AccessLogPanel } from "../connections/access-log-panel.tsx"
import { AssistantsPanel } from "../connections/assistants-panel.tsx"
import { ConnectionPanel } from "../connections/connection-panel.tsx"
import { ImportsPanel } from "../connections/imports-panel.tsx"
import { outcomeOf } from "../connections/problems.ts"
import { providerName } from "../format/provider-name.ts"

export default function ConnectionsPage() {
  const [outcome] = useState(() => outcomeOf(window.location.search))
  // Removes the outcome from the URL, so that a reload or a bookmark does not repeat it.
  useEffect(() => window.history.replaceState(null, "", window.location.pathname), [])
  return (
    <Page title="Connections" subtitle="Your data sources, and who can read your data.">
      {outcome && <Notice tone={outcome.tone}>{outcome.text}</Notice>}
      <Loaded query={useAccount()} skeleton={<Skeleton className="h-48" label="Loading your connections" />}>
        {(account) => (
          <>
            <Vendors account={account} />
            <ImportsPanel />
            <AssistantsPanel assistants={account.assistants} />
            <AccessLogPanel />
          </>
        )}
      </Loaded>
    </Page>
  )
}

function Vendors({ account: { connections, providers } }: { account: AccountResponse }) {
  const unconnected = providers.filter((provider) => !connections.some((each) => each.provider === provider))
  return (
    <>
      {connections.map((connection) => (
        <ConnectionPanel key={connection.provider} connection={connection} />
      ))}
      {unconnected.map((provider) => (
        <Panel
          key={provider}
          title={providerName(provider)}
          description="You approve access on the vendor's own page. Restwell gets read-only access and never sees your password."
          actions={<ConnectLink provider={provider} />}
        />
      ))}
      {providers.length === 0 && <NoVendorNotice />}
    </>
  )
}
