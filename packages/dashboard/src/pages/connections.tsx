import type { AccountResponse } from "@restwell/client"
import { useEffect, useState } from "react"
import { useAccount } from "../api/account.ts"
import { ExternalButtonLink } from "../components/button.tsx"
import { FailureNotice } from "../components/failure-notice.tsx"
import { NoVendorNotice } from "../components/no-vendor-notice.tsx"
import { Notice } from "../components/notice.tsx"
import { Page } from "../components/page.tsx"
import { Panel } from "../components/panel.tsx"
import { Skeleton } from "../components/skeleton.tsx"
import { AccessLogPanel } from "../connections/access-log-panel.tsx"
import { AssistantsPanel } from "../connections/assistants-panel.tsx"
import { ConnectionPanel } from "../connections/connection-panel.tsx"
import { outcomeOf } from "../connections/problems.ts"
import { providerName } from "../format/provider-name.ts"

const SUBTITLE = "Where your data comes from, and who may read it."

export default function ConnectionsPage() {
  const account = useAccount()
  const [outcome] = useState(() => outcomeOf(window.location.search))
  // Said once: a reload or a bookmark does not say it again.
  useEffect(() => window.history.replaceState(null, "", window.location.pathname), [])
  return (
    <Page title="Connections" subtitle={SUBTITLE}>
      {outcome && <Notice tone={outcome.tone}>{outcome.text}</Notice>}
      {account.isPending && <Skeleton className="h-48" label="Your connections are being read" />}
      {account.isError && <FailureNotice error={account.error} onRetry={() => account.refetch()} />}
      {account.isSuccess && <Vendors account={account.data} />}
      {account.isSuccess && <AssistantsPanel assistants={account.data.assistants} />}
      {account.isSuccess && <AccessLogPanel />}
    </Page>
  )
}

function Vendors({ account: { connections, providers } }: { account: AccountResponse }) {
  const unknown = providers.filter((provider) => !connections.some((connection) => connection.provider === provider))
  return (
    <>
      {connections.map((connection) => (
        <ConnectionPanel key={connection.provider} connection={connection} />
      ))}
      {unknown.map((provider) => (
        <Panel
          key={provider}
          title={providerName(provider)}
          description="You say yes on the vendor's own page. Restwell may only read; it never sees your password there."
          actions={
            <ExternalButtonLink href={`/api/connections/${provider}/authorize`} look="primary">
              Connect {providerName(provider)}
            </ExternalButtonLink>
          }
        />
      ))}
      {providers.length === 0 && <NoVendorNotice />}
    </>
  )
}
